package workspace

// Which files of traces and programs a plan names, so that a bundle is planned alike on machines
// that have other files or none.

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// answers are the references that values of parameters were resolved to.
type answers struct {
	Traces   []answer `json:"traces,omitempty"`
	Programs []answer `json:"programs,omitempty"`
}

// answer is the reference that a value was resolved to: that of the parameter trace for runs that
// read the named traces of the catalogue, see traces.Library.Resolve, or a policy that names a
// program, see external.Programs.Resolve.
type answer struct {
	Value     string   `json:"value"`
	Names     []string `json:"names,omitempty"` // none for a program
	Reference string   `json:"reference"`
}

// isTo reports whether the answer is that of a value and names.
func (a answer) isTo(value string, names []string) bool {
	return a.Value == value && slices.Equal(a.Names, names)
}

// withAnswer returns the list with an answer, once.
func withAnswer(list []answer, a answer) []answer {
	isSame := func(b answer) bool { return b.isTo(a.Value, a.Names) && b.Reference == a.Reference }
	if slices.ContainsFunc(list, isSame) {
		return list
	}
	return append(list, a)
}

// add adds the answers of another study.
func (a *answers) add(other *answers) {
	for _, one := range other.Traces {
		a.Traces = withAnswer(a.Traces, one)
	}
	for _, one := range other.Programs {
		a.Programs = withAnswer(a.Programs, one)
	}
}

// resolveTrace has the arguments and results of traces.Library.Resolve, resolveProgram those of
// external.Programs.Resolve.
type (
	resolveTrace   = func(ctx context.Context, value, folder string, names []string) (string, error)
	resolveProgram = func(ctx context.Context, value, folder string) (string, error)
)

func (a *answers) recordTraces(resolve resolveTrace) resolveTrace {
	return func(ctx context.Context, value, folder string, names []string) (string, error) {
		reference, err := resolve(ctx, value, folder, names)
		if err == nil {
			a.Traces = withAnswer(a.Traces, answer{value, slices.Clone(names), reference})
		}
		return reference, err
	}
}

func (a *answers) recordPrograms(resolve resolveProgram) resolveProgram {
	return func(ctx context.Context, value, folder string) (string, error) {
		reference, err := resolve(ctx, value, folder)
		if err == nil {
			a.Programs = withAnswer(a.Programs, answer{Value: value, Reference: reference})
		}
		return reference, err
	}
}

// check returns an error if one value has two answers: files of one relative path in two folders.
func (a *answers) check() error {
	if one, other := twoAnswers(a.Traces); one != nil {
		return fmt.Errorf("trace %s means two files, %s and %s, depending on the folder; give them different names",
			one.Value, one.Reference, other.Reference)
	}
	if one, other := twoAnswers(a.Programs); one != nil {
		return fmt.Errorf("%s means two programs, %s and %s, depending on the folder; give them different names",
			one.Value, one.Reference, other.Reference)
	}
	return nil
}

// twoAnswers returns the first two answers to one value, nil if there are none.
func twoAnswers(list []answer) (one, other *answer) {
	for i := range list {
		for k := range list[:i] {
			if list[k].isTo(list[i].Value, list[i].Names) {
				return &list[k], &list[i]
			}
		}
	}
	return nil, nil
}

// trace returns the recorded reference of a value, as traces.Library.Resolve does.
func (a *answers) trace(_ context.Context, value, _ string, names []string) (string, error) {
	i := slices.IndexFunc(a.Traces, func(one answer) bool { return one.isTo(value, names) })
	if i < 0 {
		return "", fmt.Errorf("the bundle does not say what %q means where the runs read %s", value,
			strings.Join(names, ", "))
	}
	return a.Traces[i].Reference, nil
}

// program returns the recorded reference of a value, as external.Programs.Resolve does.
func (a *answers) program(_ context.Context, value, _ string) (string, error) {
	i := slices.IndexFunc(a.Programs, func(one answer) bool { return one.isTo(value, nil) })
	if i < 0 {
		return "", fmt.Errorf("the bundle does not say which program %q is", value)
	}
	return a.Programs[i].Reference, nil
}
