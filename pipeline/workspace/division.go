// Division of missing runs into the tasks of a submission.

package workspace

import (
	"context"
	"slices"

	"gridsweep/pipeline"
	"gridsweep/sweeps"
)

// Division is the runs of studies cut into shards for a cluster, with their predicted work.
type Division struct {
	Studies    []*Study
	Submission *pipeline.Submission
	Work       [][]float64 // work of each run of each study; 0 for one that is left out
	Remaining  [][]float64 // likewise, and 0 for every run that is in the dataset
	IsSeconds  bool        // work is predicted in seconds, not in the models' own units
	Done       int         // runs that are in the datasets already
}

// Divide cuts the plans of the studies into about so many shards, none of them empty, and puts
// these into at most so many tasks. It checks the traces that the runs read. With onlyMissing it
// leaves out runs that the datasets have. It returns nil if no run is missing.
func (w *Workspace) Divide(
	ctx context.Context, studies []*Study, shards, tasks int, onlyMissing bool,
) (*Division, error) {
	program, err := w.Program.Identity()
	if err != nil {
		return nil, err
	}
	largest, all := 0, 0 // runs of the largest plan, and of all
	var plans []*sweeps.Plan
	d := &Division{Studies: studies, IsSeconds: true}
	for _, study := range studies {
		largest = max(largest, len(study.Plan.Runs))
		all += len(study.Plan.Runs)
		plans = append(plans, study.Plan)
		if err := d.add(ctx, study, onlyMissing); err != nil {
			return nil, err
		}
	}
	if d.Done == all {
		return nil, nil
	}
	d.Submission = pipeline.NewSubmission(program, plans, d.Work, min(shards, largest), tasks)
	return d, nil
}

// add adds the runs of a study. It verifies their data files and checks the traces of those to do.
func (d *Division) add(ctx context.Context, study *Study, onlyMissing bool) error {
	snapshot, err := study.Snapshot(ctx)
	if err != nil {
		return err
	}
	work, known, err := pipeline.Predict(ctx, study.Plan, snapshot)
	if err != nil {
		return err
	}
	finished, err := pipeline.Finished(ctx, study.Plan, snapshot)
	if err != nil {
		return err
	}
	if err := study.Verify(ctx, study.Plan.Runs); err != nil {
		return err
	}
	var wanted []sweeps.Run
	remaining := slices.Clone(work)
	for i, run := range study.Plan.Runs {
		if finished[run.ID] {
			d.Done++
			remaining[i] = 0
		}
		if onlyMissing && finished[run.ID] {
			work[i] = 0
			continue
		}
		const leastWork = 1e-9 // of a run that took no measurable time, which is not left out
		work[i] = max(work[i], leastWork)
		wanted = append(wanted, run)
	}
	if err := study.CheckTraces(ctx, wanted); err != nil {
		return err
	}
	d.Work, d.Remaining = append(d.Work, work), append(d.Remaining, remaining)
	d.IsSeconds = d.IsSeconds && known
	return nil
}

// Wanted returns the number of runs of a study to do in the shards [from, to), and their work.
func (d *Division) Wanted(study, from, to int) (runs int, work float64) {
	cuts := d.Submission.Studies[study].Cuts
	for _, w := range d.Work[study][cuts[from]:cuts[to]] {
		if work += w; w > 0 {
			runs++
		}
	}
	return runs, work
}

// TooLong returns the number of tasks that are predicted to take longer than a limit, with that
// many workers each, and the longest task with its seconds. The work of the division has to be in
// seconds.
func (d *Division) TooLong(seconds float64, workers int) (tasks, longest int, most float64) {
	for task := range d.Submission.Tasks {
		from, to := d.Submission.Task(task)
		needs := 0.0
		for i, study := range d.Submission.Studies {
			for _, work := range d.Remaining[i][study.Cuts[from]:study.Cuts[to]] {
				needs += work / float64(workers)
			}
		}
		if needs > seconds {
			tasks++
		}
		if needs > most {
			longest, most = task, needs
		}
	}
	return tasks, longest, most
}
