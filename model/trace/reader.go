// Reader: reading a trace job by job in either format.

package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Options of a Reader.
type Options struct {
	Format  Format // Detect finds it from the content
	Lenient bool   // leave out and count lines that do not have the form of the format
}

// Reader reads a trace job by job. Under Detect, the first line that is a job's decides on the
// format.
type Reader struct {
	source  *bufio.Reader
	file    string
	options Options
	line    int // number of the line read last, from 1

	format Format
	header Header
	left   int  // bytes that the header may still have
	begun  bool // a job's line was read: later comments are not of the header
	names  *Names

	separator separator
	rest      []byte // fields 18 to 29, to look them up

	skipped []Step
	rounded int
}

const (
	bufferSize  = 256 << 10
	longestLine = 1 << 20 // bytes; a format of 29 short fields never needs so many
	mostHeader  = 1 << 20 // bytes of comments before the first job; archives have a few thousand
	mostJobs    = 1 << 21 // for which a header reserves memory
)

var errTooLong = errors.New("line too long")

// NewReader returns a reader of the trace; the name stands in errors.
func NewReader(source io.Reader, name string, options Options) *Reader {
	return &Reader{
		source: bufio.NewReaderSize(source, bufferSize), file: name, options: options, format: options.Format,
		left: mostHeader,
	}
}

// Format returns the format of the trace. If the options leave it to the Reader, it is Detect until
// the first job is read.
func (r *Reader) Format() Format { return r.format }

// Header returns the comments before the first job; it is complete once that job was read.
func (r *Reader) Header() *Header { return &r.header }

// Names returns the texts of which jobs have the indices, as far as read; nil in the Standard
// Workload Format, where users and so on are numbers.
func (r *Reader) Names() *Names { return r.names }

// Skipped returns the lines that a lenient reader left out, by reason, in the order of the reasons'
// first lines.
func (r *Reader) Skipped() []Step { return r.skipped }

// Rounded returns how many of the jobs read had a fraction of a KB of memory, which they have lost.
func (r *Reader) Rounded() int { return r.rounded }

// ReadAll reads the remaining jobs. Its error is that of Read; the jobs before it are returned too.
func (r *Reader) ReadAll() ([]Job, error) {
	var jobs []Job
	for {
		if len(jobs) == cap(jobs) {
			jobs = grow(jobs, &r.header)
		}
		jobs = jobs[:len(jobs)+1]
		if err := r.Read(&jobs[len(jobs)-1]); err != nil {
			jobs = jobs[:len(jobs)-1]
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return jobs, err
		}
	}
}

// grow reserves memory for as many jobs as the header says, so that a large trace is not held
// twice, or for twice the jobs if the header does not say. A wrong header reserves at most 64 times
// as many jobs as were read.
func grow(jobs []Job, header *Header) []Job {
	size := 2*len(jobs) + 64
	if len(jobs) > 0 {
		for _, key := range []string{"MaxRecords", "MaxJobs"} {
			if n, found := header.number(key); found && n > int64(len(jobs)) && n <= mostJobs {
				size = min(int(n)+1, 64*len(jobs)) // one more, in which the reader finds the end
				break
			}
		}
	}
	larger := make([]Job, len(jobs), size)
	copy(larger, jobs)
	return larger
}

// Read reads the next job. It returns io.EOF at the end, a *LineError where a line does not have
// the form of the format, unless the reader is lenient, another error where the header is longer
// than 1 MiB, and the source's error as it is. After a *LineError the next line can be read.
func (r *Reader) Read(job *Job) error {
	for {
		line, err := r.next()
		if errors.Is(err, errTooLong) {
			if err := r.refuse(r.wrong(fmt.Sprintf("is longer than %d bytes", longestLine), "", "")); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		text := bytes.TrimLeft(line, " \t")
		if bytes.Count(text, []byte{'\t'}) != len(gwfFields)-1 { // else the last field may be empty
			text = bytes.TrimRight(text, " \t")
		}
		if len(text) == 0 {
			continue
		}
		if text[0] == ';' || text[0] == '#' {
			if err := r.addComment(line); err != nil {
				return err
			}
			continue
		}
		if wrong := r.parse(text, job); wrong != nil {
			if err := r.refuse(wrong); err != nil {
				return err
			}
			continue
		}
		return nil
	}
}

// addComment adds a comment before the first job to the header. The header is held in memory, so
// that one without an end is an error, for a lenient reader too.
func (r *Reader) addComment(comment []byte) error {
	if r.begun {
		return nil
	}
	if r.left -= len(comment) + 1; r.left < 0 {
		return fmt.Errorf("%s:%d: the header is longer than %d bytes: want the first job after fewer comments",
			r.file, r.line, mostHeader)
	}
	r.header.Lines = append(r.header.Lines, string(comment))
	return nil
}

// parse reads the line of a job, which has no blanks at its beginning.
func (r *Reader) parse(line []byte, job *Job) *LineError {
	if r.format == Detect {
		r.format = detect(line, &r.header)
	}
	r.begun = true
	switch r.format {
	case SWF:
		return r.parseSWF(line, job)
	case GWF:
		return r.parseGWF(line, job)
	default:
		want := fmt.Sprintf("%d (%s) or %d (%s)", SWF.fieldCount(), SWF.title(), GWF.fieldCount(), GWF.title())
		switch {
		case bytes.IndexByte(line, 0) >= 0:
			want += "; it seems to be UTF-16 or binary, and a trace is ASCII or UTF-8"
		case bytes.IndexByte(line, ',') >= 0:
			want += "; it seems to be CSV, and fields have blanks between them"
		}
		n := (&scanner{line: line}).count()
		return r.wrong("is no job of a trace by its number of fields", strconv.Itoa(n), want)
	}
}

func (r *Reader) parseSWF(line []byte, job *Job) *LineError {
	s := scanner{line: line}
	job.ID = s.integer()
	job.Submit = s.integer()
	job.Wait = s.integer()
	job.Run = s.integer()
	job.Procs = s.small()
	job.CPU = s.decimal()
	job.Memory = s.integer()
	job.ReqProcs = s.small()
	job.ReqTime = s.integer()
	job.ReqMemory = s.integer()
	job.Status = s.tiny()
	job.User = s.small()
	job.Group = s.small()
	job.App = s.small()
	job.Queue = s.small()
	job.Partition = s.small()
	job.After = s.integer()
	job.Think = s.integer()
	job.Site = -1
	job.Rest = 0
	if s.bad == 0 && !s.hasMore() {
		return nil
	}
	return r.wrongLine(&s)
}

// wrongLine returns what is wrong with a line whose fields were taken: their number, else the first
// malformed one.
func (r *Reader) wrongLine(s *scanner) *LineError {
	if n := s.count(); n != r.format.fieldCount() {
		return r.wrongCount(n)
	}
	again, value := scanner{line: s.line, tabs: s.tabs}, []byte(nil)
	for range s.bad {
		value = again.token()
	}
	return r.wrongField(s.bad, value)
}

func (r *Reader) wrongCount(n int) *LineError {
	what := "has too few fields"
	if n > r.format.fieldCount() {
		what = "has too many fields"
	}
	return r.wrong(what, strconv.Itoa(n), fmt.Sprintf("the %d of the %s", r.format.fieldCount(), r.format.title()))
}

func (r *Reader) wrongField(n int, value []byte) *LineError {
	field := gwfFields[n-1]
	if r.format == SWF {
		field = swfFields[n-1]
	}
	want := field.want
	if (want == wantNumber || want == wantSeconds) && tooLarge(value) {
		want += " from -9223372036854775808 to 9223372036854775807"
	}
	return &LineError{File: r.file, Line: r.line, Field: n, Name: field.name, Value: shortened(value), Want: want}
}

// wrong returns an error about the line read last as a whole.
func (r *Reader) wrong(what, value, want string) *LineError {
	return &LineError{File: r.file, Line: r.line, Name: what, Value: value, Want: want}
}

// refuse counts the line in a lenient reader and returns the error in a strict one.
func (r *Reader) refuse(wrong *LineError) error {
	if !r.options.Lenient {
		return wrong
	}
	reason := wrong.reason()
	for i := range r.skipped {
		if r.skipped[i].What == reason {
			r.skipped[i].Count++
			return nil
		}
	}
	r.skipped = append(r.skipped, Step{What: reason, Count: 1, Example: int64(wrong.Line)})
	return nil
}

// next returns the next line without its end, carriage returns before that and the byte order mark
// of a file. It is valid until the next call. next returns io.EOF at the end and errTooLong for a
// line that has been passed over.
func (r *Reader) next() ([]byte, error) {
	line, err := r.source.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line, err = r.long(line)
	}
	switch {
	case err == nil:
		line = line[:len(line)-1]
	case err != io.EOF || len(line) == 0:
		return nil, err
	}
	r.line++
	if len(line) > longestLine {
		return nil, errTooLong
	}
	if r.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return bytes.TrimRight(line, "\r"), nil
}

// long returns the line with this beginning, which is longer than the buffer of the source. Of a
// line that is too long, it returns little more than the longest.
func (r *Reader) long(beginning []byte) (line []byte, err error) {
	line, err = bytes.Clone(beginning), bufio.ErrBufferFull
	for err == bufio.ErrBufferFull {
		var more []byte
		more, err = r.source.ReadSlice('\n')
		if len(line) <= longestLine+1 { // 1 for the line end
			line = append(line, more...)
		}
	}
	return line, err
}
