// Removal of inherited entries by null.

package configs

import (
	"fmt"
	"slices"
	"strings"
)

// kept returns the entries of the base in a section that the study does not remove. It reports
// entries to remove that do not exist.
func kept[T identified](s *Study, p *parser, section string, entries []T) []T {
	var names []string
	isKnown := map[string]bool{}
	for _, entry := range entries {
		name := entry.name().Value
		names = append(names, name)
		isKnown[name] = true
	}
	for _, removed := range s.removed[section] {
		switch key := below(section, removed.Value); {
		case len(names) == 0:
			p.wrongAt(removed.Pos, key, "null takes out an inherited entry, and none of %s is inherited", section)
		case !isKnown[removed.Value]:
			p.wrongAt(removed.Pos, key, "null takes out an inherited entry, and none has this name; %s",
				Suggest(removed.Value, names))
		}
	}
	return without(entries, s.removed[section])
}

// checkRemoved reports removed entries that inherited entries still use, at the null that removes
// them. The users are left out or marked broken, so that no other problem follows.
func (s *Study) checkRemoved(p *parser) {
	for _, removed := range s.removed["factors"] {
		s.stillUsed(p, "factors", removed, "varied by inherited experiments", s.dropFactor(removed))
	}
	for _, removed := range s.removed["experiments"] {
		s.stillUsed(p, "experiments", removed, "repeated or shown by inherited entries", s.dropExperiment(removed))
	}
}

// dropFactor takes a removed factor out of what is inherited, and returns the experiments that
// vary it, select its levels or are repeated under it.
func (s *Study) dropFactor(removed Text) (users []string) {
	isIt := removed.is
	isCrossed := func(c Crossed) bool { return isIt(c.Factor) }
	isSelected := func(l Selection) bool { return isIt(l.Dimension) }
	for i, e := range s.Experiments {
		if s.inherits(e.Name) && (slices.ContainsFunc(e.Each, isIt) || slices.ContainsFunc(e.Cross, isCrossed) ||
			slices.ContainsFunc(e.Levels, isSelected) || isIt(e.Under)) {
			users = append(users, e.Name.Value)
			e.Each, e.Cross = dropped(e.Each, isIt), dropped(e.Cross, isCrossed)
			e.Levels, e.Broken = dropped(e.Levels, isSelected), true
			s.Experiments[i] = e
		}
	}
	s.Quick.Levels = dropped(s.Quick.Levels, func(l Selection) bool { return s.inherits(l.Dimension) && isSelected(l) })
	return users
}

// dropExperiment takes a removed experiment out of what is inherited, and returns the entries that
// use it.
func (s *Study) dropExperiment(removed Text) (users []string) {
	isIt := func(name Text) bool {
		return s.inherits(name) && (name.is(removed) || strings.HasPrefix(name.Value, removed.Value+"/"))
	}
	addIf := func(isUser bool, name Text) bool {
		if isUser {
			users = append(users, name.Value)
		}
		return isUser
	}
	for i, e := range s.Experiments {
		if addIf(slices.ContainsFunc(e.Repeat, isIt), e.Name) {
			e.Repeat, e.Broken = dropped(e.Repeat, isIt), true
			s.Experiments[i] = e
		}
	}
	for i, t := range s.Tables {
		if addIf(slices.ContainsFunc(t.Blocks, func(b Block) bool { return isIt(b.Of) }), t.Name) {
			s.Tables[i].Blocks = broken(t.Blocks) // so that its published numbers are not checked
		}
	}
	s.Figures = dropped(s.Figures, func(f Figure) bool { return addIf(isIt(f.Of), f.Name) })
	s.Claims = dropped(s.Claims, func(c Claim) bool { return addIf(isIt(c.Of), c.Name) })
	return users
}

// broken returns the blocks marked as broken, since their experiment is unknown.
func broken(blocks []Block) []Block {
	blocks = slices.Clone(blocks)
	for i := range blocks {
		blocks[i].Of, blocks[i].Broken = Text{}, true
	}
	return blocks
}

// dropped returns a new list without the entries that are out.
func dropped[T any](list []T, isOut func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), isOut)
}

// inherits reports whether a text is from a file that the study extends.
func (s *Study) inherits(word Text) bool { return word.Pos.File != s.File }

// mostUsers is the maximum number of entries that a message names.
const mostUsers = 5

// stillUsed reports a removed entry that others use.
func (s *Study) stillUsed(p *parser, section string, removed Text, how string, users []string) {
	if len(users) == 0 {
		return
	}
	more := ""
	if n := len(users) - mostUsers; n > 0 {
		users, more = users[:mostUsers], fmt.Sprintf(" and %d more", n)
	}
	for i, user := range users {
		users[i] = Shortened(user)
	}
	p.wrongAt(removed.Pos, below(section, removed.Value), "is %s: %s%s; take these out too, or replace them", how,
		strings.Join(users, ", "), more)
}
