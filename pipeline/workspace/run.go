package workspace

// Running of a plan into its dataset.

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gridsweep/model"
	"gridsweep/pipeline"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// CheckTraces returns an error where a file that the runs are to read is no trace: each of them
// would fail.
func (s *Study) CheckTraces(ctx context.Context, runs []sweeps.Run) error {
	if !s.Model.ReadsTraces() {
		return nil
	}
	looked := map[string]bool{}
	for _, run := range runs {
		text := run.Point[s.Model.Parameter(model.TraceParameter)].Text()
		if looked[text] {
			continue
		}
		looked[text] = true
		for reference := range strings.SplitSeq(text, ",") {
			if err := s.library.Look(ctx, reference); err != nil {
				return fmt.Errorf("%s: %s: %w", s.Name, model.TraceParameter, err)
			}
		}
	}
	return nil
}

// Clear removes the study's runs from its folder.
func (s *Study) Clear() error {
	s.snapshot = nil
	return s.Dataset.Clear()
}

// Run runs those of the runs that are not in the dataset, as pipeline.Run does. Of the options it
// sets where the plan, the signs of life and the traces lie, the provenance, and the command that
// runs one run again.
func (s *Study) Run(ctx context.Context, runs []sweeps.Run, options pipeline.Options) (pipeline.Summary, error) {
	taken, err := s.Snapshot(ctx)
	if err != nil {
		return pipeline.Summary{}, fmt.Errorf("run %s: %w", s.Name, err)
	}
	options.PlanFile, options.Running = s.PlanFile(), s.Running()
	options.Trace = s.library.Log
	options.Provenance = s.provenance()
	options.Rerun = func(run sweeps.Run) string { return s.Command("run") + " --id " + run.ID }
	s.isOutdated = true
	summary, err := pipeline.Run(ctx, s.Plan, runs, taken, options)
	if err != nil {
		return summary, fmt.Errorf("run %s: %w", s.Name, err)
	}
	return summary, nil
}

// Status returns how far the plan is now, whoever runs it.
func (s *Study) Status(ctx context.Context) (pipeline.Status, error) {
	taken, err := s.Snapshot(ctx)
	if err != nil {
		return pipeline.Status{}, fmt.Errorf("status of %s: %w", s.Name, err)
	}
	status, err := pipeline.StatusOf(ctx, s.Plan, taken, s.Running())
	if err != nil {
		return status, fmt.Errorf("status of %s: %w", s.Name, err)
	}
	return status, nil
}

// Statuses returns how far each study is. While runs are awaited it looks again for the given time,
// at least once where that is above 0, and calls waits with their number and that of all runs
// before it first waits.
func Statuses(
	ctx context.Context, studies []*Study, patience time.Duration, waits func(awaited, runs int),
) ([]pipeline.Status, error) {
	start := time.Now()
	for looks := 1; ; looks++ {
		statuses := make([]pipeline.Status, len(studies))
		awaited, runs := 0, 0
		for i, study := range studies {
			var err error
			if statuses[i], err = study.Status(ctx); err != nil {
				return nil, err
			}
			awaited += statuses[i].Awaited()
			runs += statuses[i].Runs()
		}
		if awaited == 0 || patience == 0 || looks > 1 && time.Since(start) >= patience {
			return statuses, nil
		}
		if looks == 1 {
			waits(awaited, runs)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(time.Second, patience)):
		}
	}
}

// provenance says how the rows come to be that the program writes.
func (s *Study) provenance() results.Provenance {
	p := s.workspace.Program
	return results.Provenance{
		Version: p.Version, Commit: p.Commit, Dirty: p.Dirty, Command: p.Command,
		StudyFile: s.Config.File, StudyFileSHA256: sumOf(s.Config.Source), Seed: s.Plan.Seed, Machine: pipeline.Machine(),
	}
}
