// Levels that inherited experiments take and a replaced factor lacks.

package study

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

// lacks reports whether an inherited experiment takes a level that the factor lacks because the
// study's own file has replaced it.
func (s *Study) lacks(f *Factor, label configs.Text) bool {
	own := s.File.File
	return label.Pos.File != own && f.Pos.File == own && !f.Broken && !f.overridden && !f.labels.has(label.Value)
}

// mostNamed is how many names a message lists.
const mostNamed = 100

// withName appends a new name, and an ellipsis in place of those beyond mostNamed.
func withName(names []string, name string) []string {
	if len(names) == mostNamed {
		return append(names, "…")
	}
	if len(names) > mostNamed || slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// ReportMissingLevels reports each factor of the study's own file that lacks levels which the
// experiments inherit, with the experiments that take them.
func (s *Study) ReportMissingLevels(problems *configs.Problems, experiments []*Experiment) {
	var all []shortage
	for _, e := range experiments {
		for k, f := range e.Crossed {
			for _, label := range e.file.Cross[k].Levels {
				if !s.lacks(f.Factor, label) {
					continue
				}
				i := slices.IndexFunc(all, func(s shortage) bool { return s.factor == f.Factor })
				if i < 0 {
					i = len(all)
					all = append(all, shortage{factor: f.Factor, file: label.Pos.File})
				}
				all[i].labels = withName(all[i].labels, strconv.Quote(label.Value))
				all[i].experiments = withName(all[i].experiments, strconv.Quote(e.Whole))
				all[i].lines = withName(all[i].lines, strconv.Itoa(label.Pos.Line))
			}
		}
	}
	for _, short := range all {
		s.File.Report(problems, short.factor.Pos, configs.Key("factors", short.factor.Name),
			"lacks levels that inherited experiments take: %s (%s; %s, %s %s); add them, write these experiments in this file "+
				"too, or choose others with --experiment", strings.Join(short.labels, ", "), strings.Join(short.experiments, ", "),
			short.file, english.PluralWord(len(short.lines), "line", ""), strings.Join(short.lines, ", "))
	}
}
