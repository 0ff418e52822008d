// Which files of traces and programs a plan names, so that a bundle is planned alike on machines
// that have other files or none.

package workspace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gridsweep/pipeline/traces"
)

// inputs are the files that plans name: traces by values of the parameter trace, see
// traces.Library.Resolve, and programs by policies exec:…, see external.Programs.Resolve.
type inputs struct {
	Traces   resolutions `json:"traces,omitempty"`
	Programs resolutions `json:"programs,omitempty"`
}

// resolutions are what values were resolved to, each once.
type resolutions []resolution

// resolution is the reference that a value was resolved to, for runs that read the named traces.
type resolution struct {
	Value     string   `json:"value"`
	Names     []string `json:"names,omitempty"` // none for a program
	Reference string   `json:"reference"`
}

// of returns the references that a value was resolved to.
func (l resolutions) of(value string, names []string) []string {
	var references []string
	for _, r := range l {
		if r.Value == value && slices.Equal(r.Names, names) {
			references = append(references, r.Reference)
		}
	}
	return references
}

// add adds other resolutions.
func (l *resolutions) add(others ...resolution) {
	for _, r := range others {
		if !slices.Contains(l.of(r.Value, r.Names), r.Reference) {
			*l = append(*l, r)
		}
	}
}

// record adds a resolution unless it failed, and returns its result.
func (l *resolutions) record(value string, names []string, reference string, err error) (string, error) {
	if err == nil {
		l.add(resolution{value, slices.Clone(names), reference})
	}
	return reference, err
}

// check returns an error if one value has two resolutions: files of one relative path in two
// folders. The format begins the message, such as "trace %s means two files".
func (l resolutions) check(format string) error {
	for i, r := range l {
		if before := l[:i].of(r.Value, r.Names); len(before) > 0 {
			return fmt.Errorf(format+", %s and %s, depending on the folder; give them different names", r.Value, before[0],
				r.Reference)
		}
	}
	return nil
}

// add adds the inputs of another study.
func (in *inputs) add(other *inputs) {
	in.Traces.add(other.Traces...)
	in.Programs.add(other.Programs...)
}

// check returns an error if one value has two resolutions.
func (in *inputs) check() error {
	return cmp.Or(in.Traces.check("trace %s means two files"), in.Programs.check("%s means two programs"))
}

// traceFiles returns the references of all traces with a file, each once and sorted.
func (in *inputs) traceFiles() []string {
	var list []string
	for _, r := range in.Traces {
		for reference := range strings.SplitSeq(r.Reference, ",") {
			if _, sum := traces.SplitReference(reference); sum != "" {
				list = append(list, reference)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// trace returns the recorded reference of a value, as traces.Library.Resolve does.
func (in *inputs) trace(_ context.Context, value, _ string, names []string) (string, error) {
	if references := in.Traces.of(value, names); len(references) > 0 {
		return references[0], nil
	}
	return "", fmt.Errorf("the bundle does not say what %q means where the runs read %s", value,
		strings.Join(names, ", "))
}

// program returns the recorded reference of a value, as external.Programs.Resolve does.
func (in *inputs) program(_ context.Context, value, _ string) (string, error) {
	if references := in.Programs.of(value, nil); len(references) > 0 {
		return references[0], nil
	}
	return "", fmt.Errorf("the bundle does not say which program %q is", value)
}
