// Notes on numbers that have no value in some or all of the replications that were run.

package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/configs/language"
)

// gaps names the numbers that have a value in none or only some of the replications that were run,
// and those that are compared with 0. An undefined value is a result too, such as the makespan if
// nothing can be scheduled. Empty if every number has a value in each replication.
func (e *evaluation) gaps() []string {
	var none, some, ofZero []gap
	for _, s := range e.samples {
		found := gap{e.name(s), s.estimate.N, s.ran}
		switch {
		case s.ofZero:
			ofZero = append(ofZero, found)
		case s.ran == 0 || found.have >= s.ran: // not run, or complete
		case found.have == 0:
			none = append(none, found)
		default:
			some = append(some, found)
		}
	}
	var texts []string
	if len(none) > 0 {
		text := "no value in the only replication"
		if ran := none[0].ran; ran > 1 {
			text = "no value in any of " + english.Plural(ran, "replication", "")
		}
		texts = append(texts, text+gapNames(none))
	}
	if len(some) > 0 {
		text := fmt.Sprintf("value in %d of %s", some[0].have, english.Plural(some[0].ran, "replication", ""))
		texts = append(texts, text+gapNames(some))
	}
	if len(ofZero) > 0 {
		texts = append(texts, "undefined, since compared with 0"+gapNames(ofZero))
	}
	return texts
}

// gaps names the numbers of the figure that lack values, except those whose absence the picture
// shows: an empty cell of a heat map, and points before the beginning or after the end of a line.
func (d *drawing) gaps() []string {
	e := *d.ours
	e.samples = slices.DeleteFunc(slices.Clone(e.samples), func(s *sample) bool {
		return s.ran > 0 && (s.estimate.N == 0 || s.ofZero) && d.showsNone(s)
	})
	return e.gaps()
}

// showsNone reports whether the picture shows that a number has no value: in a heat map, or before
// the first point of a line or behind the last.
func (d *drawing) showsNone(s *sample) bool {
	if d.Kind != language.Line {
		return d.Kind == language.Heat
	}
	at, before, after := d.point(d.ours, s).X, false, false
	for _, p := range d.series(d.ours, s).Points {
		before, after = before || p.X < at, after || p.X > at
	}
	return before != after
}

// gap is the name of a number, the replications that have a value and those that were run.
type gap struct {
	name      string
	have, ran int
}

// mostNamed is the largest number of gaps that a note names.
const mostNamed = 4

// gapNames returns the names of gaps after a colon. A gap with other counts than the first has its
// own behind its name.
func gapNames(gaps []gap) string {
	var names []string
	for i, g := range gaps {
		if i == mostNamed {
			names = append(names, fmt.Sprintf("and %d more", len(gaps)-i))
			break
		}
		if g.have != gaps[0].have || g.ran != gaps[0].ran {
			g.name += fmt.Sprintf(" (%d of %d)", g.have, g.ran)
		}
		names = append(names, g.name)
	}
	return ": " + strings.Join(names, "; ")
}

// name returns the name of a number: its column, and its labels along the dimensions with several
// levels.
func (e *evaluation) name(s *sample) string {
	metric := len(e.dims) - 2 // the last dimension is stat
	words := []string{e.dims[metric].levels[s.at[metric]].Text}
	for d, dim := range e.dims {
		if len(dim.levels) > 1 && d != metric {
			words = append(words, LevelName(dim.name, dim.levels[s.at[d]].Text))
		}
	}
	return strings.Join(words, ", ")
}
