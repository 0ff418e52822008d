// Names: the texts of a trace, such as users and sites, by their indices.

package trace

import "slices"

// NameList gives names indices from 0 on, in the order of their first appearance. The zero list is
// empty.
type NameList struct {
	names   []string
	indices map[string]int32
}

// Name returns the name of an index that the list has given.
func (l *NameList) Name(index int32) string { return l.names[index] }

// Find returns the index of a name and whether the list has it.
func (l *NameList) Find(name string) (int32, bool) {
	index, found := l.indices[name]
	return index, found
}

// All returns the names in the order of their indices.
func (l *NameList) All() []string { return slices.Clone(l.names) }

// index returns the index of a name; of one that is not yet in the list, the index that add gives
// it. It is false where such a name has a control character.
func (l *NameList) index(name []byte) (int32, bool) {
	if index, found := l.indices[string(name)]; found { // without a copy
		return index, true
	}
	return int32(len(l.names)), !slices.ContainsFunc(name, control)
}

// add adds the name if index gave it a new index.
func (l *NameList) add(index int32, name []byte) {
	if int(index) != len(l.names) {
		return
	}
	if l.indices == nil {
		l.indices = map[string]int32{}
	}
	l.names = append(l.names, string(name))
	l.indices[l.names[index]] = index
}

// control reports whether a character is a control character; a tab, which separates the texts of
// Names.Rest, is none.
func control(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }

// Names are the texts of a trace in the Grid Workload Format; a Job has their indices. A text of -1
// or none has the index -1 and is in no list. In the Standard Workload Format users and so on are
// numbers.
type Names struct {
	Users, Groups, Apps, Queues, Partitions, Sites NameList

	Rest NameList // fields 18 to 29 of a job, separated by tabs
}

// lists returns the lists of the texts of Job.texts, in its order.
func (n *Names) lists() [6]*NameList {
	return [...]*NameList{&n.Users, &n.Groups, &n.Apps, &n.Queues, &n.Partitions, &n.Sites}
}
