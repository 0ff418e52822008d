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
		names, isKnown[entry.name().Value] = append(names, entry.name().Value), true
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
		isIt := func(name Text) bool { return name.is(removed) }
		var users []string
		for i, e := range s.Experiments {
			isCrossed := func(c Crossed) bool { return isIt(c.Factor) }
			isSelected := func(l Selection) bool { return isIt(l.Dimension) }
			if !s.inherits(e.Name) || !slices.ContainsFunc(e.Each, isIt) && !slices.ContainsFunc(e.Cross, isCrossed) &&
				!slices.ContainsFunc(e.Levels, isSelected) && !isIt(e.Under) {
				continue
			}
			users = append(users, e.Name.Value)
			e.Each, e.Cross = dropped(e.Each, isIt), dropped(e.Cross, isCrossed)
			e.Levels, e.Broken = dropped(e.Levels, isSelected), true
			s.Experiments[i] = e
		}
		s.Quick.Levels = dropped(s.Quick.Levels, func(l Selection) bool {
			return s.inherits(l.Dimension) && isIt(l.Dimension)
		})
		s.stillUsed(p, "factors", removed, "varied by inherited experiments", users)
	}
	for _, removed := range s.removed["experiments"] {
		isIt := func(name Text) bool {
			return s.inherits(name) && (name.is(removed) || strings.HasPrefix(name.Value, removed.Value+"/"))
		}
		var users []string
		use := func(name Text, isUse bool) bool {
			if isUse {
				users = append(users, name.Value)
			}
			return isUse
		}
		for i, e := range s.Experiments {
			if use(e.Name, slices.ContainsFunc(e.Repeat, isIt)) {
				e.Repeat, e.Broken = dropped(e.Repeat, isIt), true
				s.Experiments[i] = e
			}
		}
		for i, t := range s.Tables {
			if use(t.Name, slices.ContainsFunc(t.Blocks, func(b Block) bool { return isIt(b.Of) })) {
				// so that its published numbers are not checked
				s.Tables[i].Blocks = broken(t.Blocks)
			}
		}
		s.Figures = dropped(s.Figures, func(f Figure) bool { return use(f.Name, isIt(f.Of)) })
		s.Claims = dropped(s.Claims, func(c Claim) bool { return use(c.Name, isIt(c.Of)) })
		s.stillUsed(p, "experiments", removed, "repeated or shown by inherited entries", users)
	}
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
