package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"

	"gridsweep/model"
)

// refuseStale returns an error that names the runs of the plans that another source of their model made. Where --stale
// allows their use it only says how many they are.
func (t *terminal) refuseStale(ctx context.Context, s selection, targets []*target) error {
	var all []error
	for _, target := range targets {
		if err := target.findStale(ctx); err != nil {
			return err
		}
		switch {
		case target.stale == "":
		case s.stale:
			t.note("%s: %s; --stale uses them", target.dir, target.stale)
		default:
			all = append(all, fmt.Errorf("%s: %s; run them again with --fresh, use them with --stale, or leave them and name "+
				"another folder with --out", target.dir, target.stale))
		}
	}
	if len(all) > 0 {
		return usageError(errors.Join(all...))
	}
	return nil
}

// noteStale names the runs of the plans that another source of their model made, for commands that use no row of them.
func (t *terminal) noteStale(ctx context.Context, s selection, targets []*target) error {
	for _, target := range targets {
		if err := target.findStale(ctx); err != nil {
			return err
		}
		switch {
		case target.stale == "":
		case s.stale:
			t.note("%s: %s", target.dir, target.stale)
		default:
			t.note("%s: %s; --fresh runs them again, and --stale uses them", target.dir, target.stale)
		}
	}
	return nil
}

// noteAllStale names the runs of the dataset, of whatever plan, that another source of the model made.
func (t *terminal) noteAllStale(ctx context.Context, target *target) error {
	taken, err := target.snapshot(ctx)
	if err != nil {
		return err
	}
	stale, err := taken.Stale()
	if err == nil && len(stale) > 0 {
		t.note("%s: %s", target.dir, staleInWords(target.model, stale, things(len(stale), "run")))
	}
	return err
}

// findStale notes at the target which runs of its plan another source of its model made.
func (t *target) findStale(ctx context.Context) error {
	taken, err := t.snapshot(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	all, err := taken.Stale()
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	planned := map[string]string{}
	for _, run := range t.plan.Runs {
		if source, found := all[run.ID]; found {
			planned[run.ID] = source
		}
	}
	t.stale = ""
	if len(planned) > 0 {
		runs := fmt.Sprintf("%s of the plan's %s", count(len(planned)), things(len(t.plan.Runs), "run"))
		t.stale = staleInWords(t.model, planned, runs)
	}
	return nil
}

// staleInWords says which sources made the runs that are given with the fingerprints of these.
func staleInWords(m *model.Model, stale map[string]string, runs string) string {
	perSource := map[string]int{}
	for _, source := range stale {
		perSource[source]++
	}
	unknown := perSource[""]
	delete(perSource, "")
	were := runs + " " + english.PluralWord(len(stale), "was", "were") + " made by"
	its := fmt.Sprintf("of the model %s, version %d", m.Name, m.Version)
	text := fmt.Sprintf("%s another source %s, than this program has", were, its)
	switch known := len(perSource); {
	case known == 0:
		return fmt.Sprintf("%s an unknown source %s: their files do not say which", were, its)
	case known > 1:
		text = fmt.Sprintf("%s %d other sources %s, than this program has", were, known, its)
	}
	if unknown > 0 {
		text += fmt.Sprintf(", %s of them by an unknown one", count(unknown))
	}
	return text
}
