package study

// Levels that inherited experiments take and a replaced factor lacks.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/configs"
)

// shortage has the levels that inherited experiments take and that a factor of the study's own file
// lacks.
type shortage struct {
	factor             *Factor
	labels             []string
	experiments, lines []string
	file               string // file of the first of the experiments
}

// levelsHere returns the levels that an experiment takes of a factor. It leaves out inherited
// levels that the factor lacks because the study's own file has replaced it. These are kept for
// ReportShort: whether they matter depends on which experiments are planned.
func (b *binder) levelsHere(e *Experiment, f *Factor, crossed configs.Crossed) []configs.Text {
	var taken []configs.Text
	s := shortage{factor: f}
	for _, label := range crossed.Levels {
		if label.Pos.File == b.file.File || f.Broken || f.Pos.File != b.file.File || f.labels.has(label.Value) {
			taken = append(taken, label)
			continue
		}
		if s.labels == nil {
			s.file, s.experiments = label.Pos.File, []string{strconv.Quote(e.Whole)}
		}
		s.labels = withName(s.labels, strconv.Quote(label.Value))
		s.lines = withName(s.lines, strconv.Itoa(label.Pos.Line))
	}
	if s.labels != nil {
		e.short = append(e.short, s)
	}
	return taken
}

// mostNamed is how many names a message lists.
const mostNamed = 100

func withName(names []string, name string) []string {
	if len(names) == mostNamed {
		return append(names, "…")
	}
	if len(names) > mostNamed || slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// ReportShort reports each factor of the study's own file that lacks levels which the experiments
// inherit, with the experiments that take them.
func (s *Study) ReportShort(problems *configs.Problems, experiments []*Experiment) {
	var all []shortage
	for _, e := range experiments {
		for _, found := range e.short {
			i := slices.IndexFunc(all, func(s shortage) bool { return s.factor == found.factor })
			if i < 0 {
				all = append(all, found)
				continue
			}
			for _, label := range found.labels {
				all[i].labels = withName(all[i].labels, label)
			}
			for _, line := range found.lines {
				all[i].lines = withName(all[i].lines, line)
			}
			all[i].experiments = withName(all[i].experiments, found.experiments[0])
		}
	}
	for _, short := range all {
		s.File.Report(problems, short.factor.Pos, configs.Key("factors", short.factor.Name),
			"lacks levels that inherited experiments take: %s (%s; %s, %s %s); add them, write these experiments in this file "+
				"too, or choose others with --experiment", strings.Join(short.labels, ", "), strings.Join(short.experiments, ", "),
			short.file, english.PluralWord(len(short.lines), "line", ""), strings.Join(short.lines, ", "))
	}
}
