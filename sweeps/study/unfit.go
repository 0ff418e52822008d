// Inherited entries that do not fit an experiment of the study's own file.

package study

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs"
)

// unfit is an experiment of the study's own file that replaces an inherited one and to which
// inherited entries do not fit.
type unfit struct {
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
	i := slices.IndexFunc(b.unfit, func(u unfit) bool { return u.experiment.Pos == name.Pos })
	if i < 0 {
		i = len(b.unfit)
		name.Value, _, _ = strings.Cut(name.Value, "/")
		b.unfit = append(b.unfit, unfit{experiment: name, first: at.Pos.String() + ": " + fmt.Sprintf(format, args...)})
	}
	if u := &b.unfit[i]; !slices.Contains(u.entries, entry) {
		u.entries = append(u.entries, entry)
	}
}

// mostUnfit is how many entries a message lists.
const mostUnfit = 10

// reportUnfit reports each experiment to which inherited entries do not fit.
func (b *binder) reportUnfit() {
	for _, u := range b.unfit {
		more := ""
		if n := len(u.entries); n > mostUnfit {
			u.entries, more = u.entries[:mostUnfit], fmt.Sprintf(" and %d more", n-mostUnfit)
		}
		b.report(u.experiment, configs.Key("experiments", u.experiment.Value),
			"takes the place of an inherited experiment, and "+
				"what shows it does not fit: %s%s (%s); write these in this file too, or name the experiment differently",
			strings.Join(u.entries, ", "), more, u.first)
	}
}
