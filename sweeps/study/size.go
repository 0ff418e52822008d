package study

// The limit of a study's size after each, repeat and blocks are written out.

import "gridsweep/configs"

// mostWritten bounds the words of a study after each, repeat and blocks are written out.
const mostWritten = 200_000

// checkSize reports a study that would expand beyond mostWritten, before it is written out.
func (b *binder) checkSize() bool {
	s := b.file
	written := 0
	isTooMuch := func(words int, at configs.Text, key string) bool {
		if written += words; written <= mostWritten {
			return false
		}
		b.report(at, key, "the study has more than %d words up to here, with all that each, repeat, blocks and "+
			"claims of parts stand for; make several studies of it", mostWritten)
		return true
	}
	known, levels, parts := partsOf(s), map[string]int{}, map[string]int{}
	for _, f := range s.Factors {
		levels[f.Name.Value] = len(f.Levels)
	}
	crossed := func(c configs.Crossed) int { return 1 + max(len(c.Levels), levels[c.Factor.Value]) }
	for _, e := range s.Experiments {
		key, shared := configs.Key("experiments", e.Name.Value), 1+len(e.Set)
		for _, c := range e.Cross {
			shared += crossed(c)
		}
		for _, l := range e.Levels {
			shared += len(l.Labels)
		}
		for _, name := range e.Each {
			if isTooMuch(shared+crossed(configs.Crossed{Factor: name}), e.Name, key) {
				return false
			}
		}
		parts[e.Name.Value] = len(e.Each)
		if len(e.Each) == 0 && len(e.Repeat) == 0 && isTooMuch(shared, e.Name, key) {
			return false
		}
		for _, p := range known.repeatedBy(e) {
			base, words := s.Experiments[p.experiment], shared+crossed(configs.Crossed{Factor: e.Under})
			for _, c := range partOf(base, p.each).Cross {
				words += crossed(c)
			}
			if isTooMuch(words+len(base.Set), e.Name, key) {
				return false
			}
		}
	}
	for _, t := range s.Tables {
		for _, block := range t.Blocks {
			if isTooMuch(size(block.Query)+len(block.Rows), t.Name, configs.Key("tables", t.Name.Value)) {
				return false
			}
		}
	}
	for _, c := range s.Claims {
		words := size(c.Query)
		for _, group := range c.Order {
			words += len(group)
		}
		if isTooMuch(words*max(parts[c.Of.Value], 1), c.Name, configs.Key("claims", c.Name.Value)) {
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
