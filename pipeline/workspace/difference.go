// Differences of two datasets: runs, rows, means of cells and verdicts on claims.

package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/model"
	"gridsweep/pipeline"
	"gridsweep/results"
)

// Compared is a dataset that is compared with another one.
type Compared struct {
	Path    string `json:"path"`
	Study   string `json:"study"`
	Model   string `json:"model"`
	Version int    `json:"model_version"`
	Runs    int    `json:"runs"`
}

// Difference is what differs between two datasets. The first of a pair is of A, the second of B.
type Difference struct {
	Datasets       [2]Compared      `json:"datasets"`
	Common         int              `json:"runs_in_both"`
	Runs           [2][]string      `json:"runs_only_in"`    // ids
	Tables         [2][]string      `json:"tables_only_in"`  // tables of rows that only one has
	Columns        [2][]string      `json:"columns_only_in"` // columns of the table runs, likewise
	Rows           []RowsDiffer     `json:"rows_differ"`     // differences of rows of runs in both
	CellsCompared  int              `json:"cells_compared"`
	Cells          [2][]string      `json:"cells_only_in"`
	Means          []MeansDiffer    `json:"means_differ"`
	ClaimsCompared int              `json:"claims_compared"`
	Claims         [2][]string      `json:"claims_only_in"`
	Verdicts       []VerdictsDiffer `json:"verdicts_differ"`
}

// RowsDiffer is a run whose rows in a table differ.
type RowsDiffer struct {
	Run   string `json:"run_id"`
	Table string `json:"table"`
}

// MeansDiffer is a column whose means in a cell differ beyond their 95 % confidence intervals,
// which have no number in common, or of which only one dataset has values.
type MeansDiffer struct {
	Cell   string  `json:"cell"`
	Column string  `json:"column"`
	Unit   string  `json:"unit"`
	Means  [2]Mean `json:"means"`
}

// Mean is a mean over replications with its interval.
type Mean struct{ statistics.Estimate }

// MarshalJSON returns the mean, its interval and the number of replications; what is undefined is
// null.
func (m Mean) MarshalJSON() ([]byte, error) {
	number := func(x float64) *float64 {
		if m.N == 0 || math.IsNaN(x) {
			return nil
		}
		return &x
	}
	return json.Marshal(struct {
		Value *float64 `json:"value"`
		Low   *float64 `json:"low"`
		High  *float64 `json:"high"`
		N     int      `json:"n"`
	}{number(m.Value), number(m.Low), number(m.High), m.N})
}

// VerdictsDiffer is a claim with another verdict.
type VerdictsDiffer struct {
	Claim    string    `json:"claim"`
	Verdicts [2]string `json:"verdicts"`
}

// OnlyIn is things that only one of two datasets has.
type OnlyIn struct {
	What  string // singular, such as run
	Names [2][]string
}

// OnlyIn lists what only one of the datasets has: runs, tables, columns, cells and claims.
func (d *Difference) OnlyIn() []OnlyIn {
	return []OnlyIn{{"run", d.Runs}, {"table", d.Tables}, {"column", d.Columns}, {"cell", d.Cells}, {"claim", d.Claims}}
}

// Equal reports whether nothing differs.
func (d *Difference) Equal() bool {
	for _, only := range d.OnlyIn() {
		if len(only.Names[0])+len(only.Names[1]) > 0 {
			return false
		}
	}
	return len(d.Rows)+len(d.Means)+len(d.Verdicts) == 0
}

// side is a dataset with what is compared of it.
type side struct {
	Compared
	snapshot *results.Snapshot
	finished map[string]bool
	cells    []pipeline.PlannedCell
	verdicts map[string]string // verdicts by claim; nil without claims.json
	claims   []string          // claims in the order of claims.json
}

// Diff compares two datasets, each the folder of a study or a bundle. Temporary is an empty folder
// for the files of bundles. Datasets may be of any versions of their models. Cells are those that
// plan.json records, verdicts those of claims.json. Note receives what could not be compared. The
// error names a dataset that cannot be read.
func Diff(ctx context.Context, paths [2]string, temporary string, note func(text string)) (*Difference, error) {
	folders, err := foldersOf(ctx, paths, temporary)
	if err != nil {
		return nil, err
	}
	var sides [2]*side
	for i, dir := range folders {
		if sides[i], err = openSide(ctx, paths[i], dir); err != nil {
			return nil, err
		}
	}
	a, b := sides[0], sides[1]
	if a.Model != b.Model {
		return nil, fmt.Errorf("%s is of the model %s and %s of the model %s: name two datasets of one model",
			a.Path, a.Model, b.Path, b.Model)
	}
	d := &Difference{Datasets: [2]Compared{a.Compared, b.Compared}}
	differ, err := d.compareRows(ctx, a, b)
	if err != nil {
		return nil, err
	}
	if err := d.compareCells(ctx, a, b, differ); err != nil {
		return nil, err
	}
	d.compareVerdicts(a, b)
	for _, s := range sides {
		if len(s.cells) == 0 {
			note(fmt.Sprintf("%s has no %s, so means of cells are not compared", s.Path, recordFile))
		}
		if s.verdicts == nil {
			note(fmt.Sprintf("%s has no %s, so verdicts are not compared; gridsweep analyze writes it", s.Path, claimsFile))
		}
	}
	return d, nil
}

// openSide reads which runs a dataset has, its cells and its verdicts. Path is its name in
// messages.
func openSide(ctx context.Context, path, dir string) (*side, error) {
	dataset, err := results.Existing(dir)
	if err != nil {
		return nil, err
	}
	s := &side{Compared: Compared{Path: path, Study: dataset.Study()}}
	s.Model, s.Version = dataset.Model()
	if s.snapshot, err = dataset.Snapshot(ctx, results.Rows|results.Digests); err != nil {
		return nil, err
	}
	s.finished = s.snapshot.Finished()
	s.Runs = len(s.finished)
	if s.cells, err = pipeline.PlannedCells(filepath.Join(dir, recordFile), s.finished); err != nil {
		return nil, err
	}
	return s, s.readVerdicts(filepath.Join(dir, claimsFile))
}

func (s *side) readVerdicts(path string) error {
	text, err := results.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var document struct {
		Claims []struct {
			Name string
			Ours struct{ Verdict string }
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("%s has no claims as gridsweep analyze writes them: %w", path, err)
	}
	s.verdicts = map[string]string{}
	for _, claim := range document.Claims {
		s.verdicts[claim.Name] = claim.Ours.Verdict
		s.claims = append(s.claims, claim.Name)
	}
	return nil
}

// compareRows compares runs and the rows of those that both datasets have. It returns the runs in
// both whose rows differ.
func (d *Difference) compareRows(ctx context.Context, a, b *side) (differ map[string]bool, err error) {
	d.Runs = onlyIn(slices.Sorted(maps.Keys(a.finished)), slices.Sorted(maps.Keys(b.finished)))
	tables := [2][]string{a.snapshot.Dataset().Tables(), b.snapshot.Dataset().Tables()}
	d.Tables = onlyIn(tables[0], tables[1])
	d.Columns = onlyIn(columnNames(a), columnNames(b))
	both := maps.Clone(a.finished)
	maps.DeleteFunc(both, func(id string, _ bool) bool { return !b.finished[id] })
	d.Common = len(both)
	differ = map[string]bool{}
	for _, table := range tables[0] {
		if len(both) == 0 || !slices.Contains(tables[1], table) {
			continue
		}
		var sums [2]map[string]string
		for i, s := range []*side{a, b} {
			if sums[i], err = s.snapshot.Sums(ctx, table, both); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Path, err)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(both)) {
			if sums[0][id] != sums[1][id] {
				d.Rows = append(d.Rows, RowsDiffer{id, table})
				differ[id] = true
			}
		}
	}
	return differ, nil
}

// columnNames returns the names of the columns of the table runs.
func columnNames(s *side) []string {
	var names []string
	for _, c := range s.snapshot.Dataset().Columns() {
		names = append(names, c.Name)
	}
	return names
}

// compareCells compares the means of cells in both datasets, of each column that both have. Cells
// of equal runs, of which none is in differ, have equal means.
func (d *Difference) compareCells(ctx context.Context, a, b *side, differ map[string]bool) error {
	if len(a.cells) == 0 || len(b.cells) == 0 {
		return nil
	}
	runsInB := map[string][]string{} // by cell
	for _, cell := range b.cells {
		runsInB[cell.Name] = cell.Runs
	}
	cellNames := func(cells []pipeline.PlannedCell) (names []string) {
		for _, cell := range cells {
			names = append(names, cell.Name)
		}
		return names
	}
	d.Cells = onlyIn(cellNames(a.cells), cellNames(b.cells))
	isEqual := func(cell pipeline.PlannedCell) bool {
		same := slices.Equal(slices.Sorted(slices.Values(cell.Runs)), slices.Sorted(slices.Values(runsInB[cell.Name])))
		return same && !slices.ContainsFunc(cell.Runs, func(id string) bool { return differ[id] })
	}
	var changed []pipeline.PlannedCell
	wanted := [2]map[string]bool{{}, {}}
	for _, cell := range a.cells {
		if runsInB[cell.Name] == nil {
			continue
		}
		d.CellsCompared++
		if isEqual(cell) {
			continue
		}
		changed = append(changed, cell)
		for i, ids := range [][]string{cell.Runs, runsInB[cell.Name]} {
			for _, id := range ids {
				wanted[i][id] = true
			}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	var frames [2]*results.Frame
	for i, s := range []*side{a, b} {
		var err error
		if frames[i], err = s.snapshot.Read(ctx, model.RunsTable, nil, wanted[i]); err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
	}
	for _, cell := range changed {
		d.compareMeans(cell.Name, [2][]string{cell.Runs, runsInB[cell.Name]}, frames)
	}
	return nil
}

// compareMeans compares the means of all columns but texts, seed and replication. runs are those of
// the cell in each dataset.
func (d *Difference) compareMeans(cell string, runs [2][]string, frames [2]*results.Frame) {
	for _, column := range frames[0].Columns() {
		other := frames[1].Column(column.Name)
		if other == nil || column.Name == results.SeedColumn || column.Name == results.ReplicationColumn ||
			column.Type == model.TypeString || other.Type == model.TypeString {
			continue
		}
		var means [2]statistics.Estimate
		for i, c := range []*results.Column{column, other} {
			means[i] = meanOf(frames[i], c, runs[i])
		}
		if differBeyond(means[0], means[1]) {
			d.Means = append(d.Means, MeansDiffer{cell, column.Name, column.Unit, [2]Mean{{means[0]}, {means[1]}}})
		}
	}
}

// meanOf returns the mean of a column over runs, with its interval. Undefined values do not count.
func meanOf(frame *results.Frame, column *results.Column, runs []string) statistics.Estimate {
	var values []float64
	for _, id := range runs {
		for i, end := frame.Rows(id); i < end; i++ {
			if x, ok := column.Number(i); ok {
				values = append(values, x)
			}
		}
	}
	return statistics.Mean.Estimate(values)
}

// differBeyond reports whether two means differ beyond their intervals. Without an interval, a mean
// is its own interval. A mean of no value differs from one of some.
func differBeyond(a, b statistics.Estimate) bool {
	if a.N == 0 || b.N == 0 {
		return a.N != b.N
	}
	ends := func(e statistics.Estimate) (low, high float64) {
		if !e.HasInterval() {
			return e.Value, e.Value
		}
		return e.Low, e.High
	}
	lowA, highA := ends(a)
	lowB, highB := ends(b)
	return highA < lowB || highB < lowA
}

// compareVerdicts compares the verdicts of the claims that both datasets have.
func (d *Difference) compareVerdicts(a, b *side) {
	if a.verdicts == nil || b.verdicts == nil {
		return
	}
	d.Claims = onlyIn(a.claims, b.claims)
	for _, claim := range a.claims {
		theirs, found := b.verdicts[claim]
		if !found {
			continue
		}
		d.ClaimsCompared++
		if ours := a.verdicts[claim]; ours != theirs {
			d.Verdicts = append(d.Verdicts, VerdictsDiffer{claim, [2]string{ours, theirs}})
		}
	}
}

// onlyIn returns the texts that only the first list has, and those that only the second has, in
// their order.
func onlyIn(a, b []string) [2][]string {
	var only [2][]string
	for i, lists := range [2][2][]string{{a, b}, {b, a}} {
		has := map[string]bool{}
		for _, text := range lists[1] {
			has[text] = true
		}
		only[i] = []string{}
		for _, text := range lists[0] {
			if !has[text] {
				only[i] = append(only[i], text)
			}
		}
	}
	return only
}
