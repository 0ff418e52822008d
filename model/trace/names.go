package trace

import "slices"

// NameList gives names numbers from 0 on, in the order of their first appearance. The zero list is
// empty.
type NameList struct {
	names  []string
	places map[string]int32
}

// Len returns how many names there are.
func (l *NameList) Len() int { return len(l.names) }

// Name returns the name of a number from 0 to Len()-1.
func (l *NameList) Name(place int32) string { return l.names[place] }

// Find returns the number of a name and whether the list has it.
func (l *NameList) Find(name string) (int32, bool) {
	place, found := l.places[name]
	return place, found
}

// All returns the names in the order of their numbers.
func (l *NameList) All() []string { return slices.Clone(l.names) }

// place returns the number of a name: the one it gets from add where it is not yet in the list. It
// is false where such a name has a control character.
func (l *NameList) place(name []byte) (int32, bool) {
	if place, found := l.places[string(name)]; found { // without a copy
		return place, true
	}
	return int32(len(l.names)), !control(name)
}

// add adds the name where place gave it a new number.
func (l *NameList) add(place int32, name []byte) {
	if int(place) != len(l.names) {
		return
	}
	if l.places == nil {
		l.places = map[string]int32{}
	}
	l.names = append(l.names, string(name))
	l.places[l.names[place]] = place
}

// control reports whether a text has a control character; a tab, which separates the texts of
// Names.Grid, is none.
func control(text []byte) bool {
	return slices.ContainsFunc(text, func(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f })
}

// Names are the texts of a trace in the Grid Workload Format; a Job has their numbers. A text of -1
// or none is the number -1 and in no list. In the Standard Workload Format users and so on are
// numbers of their own.
type Names struct {
	Users, Groups, Apps, Queues, Partitions, Sites NameList

	Grid NameList // fields 18 to 29 of a job, separated by tabs
}
