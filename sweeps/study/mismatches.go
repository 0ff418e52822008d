// Inherited entries that do not fit an experiment of the study's own file.

package study

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs"
)

// mismatch is an experiment of the study's own file that replaces an inherited one and to which
// inherited entries do not fit.
type mismatch struct {
	experiment configs.Text
	entries    []string
	first      string // the problem of the first of them
}

// reportOf reports a problem of an experiment and of an entry that shows it by a query. The key of
// the problem is that of the entry and then word, which may be empty. If the entry is inherited and
// the experiment is the file's own, the experiment does not fit, which is reported once.
func (b *binder) reportOf(
	e *Experiment, q configs.Query, at configs.Text, entry, word, format string, args ...any,
) {
	name := e.file.Name
	if e.Repeats != nil && name.Pos.File != b.file.File {
		name = e.Repeats.file.Name // of what an inherited experiment repeats
	}
	if q.Of.Pos.File == b.file.File || name.Pos.File != b.file.File {
		b.report(at, entry+word, format, args...)
		return
	}
	i := slices.IndexFunc(b.mismatches, func(m mismatch) bool { return m.experiment.Pos == name.Pos })
	if i < 0 {
		i = len(b.mismatches)
		name.Value, _, _ = strings.Cut(name.Value, "/")
		first := at.Pos.String() + ": " + fmt.Sprintf(format, args...)
		b.mismatches = append(b.mismatches, mismatch{experiment: name, first: first})
	}
	if m := &b.mismatches[i]; !slices.Contains(m.entries, entry) {
		m.entries = append(m.entries, entry)
	}
}

// mostMismatched is how many entries a message lists.
const mostMismatched = 10

// reportMismatches reports each experiment to which inherited entries do not fit.
func (b *binder) reportMismatches() {
	for _, m := range b.mismatches {
		more := ""
		if n := len(m.entries); n > mostMismatched {
			m.entries, more = m.entries[:mostMismatched], fmt.Sprintf(" and %d more", n-mostMismatched)
		}
		b.report(m.experiment, configs.Key("experiments", m.experiment.Value),
			"takes the place of an inherited experiment, and what shows it does not fit: %s%s (%s); write these in this file "+
				"too, or name the experiment differently", strings.Join(m.entries, ", "), more, m.first)
	}
}
