// The size of plans, their missing runs and the list of their runs.

package workspace

import (
	"context"
	"slices"

	"gridsweep/analysis/sequential"
	"gridsweep/pipeline"
	"gridsweep/sweeps"
)

// Summary is the size of a plan and of a shard of it, and how much is missing. Its JSON always has
// all keys.
type Summary struct {
	Study    string `json:"study"`
	Checksum string `json:"plan_checksum"` // checksum of the whole plan
	Seed     int64  `json:"seed"`
	// values of the parameter trace in the whole plan, see sweeps.Plan.Traces
	Traces  []string `json:"traces"`
	Shard   *string  `json:"shard"`   // shard as i/n; null for the whole plan
	Runs    int      `json:"runs"`    // runs of the shard
	Missing int      `json:"missing"` // those of them that are not in the dataset
	// estimated time of the missing runs on all workers; null where unknown
	Seconds     *float64            `json:"seconds"`
	Experiments []ExperimentSummary `json:"experiments"` // experiments of the whole plan
	// Targets of --until with the replications that they will take.
	Targets []sequential.Forecast `json:"targets"`
}

// ExperimentSummary is the size of an experiment.
type ExperimentSummary struct {
	Name   string   `json:"name"`
	Varies []string `json:"varies"`
	Cells  int      `json:"cells"`
	Fewest int      `json:"fewest_rounds"` // fewest replications of a cell
	Most   int      `json:"rounds"`        // most replications of a cell
	Runs   int      `json:"runs"`
}

// ReplicationsInWords returns how many replications the cells have, such as "4 to 8".
func (x ExperimentSummary) ReplicationsInWords() string { return fromTo(x.Fewest, x.Most) }

// Summary returns the size of the plan, counts the runs of a shard and estimates how long that many
// workers take for the missing ones.
func (s *Study) Summary(ctx context.Context, shard sweeps.Shard, workers int) (Summary, error) {
	plan := s.Plan
	runs := plan.Shard(shard)
	summary := Summary{
		Study: plan.Study.Name, Checksum: plan.Checksum(), Seed: plan.Seed, Runs: len(runs),
		Traces: append([]string{}, plan.Traces()...), Experiments: []ExperimentSummary{}, Targets: s.Looks.Forecasts(),
	}
	if shard.Count > 0 {
		summary.Shard = new(shard.String())
	}
	for _, x := range plan.Experiments {
		summary.Experiments = append(summary.Experiments, ExperimentSummary{
			Name: x.Name, Varies: x.Bound.Varied(), Cells: len(x.Cells), Fewest: x.Fewest, Most: x.Most, Runs: x.Runs(),
		})
	}
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return summary, err
	}
	finished, err := pipeline.Finished(ctx, plan, snapshot)
	if err != nil {
		return summary, err
	}
	missing := slices.DeleteFunc(slices.Clone(runs), func(run sweeps.Run) bool { return finished[run.ID] })
	summary.Missing = len(missing)
	estimate, known, err := pipeline.Estimate(ctx, plan, missing, snapshot, workers)
	if err != nil {
		return summary, err
	}
	if known {
		summary.Seconds = new(estimate.Seconds())
	}
	return summary, s.Verify(ctx, plan.Runs) // the files that the estimate did not read
}

// RunRecord is a run of a plan with the cells that it belongs to.
type RunRecord struct {
	ID          string            `json:"id"`
	Replication int               `json:"round"`
	Measure     bool              `json:"measure"`
	Cells       []string          `json:"cells"` // names of cells, see sweeps.Plan.CellNames
	Parameters  map[string]string `json:"parameters"`
}

// Records lists the runs of a shard of the plan.
func (s *Study) Records(shard sweeps.Shard) []RunRecord {
	plan := s.Plan
	cells := plan.CellNames()
	index := make(map[string]int, len(plan.Runs))
	for i, run := range plan.Runs {
		index[run.ID] = i
	}
	runs := plan.Shard(shard)
	list := make([]RunRecord, len(runs))
	for i, run := range runs {
		list[i] = RunRecord{
			ID: run.ID, Replication: run.Replication, Measure: run.Measure, Cells: cells[index[run.ID]],
			Parameters: make(map[string]string, len(run.Point)),
		}
		for p, parameter := range s.Model.Parameters {
			list[i].Parameters[parameter.Name] = run.Point[p].String()
		}
	}
	return list
}

// Explain returns the missing runs of a shard of the plan, with the reasons, and the number of runs
// of the shard.
func (s *Study) Explain(ctx context.Context, shard sweeps.Shard) (missing []pipeline.Missing, runs int, err error) {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return nil, 0, err
	}
	if missing, err = pipeline.Explain(ctx, s.Plan, snapshot, s.RecordFile()); err != nil {
		return nil, 0, err
	}
	inShard := pipeline.IDs(s.Plan.Shard(shard))
	missing = slices.DeleteFunc(missing, func(m pipeline.Missing) bool { return !inShard[m.Run.ID] })
	return missing, len(inShard), nil
}
