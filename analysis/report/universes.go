// Universes of large designs for the template of the page: how many published numbers agree in
// each, the nearest ones, and what these are worth on tables that did not choose them.

package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/statistics"
	"gridsweep/analysis/tabulate"
	"gridsweep/configs/language"
)

// fewUniverses is the most universes beside the default for which the sentence of rangeOver
// suffices.
const fewUniverses = 40

// universesView is the universes of an experiment with the published numbers that agree in each.
type universesView struct {
	Experiment  string
	Published   int // published numbers of all tables
	Lead        string
	Picture     figureView
	TableGroups []tableGroupView
	Levels      []universeLine // what each level changes
	Nearest     []universeLine
	All         []universeLine // all universes, nearest first
}

// tableGroupView is the tables that show one experiment.
type tableGroupView struct {
	Tables    string
	Published int    // published numbers
	Default   string // agreeing numbers by default
	Middle    string // agreeing numbers in the middle half of the universes
	Most      string
	// HeldOut is the share of numbers that agree if each table is judged in the universe that is
	// best on the group's other tables; empty for a single table.
	HeldOut string
	Best    string // name of a universe with the most
}

// universeLine is a universe or a level with numbers of all tables and of each group of them.
type universeLine struct {
	Name  string
	Cells []string
}

// tableGroup is the agreement of the tables that show one experiment, in each universe.
type tableGroup struct {
	experiment string // that the tables show
	names      []string
	tables     [][]analysis.UniverseAgreement
}

func newUniversesViews(
	ctx context.Context, result *analysis.Result, ids anchors, styles *draw.Styles,
) ([]universesView, error) {
	var views []universesView
	for _, sum := range agreementsOf(result.Tables) {
		if len(sum.Universes) <= fewUniverses+1 {
			continue
		}
		groups := tableGroupsOf(result.Tables, sum.Experiment)
		view := universesView{Experiment: sum.Experiment, Published: sum.Universes[0].Cells, Lead: leadOf(sum, groups)}
		columns := [][]analysis.UniverseAgreement{sum.Universes}
		for _, g := range groups {
			view.TableGroups, columns = append(view.TableGroups, g.view()), append(columns, g.total())
		}
		view.Levels = changesOf(result, columns)
		for _, u := range ranked(sum.Universes) {
			line := universeLine{Name: sum.Universes[u].Label}
			for _, column := range columns {
				line.Cells = append(line.Cells, strconv.Itoa(column[u].Inside))
			}
			view.All = append(view.All, line)
		}
		const most = 5
		view.Nearest = view.All[:most]
		figure := spreadOf(sum)
		var err error
		view.Picture, err = newFigureView(ctx, figure, draw.AppearancesOf([]analysis.Figure{figure}), "", ids, styles)
		if err != nil {
			return nil, err
		}
		views = append(views, view)
	}
	return views, nil
}

// leadOf tells how many published numbers agree in the middle half of the universes, and on tables
// that did not choose a universe, and how numbers are predicted. The first section has the range
// over all universes.
func leadOf(sum analysis.Agreements, groups []tableGroup) string {
	low, high := middle(sum.Universes)
	text := fmt.Sprintf("In the middle half of the %d universes of %s %d to %d of %d published numbers lie in our "+
		"prediction intervals.", len(sum.Universes), analysis.Quoted(sum.Experiment), low, high, sum.Universes[0].Cells)
	const wanted = 0.9
	count, reached := 0, 0
	for _, g := range groups {
		if len(g.tables) > 1 {
			count++
			if g.heldOut() >= wanted*float64(g.total()[0].Cells) {
				reached++
			}
		}
	}
	if count > 0 {
		text += fmt.Sprintf(" At least %.0f %% of the numbers of held-out tables agree for %d of %s.", 100*wanted, reached,
			english.Plural(count, "experiment", ""))
	}
	if sum.Replications == 1 {
		text += " Each universe has a single replication: its numbers are those of the study’s replications plus the " +
			"difference in the replication that both ran, with the study’s deviations."
	}
	return text
}

// tableGroupsOf returns the tables that an experiment repeats, by the experiment that they show.
func tableGroupsOf(tables []analysis.Table, experiment string) []tableGroup {
	var groups []tableGroup
	for _, t := range tables {
		for _, a := range t.Universes {
			if a.Experiment != experiment {
				continue
			}
			i := slices.IndexFunc(groups, func(g tableGroup) bool { return g.experiment == a.Repeats })
			if i < 0 {
				i = len(groups)
				groups = append(groups, tableGroup{experiment: a.Repeats})
			}
			groups[i].names = append(groups[i].names, t.Name)
			groups[i].tables = append(groups[i].tables, a.Universes)
		}
	}
	return groups
}

// total returns the agreement of all tables of the group.
func (g tableGroup) total() []analysis.UniverseAgreement { return g.without(-1) }

// without returns the agreement of all tables of the group but the one with the index left.
func (g tableGroup) without(left int) []analysis.UniverseAgreement {
	total := slices.Clone(g.tables[0])
	for u := range total {
		total[u].Cells, total[u].Inside = 0, 0
		for i, table := range g.tables {
			if i != left {
				total[u].Cells += table[u].Cells
				total[u].Inside += table[u].Inside
			}
		}
	}
	return total
}

func (g tableGroup) view() tableGroupView {
	total := g.total()
	best := total[ranked(total)[0]]
	low, high := middle(total)
	view := tableGroupView{
		Tables: strings.Join(g.names, ", "), Published: best.Cells, Middle: fmt.Sprintf("%d to %d", low, high),
		Most: insideOf(best), Best: best.Label,
	}
	for _, u := range total {
		if u.Alternatives() == 0 {
			view.Default = insideOf(u)
		}
	}
	if len(g.tables) > 1 {
		view.HeldOut = fmt.Sprintf("%.0f %%", 100*g.heldOut()/float64(max(best.Cells, 1)))
	}
	return view
}

// heldOut returns how many published numbers of each table agree in the universe in which most
// numbers of the group's other tables do, summed over the tables. Of several such universes it
// takes the mean.
func (g tableGroup) heldOut() float64 {
	sum := 0.0
	for left, table := range g.tables {
		others := g.without(left)
		most := others[ranked(others)[0]].Inside
		inside, equal := 0, 0
		for u := range others {
			if others[u].Inside == most {
				inside, equal = inside+table[u].Inside, equal+1
			}
		}
		sum += float64(inside) / float64(equal)
	}
	return sum
}

// changesOf returns, for each alternative that some universe has, by how many percentage points the
// mean share of agreeing numbers differs from that of the universes with the default instead, with
// the 95 % interval over universes. The first column is that of all tables.
func changesOf(result *analysis.Result, columns [][]analysis.UniverseAgreement) []universeLine {
	mean := func(column []analysis.UniverseAgreement, assumption, level int) statistics.Estimate {
		var shares []float64
		for _, u := range column {
			if u.Cells > 0 && u.Levels[assumption] == level {
				shares = append(shares, 100*float64(u.Inside)/float64(u.Cells))
			}
		}
		return statistics.Mean.Estimate(shares)
	}
	var lines []universeLine
	for a, assumption := range result.Assumptions {
		for level := 1; level < len(assumption.Levels); level++ {
			if mean(columns[0], a, level).N == 0 {
				continue
			}
			line := universeLine{Name: result.AlternativeName(a, level)}
			for _, column := range columns {
				with, without := mean(column, a, level), mean(column, a, 0)
				change := statistics.Point(with.Value - without.Value)
				half := math.Hypot(with.High-with.Low, without.High-without.Low) / 2
				change.Low, change.High = change.Value-half, change.Value+half
				line.Cells = append(line.Cells, tabulate.Estimate(change))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// ranked returns the indices of universes, those with the most agreeing numbers first, and of equal
// ones those with the fewest alternatives.
func ranked(universes []analysis.UniverseAgreement) []int {
	order := make([]int, len(universes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := universes[a], universes[b]
		return cmp.Or(cmp.Compare(y.Inside, x.Inside), cmp.Compare(x.Alternatives(), y.Alternatives()))
	})
	return order
}

// middle returns the first and third quartile of the number of agreeing numbers over universes.
func middle(universes []analysis.UniverseAgreement) (low, high int) {
	order := ranked(universes)
	return universes[order[len(order)*3/4]].Inside, universes[order[len(order)/4]].Inside
}

// insideOf returns how many of a universe's published numbers agree.
func insideOf(u analysis.UniverseAgreement) string {
	if u.Cells == 0 {
		return tabulate.Missing
	}
	return fmt.Sprintf("%d of %d, %.0f %%", u.Inside, u.Cells, 100*float64(u.Inside)/float64(u.Cells))
}

// spreadOf returns how many universes have which share of agreeing numbers.
func spreadOf(sum analysis.Agreements) analysis.Figure {
	const bins = 10
	counts := make([]int, bins)
	for _, u := range sum.Universes {
		if u.Cells > 0 {
			counts[min(bins-1, bins*u.Inside/u.Cells)]++
		}
	}
	figure := analysis.Figure{
		Name: "universes of " + sum.Experiment, Title: "Universes by the share of published numbers that agree",
		Kind: language.Bar, X: analysis.Axis{Name: "share of the published numbers that agree, in %"},
		Y: analysis.Axis{Name: "universes"}, Panels: []analysis.Panel{{}},
		Caption: "Numbers that agree lie in our 95 % prediction interval.",
	}
	var points []analysis.Point
	for i, count := range counts {
		label := fmt.Sprintf("%d to %d", 100*i/bins, 100*(i+1)/bins)
		figure.X.Labels = append(figure.X.Labels, label)
		points = append(points, analysis.Point{X: float64(i), Label: label, Y: statistics.Point(float64(count))})
	}
	figure.Panels[0].Series = []analysis.Series{{Label: "universes", Points: points}}
	return figure
}
