// Fingerprint: a hash of the source that a model is made of.

package model

import (
	"embed"
	"reflect"

	"gridsweep/model/internal/source"
)

// library is the source of the packages below this one without their tests. No pattern can exclude
// names that end in _test.go. These match all that do not end in est.go, or two folders down in
// st.go: go:embed refuses a pattern for which there is no file.
//
//go:embed */*[^t].go */*[^s]t.go */*[^e]st.go */*/*[^t].go */*/*[^s]t.go
var library embed.FS

// Fingerprint returns a hash of the source of the model: the package of its parameters and the
// packages below this one that it imports. This package itself does not count. It is empty where
// the source is not known; see Spec.Source. Comments, layout and tests do not change it, and
// neither does Go's standard library. It takes some milliseconds.
func (m *Model) Fingerprint() (string, error) {
	tree := source.Tree{Path: reflect.TypeFor[Model]().PkgPath(), Files: library}
	if m.source == nil && !tree.Has(m.pkg) {
		return "", nil
	}
	return tree.Fingerprint(m.pkg, m.source)
}
