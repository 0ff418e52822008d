package configs

// Inheritance of fields and entries from the study that a study extends.

import "slices"

// extend adds the fields and entries that the study inherits. An entry of the study replaces the
// base's entry of the same name as a whole; entries with new names come after those of the base.
func (s *Study) extend(base *Study, p *parser) {
	base = s.kept(base, p)
	if s.Title.Value == "" && base.Title.Value != "" {
		s.Title = base.Title // with the name of this study, since two pages must not have one heading
		s.Title.Value += ": " + s.Name.Value
	}
	for _, word := range []struct{ own, base *Text }{
		{&s.Model, &base.Model}, {&s.Seed, &base.Seed},
	} {
		if word.own.Value == "" {
			*word.own = *word.base
		}
	}
	if s.Quick.isZero() {
		s.Quick = base.Quick
	}
	s.Unread.Factors = s.Unread.Factors || base.Unread.Factors
	s.Unread.Experiments = s.Unread.Experiments || base.Unread.Experiments
	s.Set = Replaced(base.Set, s.Set, func(s Setting) Text { return s.Name })
	s.Factors = Replaced(base.Factors, s.Factors, func(f Factor) Text { return f.Name })
	s.Assumptions = Replaced(base.Assumptions, s.Assumptions, func(a Assumption) Text { return a.Name })
	s.Experiments = Replaced(base.Experiments, s.Experiments, func(e Experiment) Text { return e.Name })
	s.Tables = Replaced(base.Tables, s.Tables, func(t Table) Text { return t.Name })
	s.Figures = Replaced(base.Figures, s.Figures, func(f Figure) Text { return f.Name })
	claim, statement := func(c Claim) Text { return c.Name }, func(u Statement) Text { return u.Name }
	claims := without(base.Claims, claim, s.Unjudged, statement)
	unjudged := without(base.Unjudged, statement, s.Claims, claim)
	s.Claims, s.Unjudged = Replaced(claims, s.Claims, claim), Replaced(unjudged, s.Unjudged, statement)
	for name, cells := range base.published {
		if _, own := s.published[name]; !own {
			s.published[name] = cells
		}
	}
}

func (q Quick) isZero() bool { return q.Set == nil && q.Levels == nil && q.Rounds == 0 }

// without returns the entries whose names are not among those of the others.
func without[T, U any](entries []T, name func(T) Text, others []U, other func(U) Text) []T {
	taken := map[string]bool{}
	for _, o := range others {
		taken[other(o).Value] = true
	}
	return slices.DeleteFunc(slices.Clone(entries), func(entry T) bool { return taken[name(entry).Value] })
}

// Replaced returns the entries of base with those of over: an entry of over replaces the one of the
// same name, or is appended.
func Replaced[T any](base, over []T, name func(T) Text) []T {
	entries := slices.Clone(base)
	index := map[string]int{}
	for i, entry := range entries {
		index[name(entry).Value] = i
	}
	for _, entry := range over {
		if i, found := index[name(entry).Value]; found {
			entries[i] = entry
		} else {
			index[name(entry).Value] = len(entries)
			entries = append(entries, entry)
		}
	}
	return entries
}
