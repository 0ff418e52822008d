// Runs that another source of the model made.

package workspace

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize/english"

	"gridsweep/model"
)

// Stale says how many runs of the plan another source of the model made; empty if none. After a
// call the page of the study has this text as a warning.
func (s *Study) Stale(ctx context.Context) (string, error) {
	all, err := s.staleRuns(ctx)
	if err != nil {
		return "", err
	}
	planned := map[string]string{}
	for _, run := range s.Plan.Runs {
		if source, found := all[run.ID]; found {
			planned[run.ID] = source
		}
	}
	s.stale = ""
	if len(planned) > 0 {
		runs := fmt.Sprintf("%s of the plan's %s", count(len(planned)), things(len(s.Plan.Runs), "run"))
		s.stale = staleInWords(s.Model, planned, runs)
	}
	return s.stale, nil
}

// AllStale says how many runs of the dataset, of any plan, another source of the model made; empty
// if none.
func (s *Study) AllStale(ctx context.Context) (string, error) {
	all, err := s.staleRuns(ctx)
	if err != nil || len(all) == 0 {
		return "", err
	}
	return staleInWords(s.Model, all, things(len(all), "run")), nil
}

// staleRuns returns the fingerprints of the other sources, by the ids of the runs.
func (s *Study) staleRuns(ctx context.Context) (map[string]string, error) {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	stale, err := snapshot.Stale()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return stale, nil
}

// RefuseStale returns StaleRuns where another source of the model made runs of the plan. With
// Selection.Stale it notes how many they are instead.
func (s *Study) RefuseStale(ctx context.Context) error {
	stale, err := s.Stale(ctx)
	switch {
	case err != nil || stale == "":
		return err
	case s.selection.Stale:
		s.workspace.note("%s: %s; --stale uses them", s.Dir, stale)
		return nil
	default:
		return StaleRuns{fmt.Sprintf("%s: %s; run them again with --fresh, use them with --stale, or leave them and name "+
			"another folder with --out", s.Dir, stale)}
	}
}

// StaleRuns is the error of runs that another source of the model made.
type StaleRuns struct{ text string }

// Error says how many runs, and which flags run or use them.
func (e StaleRuns) Error() string { return e.text }

// staleInWords says by how many other sources the runs were made. stale has the fingerprint of the
// source of each run, empty if unknown; runs is their number in words.
func staleInWords(m *model.Model, stale map[string]string, runs string) string {
	perSource := map[string]int{}
	for _, source := range stale {
		perSource[source]++
	}
	unknown := perSource[""]
	delete(perSource, "")
	sources, rest := "another source", ", than this program has"
	if len(perSource) > 1 {
		sources = fmt.Sprintf("%d other sources", len(perSource))
	}
	if unknown > 0 {
		rest += fmt.Sprintf(", %s of them by an unknown one", count(unknown))
	}
	if len(perSource) == 0 {
		sources, rest = "an unknown source", ": their files do not say which"
	}
	return fmt.Sprintf("%s %s made by %s of the model %s, version %d%s", runs,
		english.PluralWord(len(stale), "was", "were"), sources, m.Name, m.Version, rest)
}
