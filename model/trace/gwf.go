package trace

// GWF: reading lines of the Grid Workload Format.

import (
	"bytes"
	"math"
)

// parseGWF reads a line of the Grid Workload Format.
func (r *Reader) parseGWF(line []byte, job *Job) *LineError {
	if n := r.split(line); n != len(gwfFields) {
		return r.wrongCount(n)
	}
	if r.names == nil {
		r.names = &Names{}
	}
	g := gwfLine{tokens: &r.tokens}
	*job = Job{
		ID: g.whole(1), Submit: g.whole(2), Wait: g.whole(3), Run: g.whole(4), Procs: g.small(5),
		CPU: g.decimal(6), Memory: g.rounded(7), ReqProcs: g.small(8), ReqTime: g.whole(9), ReqMemory: g.rounded(10),
		Status: g.tiny(11), After: -1, Think: -1,
	}
	names := r.names
	texts := [...]struct {
		field int
		list  *NameList
		to    *int32
	}{
		{12, &names.Users, &job.User}, {13, &names.Groups, &job.Group}, {14, &names.Apps, &job.App},
		{15, &names.Queues, &job.Queue}, {16, &names.Partitions, &job.Partition}, {17, &names.Sites, &job.Site},
	}
	for _, text := range texts {
		*text.to = g.text(text.field, text.list)
	}
	job.Rest = 1 + r.rest(&g)
	if g.bad > 0 {
		return r.wrongField(g.bad, r.tokens[g.bad-1])
	}
	for _, text := range texts { // after the last error: a line that is left out adds no names
		text.list.add(*text.to, r.tokens[text.field-1])
	}
	names.Rest.add(job.Rest-1, r.tail)
	if g.isRounded {
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

// split cuts the line into the tokens and returns how many fields it has. A line with tabs in a
// trace that is separated by them is cut there alone, so that a text may have spaces, and its words
// do not replace a missing field; any other line is cut at blanks.
func (r *Reader) split(line []byte) int {
	tabbed := bytes.Count(line, []byte{'\t'})
	if r.separator == undecided && tabbed >= len(gwfFields)/2 && tabbed < len(gwfFields) {
		r.separator = tabs // also if fields are missing here or texts have blanks
	}
	if tabbed == len(gwfFields)-1 || tabbed > 0 && r.separator == tabs {
		return r.splitAtTabs(line)
	}
	f := fields{line: line}
	for f.rest() {
		if token := f.token(); f.n <= len(gwfFields) {
			r.tokens[f.n-1] = token
		}
	}
	if r.separator == undecided && f.n == len(gwfFields) {
		r.separator = blanks
	}
	return f.n
}

func (r *Reader) splitAtTabs(line []byte) int {
	field, start := 0, 0
	for i := 0; i <= len(line); i++ {
		if i < len(line) && line[i] != '\t' {
			continue
		}
		if field < len(gwfFields) {
			r.tokens[field] = bytes.Trim(line[start:i], " ")
		}
		field, start = field+1, i+1
	}
	return field
}

// rest returns the number of fields 18 to 29, -1 where all of them are missing, and leaves them in
// r.tail.
func (r *Reader) rest(g *gwfLine) int32 {
	r.tail = r.tail[:0]
	isPresent := false
	for i := 18; i <= len(gwfFields); i++ {
		token := r.tokens[i-1]
		if missing(token) {
			token = []byte("-1")
		} else {
			isPresent = true
		}
		if i > 18 {
			r.tail = append(r.tail, '\t')
		}
		r.tail = append(r.tail, token...)
	}
	if !isPresent {
		return -1
	}
	index, ok := r.names.Rest.index(r.tail)
	if !ok {
		field := 18
		for field < len(gwfFields) && !control(r.tokens[field-1]) {
			field++
		}
		g.check(field, false)
	}
	return index
}

// missing reports whether a text is -1 or empty, which stand for unknown.
func missing(text []byte) bool { return len(text) == 0 || string(text) == "-1" }

// gwfLine takes fields of a line by their number, from 1, and keeps the number of the first
// malformed one.
type gwfLine struct {
	tokens    *[29][]byte
	bad       int
	isRounded bool // a number of KB lost its fraction
}

func (g *gwfLine) check(field int, ok bool) {
	if !ok && g.bad == 0 {
		g.bad = field
	}
}

func (g *gwfLine) whole(field int) int64 {
	value, ok := wholeNumber(g.tokens[field-1])
	g.check(field, ok)
	return value
}

func (g *gwfLine) small(field int) int32 {
	value := g.whole(field)
	g.check(field, int64(int32(value)) == value)
	return int32(value)
}

func (g *gwfLine) tiny(field int) int8 {
	value := g.whole(field)
	g.check(field, int64(int8(value)) == value)
	return int8(value)
}

func (g *gwfLine) decimal(field int) float64 {
	value, ok := decimalNumber(g.tokens[field-1])
	g.check(field, ok)
	return value
}

// rounded takes a number of KB, whose fraction is rounded, half away from zero: no study needs
// bytes.
func (g *gwfLine) rounded(field int) int64 {
	if value, ok := wholeNumber(g.tokens[field-1]); ok {
		return value
	}
	exact := g.decimal(field)
	value := math.Round(exact)
	g.isRounded = g.isRounded || value != exact
	g.check(field, math.Abs(value) < 1<<62)
	return int64(value)
}

func (g *gwfLine) text(field int, list *NameList) int32 {
	token := g.tokens[field-1]
	if missing(token) {
		return -1
	}
	index, ok := list.index(token)
	g.check(field, ok)
	return index
}
