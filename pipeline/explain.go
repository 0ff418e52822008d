// Why runs of a plan are missing: never run, run with other parameters or seed, or not measured.

package pipeline

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// Missing is a run that needs work, and why: it was never run, its cell was run with other values,
// or it was not measured.
type Missing struct {
	Run        sweeps.Run
	Experiment string
	Labels     []string // labels of the cell, in the order of the experiment's dimensions
	// id of the cell's latest run of this replication in the dataset; empty where it was never run
	Before     string
	Unmeasured bool     // it is in the dataset, but was to be measured and was run beside others
	Changes    []Change // changes from Before to this run, in the order of the columns
}

// Change is a column of the table runs with different values before and now, in canonical form.
type Change struct{ Column, Before, Now string }

// String returns one line, such as "5f0c… arrivals 1A,1E 0.5 replication 3: laxity 2 -> 3".
func (m Missing) String() string {
	labels := strings.Join(m.Labels, " ")
	line := fmt.Sprintf("%s %s %s replication %d: ", m.Run.ID, m.Experiment, labels, m.Run.Replication)
	switch {
	case m.Unmeasured:
		return line + "run, but not measured"
	case m.Before == "":
		return line + "never run"
	}
	texts := make([]string, len(m.Changes))
	for i, c := range m.Changes {
		texts[i] = fmt.Sprintf("%s %s -> %s", c.Column, c.Before, c.Now)
	}
	return line + strings.Join(texts, ", ")
}

// Explain returns the missing runs of a plan in their order. recordFile is Options.Record of the
// earlier calls of Run. A run in several cells is explained by the first cell that was run before,
// or by the first. The error is of reading the dataset or recordFile, or says that the dataset is
// of another version of the model.
func Explain(ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot, recordFile string) ([]Missing, error) {
	finished, unmeasured, err := finishedRuns(ctx, plan, snapshot)
	if err != nil {
		return nil, err
	}
	previous, err := readRecord(recordFile)
	if err != nil {
		return nil, err
	}
	missing := missingOf(plan, newRecord(plan, previous, finished), finished)
	before := map[string]bool{}
	for i, m := range missing {
		missing[i].Unmeasured = unmeasured[m.Run.ID]
		if m.Before != "" {
			before[m.Before] = true
		}
	}
	if len(before) == 0 {
		return missing, nil
	}
	rows, err := snapshot.Read(ctx, model.RunsTable, inputColumns(plan.Model), before)
	if err != nil {
		return nil, err
	}
	for i, m := range missing {
		if m.Before != "" {
			missing[i].Changes = changes(plan, m, rows)
		}
	}
	return missing, nil
}

// missingOf returns the missing runs with their cells and the cells' latest runs in the dataset.
func missingOf(plan *sweeps.Plan, now record, finished map[string]bool) []Missing {
	found := make([]*Missing, len(plan.Runs))
	for i, e := range plan.Experiments {
		for j, cell := range e.Cells {
			before := now.Experiments[i].Cells[j].Before
			for replication, run := range cell.Runs {
				m := found[run]
				if finished[plan.Runs[run].ID] || m != nil && m.Before != "" {
					continue
				}
				id := ""
				if replication < len(before) {
					id = before[replication]
				}
				if m == nil || id != "" {
					found[run] = &Missing{Run: plan.Runs[run], Experiment: e.Name, Labels: cell.Labels, Before: id}
				}
			}
		}
	}
	var missing []Missing
	for _, m := range found {
		if m != nil {
			missing = append(missing, *m)
		}
	}
	return missing
}

// inputColumns are the columns of the table runs that determine a run.
func inputColumns(m *model.Model) []string {
	columns := []string{results.SeedColumn, results.ReplicationColumn}
	for _, p := range m.Parameters {
		columns = append(columns, p.Name)
	}
	return columns
}

// changes compares a missing run with the one before, which is in rows.
func changes(plan *sweeps.Plan, m Missing, rows *results.Frame) []Change {
	row, end := rows.Rows(m.Before)
	if row == end {
		panic(fmt.Sprintf("pipeline: run %s is finished and has no row", m.Before))
	}
	now := []string{strconv.FormatInt(plan.Seed, 10), strconv.Itoa(m.Run.Replication)}
	for _, value := range m.Run.Point {
		now = append(now, value.String())
	}
	var changes []Change
	for i, name := range inputColumns(plan.Model) {
		if before := rows.Column(name).Value(row).String(); before != now[i] {
			changes = append(changes, Change{name, before, now[i]})
		}
	}
	return changes
}
