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

// record is plan.json: which run stands in which cell, and which run stood there before, when a
// parameter, the seed or the model's version was another. Processes that run parts of a plan, which
// may be many on one folder, make it where there is none and leave it as it is where there is one.
type record struct {
	Plan        string             `json:"plan"` // digest
	Study       string             `json:"study"`
	Model       string             `json:"model"`
	Version     int                `json:"model_version"`
	Seed        int64              `json:"seed"`
	Experiments []recordExperiment `json:"experiments"` // the plan's in its order, then those of earlier plans
}

type recordExperiment struct {
	Name       string       `json:"name"`
	Dimensions []string     `json:"dimensions"`
	Cells      []recordCell `json:"cells"` // the plan's in its order, then those of earlier plans
}

// recordCell is a cell. The ids are by round; a round without one has the empty string.
type recordCell struct {
	Labels []string `json:"labels"`
	Runs   []string `json:"runs,omitempty"`   // none where the cell is of an earlier plan
	Before []string `json:"before,omitempty"` // what is in the dataset instead of a run that is not
}

// latest returns the cell's run of each round that is in the dataset, or nil where there is none.
func (c recordCell) latest(finished map[string]bool) []string {
	var latest []string
	for round := range max(len(c.Runs), len(c.Before)) {
		for _, ids := range [][]string{c.Runs, c.Before} {
			if round >= len(ids) || !finished[ids[round]] {
				continue
			}
			latest = append(latest, make([]string, round+1-len(latest))...)
			latest[round] = ids[round]
			break
		}
	}
	return latest
}

// newRecord returns the record of a plan, with what the previous record knows about what is in the
// dataset.
func newRecord(plan *sweeps.Plan, previous record, finished map[string]bool) record {
	r := record{
		Plan: plan.Digest(), Study: plan.Study.Name, Model: plan.Model.Name, Version: plan.Model.Version,
		Seed: plan.Seed,
	}
	earlier := map[string]recordExperiment{}
	for _, e := range previous.Experiments {
		earlier[e.key()] = e
	}
	for _, e := range plan.Experiments {
		now := recordExperiment{Name: e.Name}
		for _, d := range e.Dimensions {
			now.Dimensions = append(now.Dimensions, d.Name)
		}
		now.fill(plan, e.Cells, earlier[now.key()], finished)
		delete(earlier, now.key())
		r.Experiments = append(r.Experiments, now)
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

// key tells experiments apart: cells with other dimensions are not comparable.
func (e recordExperiment) key() string { return e.Name + "\x00" + strings.Join(e.Dimensions, "\x00") }

// fill adds the plan's cells and then those of the earlier record which have a run in the dataset.
func (e *recordExperiment) fill(
	plan *sweeps.Plan, cells []sweeps.Cell, earlier recordExperiment, finished map[string]bool,
) {
	key := func(labels []string) string { return strings.Join(labels, "\x00") }
	latest := map[string][]string{}
	for _, cell := range earlier.Cells {
		latest[key(cell.Labels)] = cell.latest(finished)
	}
	for _, cell := range cells {
		now := recordCell{Labels: cell.Labels, Runs: make([]string, len(cell.Runs))}
		before := latest[key(cell.Labels)]
		delete(latest, key(cell.Labels))
		for round, run := range cell.Runs {
			id := plan.Runs[run].ID
			now.Runs[round] = id
			if finished[id] && round < len(before) {
				before[round] = ""
			}
		}
		if strings.Join(before, "") != "" {
			now.Before = before
		}
		e.Cells = append(e.Cells, now)
	}
	for _, cell := range earlier.Cells {
		if before := latest[key(cell.Labels)]; before != nil {
			e.Cells = append(e.Cells, recordCell{Labels: cell.Labels, Before: before})
		}
	}
}

// readRecord reads plan.json; one that does not exist is empty.
func readRecord(path string) (record, error) {
	var r record
	text, err := results.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("read the plan of before: %w", err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s is no record of a plan: %w: remove it, only the explanation of missing runs needs it",
			path, err)
	}
	return r, nil
}

// writeRecord brings plan.json up to date. One that is stays untouched, so that a complete dataset
// may be read-only.
func writeRecord(path string, plan *sweeps.Plan, finished map[string]bool) error {
	previous, err := readRecord(path)
	if err != nil {
		return err
	}
	now := newRecord(plan, previous, finished)
	if reflect.DeepEqual(now, previous) {
		return nil
	}
	text, err := now.text()
	if err != nil {
		return err
	}
	return results.WriteFile(path, text)
}

// createRecord makes plan.json where there is none.
func createRecord(path string, plan *sweeps.Plan, finished map[string]bool) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	text, err := newRecord(plan, record{}, finished).text()
	if err != nil {
		return err
	}
	if err := results.CreateFile(path, text); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func (r record) text() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("record the plan: %w", err)
	}
	return append(text, '\n'), nil
}
