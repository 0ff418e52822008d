// GWF: reading lines of the Grid Workload Format.

package trace

import (
	"bytes"
	"slices"
)

// parseGWF reads a line of the Grid Workload Format.
func (r *Reader) parseGWF(line []byte, job *Job) *LineError {
	if r.names == nil {
		r.names = &Names{}
	}
	s := scanner{line: line, tabs: r.tabbed(line)}
	*job = Job{
		ID: s.integer(), Submit: s.integer(), Wait: s.integer(), Run: s.integer(), Procs: s.small(),
		CPU: s.decimal(), Memory: s.rounded(), ReqProcs: s.small(), ReqTime: s.integer(), ReqMemory: s.rounded(),
		Status: s.tiny(), After: -1, Think: -1,
	}
	lists, indices := r.names.lists(), job.texts()
	var tokens [len(lists)][]byte
	for i, list := range lists {
		tokens[i], *indices[i] = s.token(), -1
		if !missing(tokens[i]) {
			index, ok := list.index(tokens[i])
			*indices[i] = index
			s.check(ok)
		}
	}
	job.Rest = 1 + r.takeRest(&s)
	if s.bad > 0 || s.hasMore() {
		return r.wrongLine(&s)
	}
	for i, list := range lists { // not before all fields are right: a line left out adds no names
		list.add(*indices[i], tokens[i])
	}
	r.names.Rest.add(job.Rest-1, r.rest)
	if s.lossy {
		r.rounded++
	}
	return nil
}

// separator is what separates the fields of a trace in the Grid Workload Format, by the line of its
// first job.
type separator int

const (
	undecided separator = iota
	blanks
	tabs
)

// tabbed reports whether tabs alone separate the fields of a line, so that a text may have spaces,
// and its words do not replace a missing field. These are lines with a tab between all fields and,
// in a trace that is separated by tabs, all lines with a tab.
func (r *Reader) tabbed(line []byte) bool {
	n := bytes.Count(line, []byte{'\t'})
	if r.separator == undecided {
		switch {
		case n >= len(gwfFields)/2 && n < len(gwfFields):
			r.separator = tabs // also if fields are missing here or texts have blanks
		case (&scanner{line: line}).count() == len(gwfFields):
			r.separator = blanks
		}
	}
	return n == len(gwfFields)-1 || n > 0 && r.separator == tabs
}

// firstOfRest is the first field that stays text, with those after it.
const firstOfRest = 18

// takeRest takes fields 18 to 29 and leaves them in r.rest. It returns their index in Names.Rest,
// -1 where all of them are missing.
func (r *Reader) takeRest(s *scanner) int32 {
	r.rest = r.rest[:0]
	isPresent := false
	for i := firstOfRest; i <= len(gwfFields); i++ {
		token := s.token()
		if missing(token) {
			token = []byte("-1")
		} else {
			isPresent = true
		}
		if i > firstOfRest {
			r.rest = append(r.rest, '\t')
		}
		r.rest = append(r.rest, token...)
	}
	if !isPresent {
		return -1
	}
	index, ok := r.names.Rest.index(r.rest)
	if !ok && s.bad == 0 {
		s.bad = firstOfRest + bytes.Count(r.rest[:slices.IndexFunc(r.rest, control)], []byte{'\t'})
	}
	return index
}

// missing reports whether a text is -1 or empty, which stand for unknown.
func missing(text []byte) bool { return len(text) == 0 || string(text) == "-1" }
