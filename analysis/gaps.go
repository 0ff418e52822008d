package analysis

// Notes on numbers that have no value in some or all of the rounds that were run.

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs/language"
)

// gaps says which numbers of the grid have a value in none, or in some only, of the rounds that
// were run: what a round does not define, as the makespan where nothing can be scheduled, is a
// result too. Empty where every number has all its rounds.
func (g *evaluation) gaps() []string {
	var none, some []gap
	for _, s := range g.samples {
		found := gap{g.name(s), s.estimate.N, s.ran}
		switch {
		case s.ran == 0 || found.have >= s.ran: // not run, or nothing lacks
		case found.have == 0:
			none = append(none, found)
		default:
			some = append(some, found)
		}
	}
	var texts []string
	if len(none) > 0 {
		texts = append(texts, inRounds(none, func(of int) string { return "no value in any of " + rounds(of) }))
	}
	if len(some) > 0 {
		texts = append(texts, inRounds(some, func(of int) string {
			return fmt.Sprintf("value in %d of %s", some[0].have, rounds(of))
		}))
	}
	return texts
}

// gaps describes the numbers of the figure that lack values. It leaves out those that the picture
// shows: an empty cell of a heat map, and a line that begins after others or ends before them.
func (d *drawing) gaps() []string {
	g := *d.layout.evaluation
	g.samples = slices.DeleteFunc(slices.Clone(g.samples), func(s *sample) bool {
		return s.ran > 0 && s.estimate.N == 0 && d.showsNone(s)
	})
	return g.gaps()
}

// showsNone reports whether a reader sees that a number has no value.
func (d *drawing) showsNone(s *sample) bool {
	if d.Kind != language.Line {
		return d.Kind == language.Heat
	}
	at, before, after := d.point(d.layout, s).X, false, false
	for _, p := range d.series(d.layout, s).Points {
		before, after = before || p.X < at, after || p.X > at
	}
	return before != after
}

// gap is a number by its name with the rounds that have it and those that were run.
type gap struct {
	name     string
	have, of int
}

// mostNamed is how many numbers a note names.
const mostNamed = 4

// inRounds names numbers after what is said of them; those that lack other rounds than the first
// with what they have.
func inRounds(gaps []gap, said func(of int) string) string {
	var names []string
	for i, g := range gaps {
		if i == mostNamed {
			names = append(names, fmt.Sprintf("and %d more", len(gaps)-i))
			break
		}
		if g.have != gaps[0].have || g.of != gaps[0].of {
			g.name += fmt.Sprintf(" (%d of %d)", g.have, g.of)
		}
		names = append(names, g.name)
	}
	return said(gaps[0].of) + ": " + strings.Join(names, "; ")
}

func rounds(n int) string {
	if n == 1 {
		return "1 replication"
	}
	return fmt.Sprintf("%d replications", n)
}

// name names a number by its column and its labels along the dimensions in which the grid has
// several.
func (g *evaluation) name(s *sample) string {
	metric := len(g.dims) - 2
	words := []string{g.dims[metric].levels[s.at[metric]].Text}
	for d, dim := range g.dims {
		if len(dim.levels) > 1 && d != metric {
			words = append(words, LevelName(dim.name, dim.levels[s.at[d]].Text))
		}
	}
	return strings.Join(words, ", ")
}
