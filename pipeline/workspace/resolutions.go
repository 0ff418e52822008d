package workspace

// Which files of traces and programs a plan names, so that a bundle is planned alike on machines
// that have other files or none.

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// resolutions are the references that values of parameters were resolved to.
type resolutions struct {
	Traces   []resolution `json:"traces,omitempty"`
	Programs []resolution `json:"programs,omitempty"`
}

// resolution is the reference that a value was resolved to: that of the parameter trace for runs
// that read the named traces of the catalogue, see traces.Library.Resolve, or a policy that names a
// program, see external.Programs.Resolve.
type resolution struct {
	Value     string   `json:"value"`
	Names     []string `json:"names,omitempty"` // none for a program
	Reference string   `json:"reference"`
}

// isOf reports whether the resolution is that of a value and names.
func (a resolution) isOf(value string, names []string) bool {
	return a.Value == value && slices.Equal(a.Names, names)
}

// withResolution returns the list with a resolution, once.
func withResolution(list []resolution, a resolution) []resolution {
	isSame := func(b resolution) bool { return b.isOf(a.Value, a.Names) && b.Reference == a.Reference }
	if slices.ContainsFunc(list, isSame) {
		return list
	}
	return append(list, a)
}

// add adds the resolutions of another study.
func (a *resolutions) add(other *resolutions) {
	for _, r := range other.Traces {
		a.Traces = withResolution(a.Traces, r)
	}
	for _, r := range other.Programs {
		a.Programs = withResolution(a.Programs, r)
	}
}

// resolveTrace has the arguments and results of traces.Library.Resolve, resolveProgram those of
// external.Programs.Resolve.
type (
	resolveTrace   = func(ctx context.Context, value, folder string, names []string) (string, error)
	resolveProgram = func(ctx context.Context, value, folder string) (string, error)
)

func (a *resolutions) recordTraces(resolve resolveTrace) resolveTrace {
	return func(ctx context.Context, value, folder string, names []string) (string, error) {
		reference, err := resolve(ctx, value, folder, names)
		if err == nil {
			a.Traces = withResolution(a.Traces, resolution{value, slices.Clone(names), reference})
		}
		return reference, err
	}
}

func (a *resolutions) recordPrograms(resolve resolveProgram) resolveProgram {
	return func(ctx context.Context, value, folder string) (string, error) {
		reference, err := resolve(ctx, value, folder)
		if err == nil {
			a.Programs = withResolution(a.Programs, resolution{Value: value, Reference: reference})
		}
		return reference, err
	}
}

// check returns an error if one value has two resolutions: files of one relative path in two
// folders.
func (a *resolutions) check() error {
	if one, other := contradiction(a.Traces); one != nil {
		return fmt.Errorf("trace %s means two files, %s and %s, depending on the folder; give them different names",
			one.Value, one.Reference, other.Reference)
	}
	if one, other := contradiction(a.Programs); one != nil {
		return fmt.Errorf("%s means two programs, %s and %s, depending on the folder; give them different names",
			one.Value, one.Reference, other.Reference)
	}
	return nil
}

// contradiction returns the first two resolutions of one value, nil if there are none.
func contradiction(list []resolution) (one, other *resolution) {
	for i := range list {
		for k := range list[:i] {
			if list[k].isOf(list[i].Value, list[i].Names) {
				return &list[k], &list[i]
			}
		}
	}
	return nil, nil
}

// trace returns the recorded reference of a value, as traces.Library.Resolve does.
func (a *resolutions) trace(_ context.Context, value, _ string, names []string) (string, error) {
	i := slices.IndexFunc(a.Traces, func(r resolution) bool { return r.isOf(value, names) })
	if i < 0 {
		return "", fmt.Errorf("the bundle does not say what %q means where the runs read %s", value,
			strings.Join(names, ", "))
	}
	return a.Traces[i].Reference, nil
}

// program returns the recorded reference of a value, as external.Programs.Resolve does.
func (a *resolutions) program(_ context.Context, value, _ string) (string, error) {
	i := slices.IndexFunc(a.Programs, func(r resolution) bool { return r.isOf(value, nil) })
	if i < 0 {
		return "", fmt.Errorf("the bundle does not say which program %q is", value)
	}
	return a.Programs[i].Reference, nil
}
