// Inheritance of fields and entries from the study that a study extends.

package configs

import (
	"slices"
	"strings"
)

// extend adds the fields and entries that the study inherits. An entry of the study replaces the
// base's entry of the same name as a whole; entries with new names come after those of the base. A
// claim also replaces the base's unjudged statement of its name, and a statement the base's claim.
func (s *Study) extend(base *Study, p *parser) {
	if s.Title.Value == "" && base.Title.Value != "" {
		// with the name of this study, since two pages must not have one heading
		s.Title = base.Title
		s.Title.Value += ": " + s.Name.Value
	}
	if s.Citation.Value == "" && (s.Paper.Value == "" || s.Paper.Value == base.Paper.Value) {
		s.Citation = base.Citation
	}
	if s.Model.Value == "" {
		s.Model = base.Model
	}
	if s.Seed.Value == "" {
		s.Seed = base.Seed
	}
	if s.Quick.isZero() {
		s.Quick = base.Quick
	}
	if s.Fit == nil {
		s.Fit = dropped(base.Fit, func(fitted Text) bool {
			return slices.ContainsFunc(s.removed["tables"], func(table Text) bool {
				return fitted.Value == table.Value || strings.HasPrefix(fitted.Value, table.Value+": ")
			})
		})
	}
	s.Unread.Factors = s.Unread.Factors || base.Unread.Factors
	s.Unread.Experiments = s.Unread.Experiments || base.Unread.Experiments
	s.Set = Replaced(base.Set, s.Set)
	s.Factors = Replaced(kept(s, p, "factors", base.Factors), s.Factors)
	s.Assumptions = Replaced(kept(s, p, "assumptions", base.Assumptions), s.Assumptions)
	s.Deviations = Replaced(kept(s, p, "deviations", base.Deviations), s.Deviations)
	s.Experiments = Replaced(kept(s, p, "experiments", base.Experiments), s.Experiments)
	s.Tables = Replaced(kept(s, p, "tables", base.Tables), s.Tables)
	s.Figures = Replaced(kept(s, p, "figures", base.Figures), s.Figures)
	claims := without(kept(s, p, "claims", base.Claims), s.Unjudged)
	unjudged := without(kept(s, p, "unjudged", base.Unjudged), s.Claims)
	s.Claims, s.Unjudged = Replaced(claims, s.Claims), Replaced(unjudged, s.Unjudged)
	for name, cells := range base.published {
		if _, own := s.published[name]; !own {
			s.published[name] = cells
		}
	}
}

func (q Quick) isZero() bool { return q.Set == nil && q.Levels == nil && q.Replications == 0 }

// identified is an entry of a list in which each has a name of its own.
type identified interface{ name() Text }

func (t Text) name() Text       { return t }
func (s Setting) name() Text    { return s.Name }
func (f Factor) name() Text     { return f.Name }
func (a Assumption) name() Text { return a.Name }
func (d Deviation) name() Text  { return d.Name }
func (e Experiment) name() Text { return e.Name }
func (t Table) name() Text      { return t.Name }
func (f Figure) name() Text     { return f.Name }
func (c Claim) name() Text      { return c.Name }
func (u Statement) name() Text  { return u.Name }
func (u TraceUse) name() Text   { return u.Paper }
func (e entry) name() Text      { return e.key }

// without returns the entries whose names are not among those of the others.
func without[T, U identified](entries []T, others []U) []T {
	taken := map[string]bool{}
	for _, o := range others {
		taken[o.name().Value] = true
	}
	return dropped(entries, func(entry T) bool { return taken[entry.name().Value] })
}

// Replaced returns the entries of base with those of over: an entry of over replaces the one of the
// same name, or is appended.
func Replaced[T identified](base, over []T) []T {
	entries := slices.Clone(base)
	index := map[string]int{}
	for i, entry := range entries {
		index[entry.name().Value] = i
	}
	for _, entry := range over {
		if i, found := index[entry.name().Value]; found {
			entries[i] = entry
		} else {
			index[entry.name().Value] = len(entries)
			entries = append(entries, entry)
		}
	}
	return entries
}
