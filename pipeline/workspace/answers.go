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
	Traces   []traceAnswer   `json:"traces,omitempty"`
	Programs []programAnswer `json:"programs,omitempty"`
}

// traceAnswer is what runs read that name traces of the catalogue and have the value as their
// parameter trace; see traces.Library.Resolve.
type traceAnswer struct {
	Value     string   `json:"value"`
	Names     []string `json:"names"`
	Reference string   `json:"reference"`
}

// programAnswer is what a policy that names a program was resolved to; see
// external.Programs.Resolve.
type programAnswer struct {
	Value     string `json:"value"`
	Reference string `json:"reference"`
}

func (a *answers) recordTraces(
	resolve func(ctx context.Context, value, folder string, names []string) (string, error),
) func(ctx context.Context, value, folder string, names []string) (string, error) {
	return func(ctx context.Context, value, folder string, names []string) (string, error) {
		reference, err := resolve(ctx, value, folder, names)
		if err == nil {
			answer := traceAnswer{value, slices.Clone(names), reference}
			isSame := func(b traceAnswer) bool {
				return b.Value == value && b.Reference == reference && slices.Equal(b.Names, names)
			}
			if !slices.ContainsFunc(a.Traces, isSame) {
				a.Traces = append(a.Traces, answer)
			}
		}
		return reference, err
	}
}

func (a *answers) recordPrograms(
	resolve func(ctx context.Context, value, folder string) (string, error),
) func(ctx context.Context, value, folder string) (string, error) {
	return func(ctx context.Context, value, folder string) (string, error) {
		reference, err := resolve(ctx, value, folder)
		if err == nil {
			if answer := (programAnswer{value, reference}); !slices.Contains(a.Programs, answer) {
				a.Programs = append(a.Programs, answer)
			}
		}
		return reference, err
	}
}

// check returns an error if one value has two answers: files of one relative path in two folders.
func (a *answers) check() error {
	for i, answer := range a.Traces {
		for _, other := range a.Traces[:i] {
			if answer.Value == other.Value && slices.Equal(answer.Names, other.Names) {
				return fmt.Errorf("trace %s means two files, %s and %s, depending on the folder; give them different names",
					answer.Value, other.Reference, answer.Reference)
			}
		}
	}
	for i, answer := range a.Programs {
		for _, other := range a.Programs[:i] {
			if answer.Value == other.Value {
				return fmt.Errorf("%s means two programs, %s and %s, depending on the folder; give them different names",
					answer.Value, other.Reference, answer.Reference)
			}
		}
	}
	return nil
}

// trace returns the recorded reference of a value, as traces.Library.Resolve does.
func (a *answers) trace(_ context.Context, value, _ string, names []string) (string, error) {
	for _, answer := range a.Traces {
		if answer.Value == value && slices.Equal(answer.Names, names) {
			return answer.Reference, nil
		}
	}
	return "", fmt.Errorf("the bundle does not say what %q means where the runs read %s", value, strings.Join(names, ", "))
}

// program returns the recorded reference of a value, as external.Programs.Resolve does.
func (a *answers) program(_ context.Context, value, _ string) (string, error) {
	for _, answer := range a.Programs {
		if answer.Value == value {
			return answer.Reference, nil
		}
	}
	return "", fmt.Errorf("the bundle does not say which program %q is", value)
}
