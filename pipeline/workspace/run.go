// Running of a plan into its dataset.

package workspace

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

// CheckTraces returns an error if a file that the runs read is no trace, so that each of these runs
// would fail, or else what CheckTraceContent returns.
func (s *Study) CheckTraces(ctx context.Context, runs []sweeps.Run) error {
	if !s.Model.ReadsTraces {
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
			if err := s.library.ReadFirst(ctx, reference); err != nil {
				return fmt.Errorf("%s: %s: %w", s.Name, model.TraceParameter, err)
			}
		}
	}
	return s.CheckTraceContent(ctx, runs)
}

// CheckTraceContent returns an error if runs must fail because of the content of their traces, see
// pipeline.Check. After a call, Workloads tells how many jobs the runs leave out.
func (s *Study) CheckTraceContent(ctx context.Context, runs []sweeps.Run) error {
	leftOut, err := pipeline.Check(ctx, s.Plan, runs, s.library.Log)
	s.leftOut = leftOut
	return err
}

// Clear removes the study's runs from its folder.
func (s *Study) Clear() error {
	s.snapshot = nil
	return s.Dataset.Clear()
}

// Run executes those of the runs that are missing, as pipeline.Run does. It sets the options for
// the record of the plan, the heartbeat, the traces, the programs, the provenance and the command
// that reruns a single run.
func (s *Study) Run(ctx context.Context, runs []sweeps.Run, options pipeline.Options) (pipeline.Summary, error) {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return pipeline.Summary{}, fmt.Errorf("run %s: %w", s.Name, err)
	}
	options.Record, options.Running = s.RecordFile(), s.Running()
	options.Trace = s.library.Log
	options.Program = s.programs.Open
	options.Provenance = s.provenance()
	options.Rerun = func(run sweeps.Run) string { return s.Command("run") + " --id " + run.ID }
	s.isOutdated = true
	summary, err := pipeline.Run(ctx, s.Plan, runs, snapshot, options)
	if err != nil {
		return summary, fmt.Errorf("run %s: %w", s.Name, err)
	}
	return summary, nil
}

// Digests are hashes of a dataset's rows; see results.Snapshot.Digest.
type Digests struct {
	Folder        string // of all runs of the dataset
	Plan          string // of those of the plan; empty where these are all or none
	Runs, Planned int    // their numbers
}

// Digests returns the digests of the dataset. The error is results.ErrEmpty where it has no run.
func (s *Study) Digests(ctx context.Context) (Digests, error) {
	snapshot, planned, err := s.committed(ctx)
	if err != nil {
		return Digests{}, err
	}
	d := Digests{Runs: len(snapshot.Finished()), Planned: len(planned)}
	if d.Folder, err = snapshot.Digest(ctx, nil); err != nil {
		return Digests{}, err
	}
	if 0 < d.Planned && d.Planned < d.Runs {
		d.Plan, err = snapshot.Digest(ctx, planned)
	}
	return d, err
}

// status returns the progress of the plan, over all processes that run it.
func (s *Study) status(ctx context.Context) (pipeline.Status, error) {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return pipeline.Status{}, fmt.Errorf("status of %s: %w", s.Name, err)
	}
	status, err := pipeline.StatusOf(ctx, s.Plan, snapshot, s.Running())
	if err != nil {
		return status, fmt.Errorf("status of %s: %w", s.Name, err)
	}
	return status, nil
}

// Statuses returns the progress of each study. While runs are missing or running it waits and reads
// the progress again, until the time limit and at least twice; with a limit of 0 it reads it once.
// Before it waits for the first time it calls onWait with the number of these runs and of all runs.
func Statuses(
	ctx context.Context, studies []*Study, limit time.Duration, onWait func(awaited, runs int),
) ([]pipeline.Status, error) {
	start := time.Now()
	for reads := 1; ; reads++ {
		statuses := make([]pipeline.Status, len(studies))
		awaited, runs := 0, 0
		for i, study := range studies {
			var err error
			if statuses[i], err = study.status(ctx); err != nil {
				return nil, err
			}
			awaited += statuses[i].Awaited()
			runs += statuses[i].Runs()
		}
		if awaited == 0 || limit == 0 || reads > 1 && time.Since(start) >= limit {
			return statuses, nil
		}
		if reads == 1 {
			onWait(awaited, runs)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(time.Second, limit)):
		}
	}
}

// provenance returns the provenance of rows and files that the program writes.
func (s *Study) provenance() results.Provenance {
	p := s.workspace.Program
	return results.Provenance{
		Version: p.Version, Commit: p.Commit, Dirty: p.Dirty, Command: p.Command,
		StudyFile: s.Config.File, StudyFileSHA256: sumOf(s.Config.Source), Seed: s.Plan.Seed, Machine: pipeline.Machine(),
	}
}
