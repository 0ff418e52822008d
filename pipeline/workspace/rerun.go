// Random runs of a bundle, executed again.

package workspace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/pipeline"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// Rerun is what executing runs again found.
type Rerun struct {
	Runs int // number of runs that were executed
	// runs that cannot be drawn: their traces are not here, or they need a program
	LeftOut     int
	Differences []string // rows that differ, and runs that failed
}

// Rerun executes up to n runs of the bundle again, drawn with the seed from those whose traces are
// here and that need no program, and compares their rows in all tables but timings. Options are
// those of Study.Run. The error is of the disk or of the dataset, or that of ctx.
func (b *Bundle) Rerun(ctx context.Context, n int, seed uint64, options pipeline.Options) (Rerun, error) {
	type candidate struct{ study, run int }
	var found Rerun
	var candidates []candidate
	for i, s := range b.Studies {
		b.findTraces(ctx, s)
		snapshot, err := s.Snapshot(ctx)
		if err != nil {
			return found, err
		}
		finished := snapshot.Finished()
		for j, run := range s.Plan.Runs {
			switch {
			case !finished[run.ID]: // not in the bundle
			case s.canRun(run):
				candidates = append(candidates, candidate{i, j})
			default:
				found.LeftOut++
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return found, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	isChosen := map[candidate]bool{}
	for _, c := range candidates[:min(n, len(candidates))] {
		isChosen[c] = true
	}
	found.Runs = len(isChosen)
	for i, s := range b.Studies {
		var runs []sweeps.Run
		for j, run := range s.Plan.Runs { // in the plan's order, in which neighbours share work
			if isChosen[candidate{i, j}] {
				runs = append(runs, run)
			}
		}
		if len(runs) == 0 {
			continue
		}
		differences, err := b.rerunStudy(ctx, s, runs, options)
		if err != nil {
			return found, err
		}
		found.Differences = append(found.Differences, differences...)
	}
	return found, nil
}

// findTraces finds the traces of the bundle for the runs of a study: the files in the bundle, else
// those of this machine with the same checksums.
func (b *Bundle) findTraces(ctx context.Context, s *Study) {
	for _, reference := range b.content.inputs.traceFiles() {
		if file, isBundled := b.content.TraceFiles[reference]; isBundled {
			s.library.Use(reference, filepath.Join(b.dir, filepath.FromSlash(file)))
			continue
		}
		name, _ := traces.SplitReference(reference)
		// without the file, the runs are left out
		_, _ = s.library.Resolve(ctx, reference, "", []string{name})
	}
}

// canRun reports whether a run's traces are here and it needs no program. Programs that a bundle
// names are not executed.
func (s *Study) canRun(run sweeps.Run) bool {
	if i := s.Model.Program; i >= 0 && cluster.IsProgram(run.Point[i].Text()) {
		return false
	}
	if !s.Model.ReadsTraces {
		return true
	}
	for reference := range strings.SplitSeq(run.Point[s.Model.Parameter(model.TraceParameter)].Text(), ",") {
		if _, sum := traces.SplitReference(reference); sum != "" && s.library.Path(reference) == "" {
			return false
		}
	}
	return true
}

// rerunStudy executes runs of a study into another dataset and compares the rows.
func (b *Bundle) rerunStudy(
	ctx context.Context, s *Study, runs []sweeps.Run, options pipeline.Options,
) (differences []string, err error) {
	again := *s
	again.Dir = filepath.Join(b.dir, "rerun", s.Config.Name.Value)
	again.snapshot = nil
	again.Dataset, err = results.Open(again.Dir, s.Config.Name.Value, s.Model, s.selection.Tables...)
	if err != nil {
		return nil, err
	}
	summary, err := again.Run(ctx, runs, options)
	switch {
	case err != nil:
		return nil, err
	case summary.Interrupted:
		return nil, ctx.Err()
	}
	failed := map[string]bool{}
	for _, f := range summary.Failures {
		failed[f.ID] = true
		text, _, _ := strings.Cut(f.Error, "\n")
		differences = append(differences, fmt.Sprintf("%s: run %s (%s) failed: %s", s.Config.Name.Value, f.ID, f.Cell, text))
	}
	finished := slices.DeleteFunc(slices.Clone(runs), func(run sweeps.Run) bool { return failed[run.ID] })
	if len(finished) == 0 {
		return differences, nil
	}
	snapshot, err := again.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	changed, err := s.compareTo(ctx, snapshot, finished)
	return append(differences, changed...), err
}

// compareTo compares the rows of runs with the rows that they have in another snapshot.
func (s *Study) compareTo(
	ctx context.Context, again *results.Snapshot, runs []sweeps.Run,
) (differences []string, err error) {
	ids := pipeline.IDs(runs)
	for _, table := range s.Model.Tables {
		if table.Optional && !slices.Contains(s.selection.Tables, table.Name) {
			continue
		}
		before, err := s.snapshot.Read(ctx, table.Name, nil, ids)
		if err != nil {
			return nil, err
		}
		now, err := again.Read(ctx, table.Name, nil, ids)
		if err != nil {
			return nil, err
		}
		for _, run := range runs {
			if text := compareRows(before, now, run.ID); text != "" {
				differences = append(differences, fmt.Sprintf("%s: run %s, table %s: %s", s.Config.Name.Value, run.ID,
					table.Name, text))
			}
		}
	}
	return differences, nil
}

// compareRows says how the rows of a run differ; empty if they are equal.
func compareRows(before, now *results.Frame, id string) string {
	from, to := before.Rows(id)
	fromNow, toNow := now.Rows(id)
	if to-from != toNow-fromNow {
		return fmt.Sprintf("%s in the bundle, %d when run again", things(to-from, "row"), toNow-fromNow)
	}
	for _, column := range before.Columns() {
		other := now.Column(column.Name)
		for i := range to - from {
			if a, b := column.Value(from+i), other.Value(fromNow+i); a != b {
				return fmt.Sprintf("column %s, row %d: %s in the bundle, %s when run again", column.Name, i+1, a, b)
			}
		}
	}
	return ""
}
