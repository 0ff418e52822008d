// Which files of traces and programs a plan names, so that a bundle is planned alike on machines
// that have other files or none.

package workspace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// resolutions are the references that values of parameters were resolved to.
type resolutions struct {
	Traces   references `json:"traces,omitempty"`
	Programs references `json:"programs,omitempty"`
}

// references are what values were resolved to, each once.
type references []resolution

// resolution is the reference that a value was resolved to: that of the parameter trace for runs
// that read the named traces of the catalogue, see traces.Library.Resolve, or a policy that names a
// program, see external.Programs.Resolve.
type resolution struct {
	Value     string   `json:"value"`
	Names     []string `json:"names,omitempty"` // none for a program
	Reference string   `json:"reference"`
}

// of returns the references that a value was resolved to.
func (l references) of(value string, names []string) []string {
	var references []string
	for _, r := range l {
		if r.Value == value && slices.Equal(r.Names, names) {
			references = append(references, r.Reference)
		}
	}
	return references
}

// add adds other resolutions.
func (l *references) add(others ...resolution) {
	for _, r := range others {
		if !slices.Contains(l.of(r.Value, r.Names), r.Reference) {
			*l = append(*l, r)
		}
	}
}

// record adds a resolution unless it failed, and returns its result.
func (l *references) record(value string, names []string, reference string, err error) (string, error) {
	if err == nil {
		l.add(resolution{value, slices.Clone(names), reference})
	}
	return reference, err
}

// check returns an error if one value has two resolutions: files of one relative path in two
// folders. The format begins the message, such as "trace %s means two files".
func (l references) check(format string) error {
	for i, r := range l {
		if before := l[:i].of(r.Value, r.Names); len(before) > 0 {
			return fmt.Errorf(format+", %s and %s, depending on the folder; give them different names", r.Value, before[0],
				r.Reference)
		}
	}
	return nil
}

// add adds the resolutions of another study.
func (a *resolutions) add(other *resolutions) {
	a.Traces.add(other.Traces...)
	a.Programs.add(other.Programs...)
}

// check returns an error if one value has two resolutions.
func (a *resolutions) check() error {
	return cmp.Or(a.Traces.check("trace %s means two files"), a.Programs.check("%s means two programs"))
}

// trace returns the recorded reference of a value, as traces.Library.Resolve does.
func (a *resolutions) trace(_ context.Context, value, _ string, names []string) (string, error) {
	if references := a.Traces.of(value, names); len(references) > 0 {
		return references[0], nil
	}
	return "", fmt.Errorf("the bundle does not say what %q means where the runs read %s", value,
		strings.Join(names, ", "))
}

// program returns the recorded reference of a value, as external.Programs.Resolve does.
func (a *resolutions) program(_ context.Context, value, _ string) (string, error) {
	if references := a.Programs.of(value, nil); len(references) > 0 {
		return references[0], nil
	}
	return "", fmt.Errorf("the bundle does not say which program %q is", value)
}
