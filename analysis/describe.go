package analysis

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs"
)

// describe says in words what is tested of the parts of a claim.
func describe(parts []configs.Claim) string {
	c := parts[0]
	var along []string
	for _, part := range parts {
		along = append(along, part.Along.Value)
	}
	c.Along.Value = list(unique(along), "and")
	text := subject(c.Query) + " " + assertion(c)
	var always, most []string // of all parts, each once
	for _, part := range parts {
		always, most = append(always, words(part.For)...), append(most, words(part.Most)...)
	}
	if len(always) > 0 {
		text += ", at every level of " + list(unique(always), "and")
	}
	if len(most) > 0 {
		text += ", at more than half of the levels of " + list(unique(most), "and")
		if len(parts) > 1 {
			text += " taken together"
		}
		if !isClosed(c) {
			text += " at which anything differs"
		}
	}
	return text
}

// subject names the numbers of a query.
func subject(q configs.Query) string {
	text := list(words(q.Show), "and")
	if len(q.Stat) > 0 {
		text = list(words(q.Stat), "and") + " of " + text
	} else {
		text = "mean " + text
	}
	var where, against []string
	for _, w := range q.Where {
		where = append(where, w.Dimension.Value+" "+list(words(w.Labels), "or"))
	}
	for _, a := range q.Against {
		against = append(against, a.Dimension.Value+" "+a.Labels[0].Value)
	}
	if q.Worst {
		against = []string{"the worst"}
	}
	if len(where) > 0 {
		text += " (" + strings.Join(where, ", ") + ")"
	}
	if len(against) > 0 {
		how := map[string]string{asPercent: "in percent of", asRatio: "in proportion to", asImprovement: "improved against"}[q.As.Value]
		if how == "" {
			how = "less that of"
		}
		text += " " + how + " " + strings.Join(against, ", ")
	}
	if len(q.Over) > 0 {
		text += ", averaged over " + list(words(q.Over), "and") + ","
	}
	return text
}

// assertion says what is claimed of the subject.
func assertion(c configs.Claim) string {
	switch {
	case len(c.Order) > 0:
		var groups []string
		for _, group := range c.Order {
			groups = append(groups, strings.Join(words(group), ", "))
		}
		return fmt.Sprintf("rises along %s in the order %s, each with each of the next group", c.Along.Value,
			strings.Join(groups, " < "))
	case c.Trend.Value == "peaks":
		return fmt.Sprintf("is larger at a level of %s between the ends than at both ends", c.Along.Value)
	case c.Trend.Value != "":
		return fmt.Sprintf("%s from the first to the last level of %s", c.Trend.Value, c.Along.Value)
	case c.Above != nil:
		return "is above " + number(*c.Above)
	case c.Below != nil:
		return "is below " + number(*c.Below)
	case c.Near != nil:
		return fmt.Sprintf("is within %s of %s", number(c.Within), number(*c.Near))
	default:
		return fmt.Sprintf("differs by at most %s along %s", number(*c.Spread), c.Along.Value)
	}
}

func unique(words []string) []string {
	var once []string
	for _, word := range words {
		if !slices.Contains(once, word) {
			once = append(once, word)
		}
	}
	return once
}

// list joins words as in a sentence.
func list(words []string, and string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}
