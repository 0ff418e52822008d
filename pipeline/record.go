// The record of a plan in plan.json.

package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"gridsweep/results"
	"gridsweep/sweeps"
)

// record is plan.json: the runs of each cell, and those that the cell had before, when a parameter
// or the seed was different.
type record struct {
	Plan    string `json:"plan"` // checksum, see sweeps.Plan.Checksum
	Study   string `json:"study"`
	Model   string `json:"model"`
	Version int    `json:"model_version"`
	Seed    int64  `json:"seed"`
	// the plan's in its order, then those of earlier plans
	Experiments []recordExperiment `json:"experiments"`
}

type recordExperiment struct {
	Name       string       `json:"name"`
	Dimensions []string     `json:"dimensions"`
	Cells      []recordCell `json:"cells"` // the plan's in its order, then those of earlier plans
}

// recordCell is a cell. Runs and Before have an id for each replication, empty where there is none.
type recordCell struct {
	Labels []string `json:"labels"`
	Runs   []string `json:"runs,omitempty"` // none for a cell of an earlier plan
	// earlier runs, where the dataset lacks the current one
	Before []string `json:"before,omitempty"`
}

// latest returns the cell's run in the dataset for each replication, empty where there is none, up
// to the last replication that has one.
func (c recordCell) latest(finished map[string]bool) []string {
	latest := make([]string, max(len(c.Runs), len(c.Before)))
	last := 0
	for _, ids := range [][]string{c.Before, c.Runs} {
		for replication, id := range ids {
			if finished[id] {
				latest[replication] = id
				last = max(last, replication+1)
			}
		}
	}
	return latest[:last]
}

// newRecord returns the record of a plan, with the cells of the previous record that have a run in
// the dataset.
func newRecord(plan *sweeps.Plan, previous record, finished map[string]bool) record {
	r := record{
		Plan: plan.Checksum(), Study: plan.Study.Name, Model: plan.Model.Name, Version: plan.Model.Version,
		Seed: plan.Seed,
	}
	earlier := map[string]recordExperiment{}
	for _, e := range previous.Experiments {
		earlier[e.key()] = e
	}
	for _, e := range plan.Experiments {
		current := recordExperiment{Name: e.Name}
		for _, c := range e.Bound.Crossed {
			current.Dimensions = append(current.Dimensions, c.Name)
		}
		current.fill(plan, e.Cells, earlier[current.key()], finished)
		delete(earlier, current.key())
		r.Experiments = append(r.Experiments, current)
	}
	for _, e := range previous.Experiments {
		if _, left := earlier[e.key()]; !left {
			continue
		}
		old := recordExperiment{Name: e.Name, Dimensions: e.Dimensions}
		old.fill(plan, nil, e, finished)
		if len(old.Cells) > 0 {
			r.Experiments = append(r.Experiments, old)
		}
	}
	return r
}

// key identifies an experiment with its dimensions, without which cells are not comparable.
func (e recordExperiment) key() string { return e.Name + "\x00" + strings.Join(e.Dimensions, "\x00") }

// fill adds the plan's cells, then those of the earlier record that have a run in the dataset.
func (e *recordExperiment) fill(
	plan *sweeps.Plan, cells []sweeps.Cell, earlier recordExperiment, finished map[string]bool,
) {
	key := func(labels []string) string { return strings.Join(labels, "\x00") }
	latest := map[string][]string{}
	for _, cell := range earlier.Cells {
		latest[key(cell.Labels)] = cell.latest(finished)
	}
	for _, cell := range cells {
		current := recordCell{Labels: cell.Labels, Runs: make([]string, len(cell.Runs))}
		before := latest[key(cell.Labels)]
		delete(latest, key(cell.Labels))
		for replication, run := range cell.Runs {
			id := plan.Runs[run].ID
			current.Runs[replication] = id
			if finished[id] && replication < len(before) {
				before[replication] = ""
			}
		}
		if strings.Join(before, "") != "" {
			current.Before = before
		}
		e.Cells = append(e.Cells, current)
	}
	for _, cell := range earlier.Cells {
		if before := latest[key(cell.Labels)]; len(before) > 0 {
			e.Cells = append(e.Cells, recordCell{Labels: cell.Labels, Before: before})
		}
	}
}

// readRecord reads plan.json. If the file does not exist, the record is empty.
func readRecord(path string) (record, error) {
	var r record
	text, err := results.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("read the record of earlier plans: %w", err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s is no record of a plan: %w: remove it, only the explanation of missing runs needs it",
			path, err)
	}
	return r, nil
}

// RecordPlan updates a file plan.json with the runs of a plan's cells; finished are those in the
// dataset. It does not write an equal record, so that a complete dataset may be read-only. The
// error is of reading or writing the file.
func RecordPlan(path string, plan *sweeps.Plan, finished map[string]bool) error {
	previous, err := readRecord(path)
	if err != nil {
		return err
	}
	current := newRecord(plan, previous, finished)
	if reflect.DeepEqual(current, previous) {
		return nil
	}
	return results.WriteFile(path, current.text())
}

// createRecord writes plan.json if it does not exist.
func createRecord(path string, plan *sweeps.Plan, finished map[string]bool) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := results.CreateFile(path, newRecord(plan, record{}, finished).text()); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func (r record) text() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // numbers and strings always marshal
	}
	return append(text, '\n')
}

// PlannedCell is a cell of the plans that a file plan.json records, with the ids of its runs that
// are in the dataset. The index of an id is not that of its replication.
type PlannedCell struct {
	Name string // such as "rate lambda=0.3 start=1A"
	Runs []string
}

// PlannedCells returns the cells that a file plan.json records and that have runs in the dataset,
// in its order. finished are the runs of the dataset. A cell has the runs of the last plan, or if
// none of these is in the dataset those of an earlier plan. There are none if the file does not
// exist.
func PlannedCells(path string, finished map[string]bool) ([]PlannedCell, error) {
	r, err := readRecord(path)
	if err != nil {
		return nil, err
	}
	var cells []PlannedCell
	for _, e := range r.Experiments {
		for _, cell := range e.Cells {
			if len(cell.Labels) != len(e.Dimensions) {
				return nil, fmt.Errorf("%s: a cell of experiment %s has %d labels for %d dimensions; remove the file and run "+
					"the study again", path, e.Name, len(cell.Labels), len(e.Dimensions))
			}
			planned := PlannedCell{Name: e.Name}
			for i, label := range cell.Labels {
				planned.Name += " " + e.Dimensions[i] + "=" + label
			}
			for _, ids := range [][]string{cell.Runs, cell.Before} {
				for _, id := range ids {
					if finished[id] {
						planned.Runs = append(planned.Runs, id)
					}
				}
				if planned.Runs != nil {
					cells = append(cells, planned)
					break
				}
			}
		}
	}
	return cells, nil
}
