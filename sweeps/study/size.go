// The limit of a study's size after each, repeat and blocks are written out.

package study

import (
	"strings"

	"gridsweep/configs"
)

// mostWritten bounds the words of a study, which are keys and values, after each, repeat and blocks
// are written out.
const mostWritten = 200_000

// checkSize reports a study that would expand beyond mostWritten, before it is written out, and
// returns false for it.
func (b *binder) checkSize() bool {
	s := b.file
	written := 0
	exceeds := func(words int, at configs.Text, key string) bool {
		written += words
		if written <= mostWritten {
			return false
		}
		b.report(at, key, "the study has more than %d keys and values up to here, with all that each, repeat, blocks and "+
			"claims of parts stand for; make several studies of it", mostWritten)
		return true
	}
	levels, parts := map[string]int{}, map[string]int{}
	for _, f := range s.Factors {
		levels[f.Name.Value] = len(f.Levels)
	}
	for _, e := range s.Experiments {
		parts[e.Name.Value] = len(e.Each)
	}
	for e := range writtenOut(s) {
		words := 1 + len(e.Set)
		for _, c := range e.Cross {
			words += 1 + max(len(c.Levels), levels[c.Factor.Value])
		}
		whole, _, _ := strings.Cut(e.Name.Value, "/")
		if exceeds(words, e.Name, configs.Key("experiments", whole)) {
			return false
		}
	}
	for _, t := range s.Tables {
		for _, block := range t.Blocks {
			if exceeds(size(block.Query)+len(block.Rows), t.Name, configs.Key("tables", t.Name.Value)) {
				return false
			}
		}
	}
	for _, c := range s.Claims {
		words := size(c.Query)
		for _, group := range c.Order {
			words += len(group)
		}
		if exceeds(words*max(parts[c.Of.Value], 1), c.Name, configs.Key("claims", c.Name.Value)) {
			return false
		}
	}
	return true
}

// size returns how many words a query has.
func size(q configs.Query) int {
	words := 1 + len(q.Show) + len(q.Over) + len(q.Stat)
	for _, s := range q.Where {
		words += 1 + len(s.Labels)
	}
	return words
}
