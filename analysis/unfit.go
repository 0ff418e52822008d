package analysis

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs"
)

// unfit is an experiment of the study's own file to which inherited entries do not fit, since it takes the place of another.
type unfit struct {
	experiment configs.Text
	entries    []string
	first      string // what is wrong with the first of them
}

// reportOf reports a problem of an experiment and of a word in an entry that shows it. Where the entry is inherited and the
// experiment is the file's own, it is the experiment that does not fit, which is reported once.
func (c *checker) reportOf(
	e *configs.Experiment, q configs.Query, at configs.Text, entry, word, format string, args ...any,
) {
	name := e.Name
	if again := c.experiments[e.Again]; again != nil && name.Pos.File != c.study.File {
		name = again.Name
	}
	if q.Of.Pos.File == c.study.File || name.Pos.File != c.study.File {
		c.report(at, entry+word, format, args...)
		return
	}
	i := slices.IndexFunc(c.unfit, func(u unfit) bool { return u.experiment.Pos == name.Pos })
	if i < 0 {
		i = len(c.unfit)
		name.Value, _, _ = strings.Cut(name.Value, "/")
		c.unfit = append(c.unfit, unfit{experiment: name, first: at.Pos.String() + ": " + fmt.Sprintf(format, args...)})
	}
	if u := &c.unfit[i]; !slices.Contains(u.entries, entry) {
		u.entries = append(u.entries, entry)
	}
}

// mostUnfit is how many entries a message lists.
const mostUnfit = 10

// reportUnfit reports each experiment to which inherited entries do not fit.
func (c *checker) reportUnfit() {
	for _, u := range c.unfit {
		more := ""
		if n := len(u.entries); n > mostUnfit {
			u.entries, more = u.entries[:mostUnfit], fmt.Sprintf(" and %d more", n-mostUnfit)
		}
		c.report(u.experiment, configs.Key("experiments", u.experiment.Value), "takes the place of an inherited experiment, and "+
			"what shows it does not fit: %s%s (%s); write these in this file too, or name the experiment differently",
			strings.Join(u.entries, ", "), more, u.first)
	}
}
