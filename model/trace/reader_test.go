// Reader tests: fields, headers and separators of both formats, malformed lines with their errors,
// and sources that fail or never end.

package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// Tests of the reader of SWF and GWF: fields, headers, separators, malformed lines, and sources
// that fail or never end.

const smallSWF = `; Version: 2.2
; Computer: IBM SP2
; Acknowledge: Dan Dwyer
;              and Steve Hotovy
; MaxNodes: 338 (batch partition; 512 total)
; Queue:  1 DSI      
;
    1        0 588530    937  306 142.50    -1   -1  35100    -1  1  97  -1 307  3 -1 -1 -1
    2   164472 356587     75   17   2.00    -1   16    300    -1  0  81   4 195  3  2  1 60
`

// one returns a job whose 18 fields are missing but for those set.
func one(set func(*Job)) Job {
	j := Job{Wait: -1, CPU: -1, Memory: -1, ReqProcs: -1, ReqTime: -1, ReqMemory: -1, Status: -1, User: -1, Group: -1,
		App: -1, Queue: -1, Partition: -1, After: -1, Think: -1, Site: -1}
	set(&j)
	return j
}

var smallJobs = []Job{
	one(func(j *Job) {
		j.ID, j.Wait, j.Run, j.Procs, j.CPU = 1, 588530, 937, 306, 142.5
		j.ReqTime, j.Status, j.User, j.App, j.Queue = 35100, 1, 97, 307, 3
	}),
	one(func(j *Job) {
		j.ID, j.Submit, j.Wait, j.Run, j.Procs, j.CPU, j.ReqProcs, j.ReqTime = 2, 164472, 356587, 75, 17, 2, 16, 300
		j.Status, j.User, j.Group, j.App, j.Queue, j.Partition, j.After, j.Think = 0, 81, 4, 195, 3, 2, 1, 60
	}),
}

func read(t *testing.T, text string, options Options) ([]Job, *Reader) {
	t.Helper()
	r := NewReader(strings.NewReader(text), "log", options)
	jobs, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return jobs, r
}

func TestReadSWF(t *testing.T) {
	body := smallSWF[strings.Index(smallSWF, "    1"):]
	for name, text := range map[string]string{
		"as it is":         smallSWF,
		"without header":   body,
		"CRLF":             strings.ReplaceAll(smallSWF, "\n", "\r\n"),
		"tabs":             strings.ReplaceAll(smallSWF, "   ", "\t"),
		"no final newline": strings.TrimSuffix(smallSWF, "\n"),
		"blank lines":      "\n  \n" + strings.ReplaceAll(smallSWF, "\n", "\n\t\n"),
		"byte order mark":  "\xef\xbb\xbf" + smallSWF,
		"late comment":     strings.Replace(smallSWF, "    2", "; a remark\n # another\n    2", 1),
		"leading zeros":    strings.Replace(smallSWF, " 937 ", " 0000000000000000000000937 ", 1),
	} {
		jobs, r := read(t, text, Options{})
		if diff := cmp.Diff(smallJobs, jobs); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if r.Format() != SWF || r.Names() != nil || r.Skipped() != nil {
			t.Errorf("%s: format %v, names %v, skipped %v", name, r.Format(), r.Names(), r.Skipped())
		}
	}
}

// The jobs do not depend on the pieces in which the source returns the text.
func TestReadInPieces(t *testing.T) {
	for name, source := range map[string]io.Reader{
		"byte by byte":  iotest.OneByteReader(strings.NewReader(smallSWF)),
		"data with EOF": iotest.DataErrReader(strings.NewReader(smallSWF)),
		"halves":        iotest.HalfReader(strings.NewReader(smallSWF)),
	} {
		jobs, err := NewReader(source, "log", Options{}).ReadAll()
		if diff := cmp.Diff(smallJobs, jobs); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	text := logLines(20_000) // several buffers
	jobs, err := NewReader(iotest.HalfReader(bytes.NewReader(text)), "log", Options{}).ReadAll()
	if err != nil || len(jobs) != 20_000 || jobs[19_999].ID != 20_000 || jobs[19_999].Submit != 19_999*37 {
		t.Errorf("%d jobs, error %v", len(jobs), err)
	}
}

func TestHeader(t *testing.T) {
	_, r := read(t, smallSWF, Options{})
	h := r.Header()
	if want := strings.Split(smallSWF, "\n")[:7]; !cmp.Equal(h.Lines, want) {
		t.Error(cmp.Diff(want, h.Lines))
	}
	if computer, found := h.Value("computer"); computer != "IBM SP2" || !found {
		t.Errorf("computer %q, want IBM SP2", computer)
	}
	if procs, key := h.Procs(); procs != 338 || key != "MaxNodes" {
		t.Errorf("%d processors by %s, want 338 by MaxNodes", procs, key)
	}
	if a := h.Acknowledgement(); a != "Dan Dwyer and Steve Hotovy" {
		t.Errorf("acknowledgement %q", a)
	}
	if _, found := h.number("Computer"); found {
		t.Error("Number finds a number in IBM SP2")
	}
	if _, found := h.Value("and"); found {
		t.Error("a continued line counts as a directive")
	}
	h.Set(SWF, "maxnodes", "430")
	h.Set(SWF, "UnixStartTime", "7")
	if procs, _ := h.Procs(); procs != 430 || len(h.Lines) != 8 || h.Lines[7] != "; UnixStartTime: 7" {
		t.Errorf("%d processors, lines %q", procs, h.Lines)
	}
}

// swfWith returns a good line with one field, from 1, in place of the good one.
func swfWith(field int, value string) string {
	fields := strings.Fields("1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1")
	fields[field-1] = value
	return strings.Join(fields, " ")
}

func gwfWith(field int, value string) string {
	fields := strings.Fields("0 0 -1 60 4 -1 -1 4 60 -1 1 U1 G1 X1 Q1 P1 S1 S1 UNITARY" + strings.Repeat(" -1", 10))
	fields[field-1] = value
	return strings.Join(fields, "\t")
}

func TestMalformed(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{swfWith(4, "abc"), `log:2: field 4 (run time) is "abc": want a whole number of seconds`},
		{swfWith(4, "1e5"), `log:2: field 4 (run time) is "1e5": want a whole number of seconds`},
		{swfWith(4, "1.5"), `field 4 (run time) is "1.5"`},
		{swfWith(4, "+1"), `field 4 (run time) is "+1"`},
		{swfWith(4, "--1"), `field 4 (run time) is "--1"`},
		{swfWith(4, "-"), `field 4 (run time) is "-"`},
		{swfWith(4, "1\x00"), `field 4 (run time) is "1\x00"`},
		{swfWith(2, "9223372036854775808"), `field 2 (submit time) is "9223372036854775808"`},
		{swfWith(4, "-99999999999999999999"),
			`is "-99999999999999999999": want a whole number of seconds from -9223372036854775808 to `},
		{swfWith(1, "99999999999999999999"),
			`is "99999999999999999999": want a whole number from -9223372036854775808 to 922337`},
		{swfWith(2, strings.Repeat("9", 99)), `is "` + strings.Repeat("9", 40) + `…": want`},
		{swfWith(5, "2147483648"),
			`field 5 (allocated processors) is "2147483648": want a whole number from -2147483648 to `},
		{swfWith(11, "128"), `field 11 (status) is "128": want a whole number from -128 to 127`},
		{swfWith(6, "1e5"), `field 6 (average CPU time) is "1e5": want a number such as 142 or 142.5`},
		{swfWith(6, "1.2.3"), `field 6 (average CPU time)`},
		{swfWith(6, "NaN"), `field 6 (average CPU time)`},
		{swfWith(6, "."), `field 6 (average CPU time)`},
		{swfWith(6, strings.Repeat("9", 400)), `field 6 (average CPU time)`},
		{swfWith(18, "x"), `field 18 (think time) is "x"`},
		{"1 2 3", "log:2: has too few fields, 3: want the 18 of the Standard Workload Format"},
		{swfWith(1, "1") + " 7", "log:2: has too many fields, 19: want the 18 of"},
		{swfWith(4, "x") + " 7", "log:2: has too many fields, 19: want the 18 of"},
		{strings.Repeat("x", longestLine+1), "log:2: is longer than 1048576 bytes"},
		{strings.Repeat("; ", longestLine), "log:2: is longer than 1048576 bytes"},
	} {
		good := swfWith(1, "9") + "\n"
		malformed(t, good, c.line, c.want, SWF)
	}
	for _, c := range []struct{ line, want string }{
		{gwfWith(4, "abc"), `log:2: field 4 (RunTime) is "abc": want a whole number of seconds`},
		{gwfWith(4, "1.5"), `field 4 (RunTime) is "1.5"`},
		{gwfWith(4, ""), `field 4 (RunTime) is ""`},
		{gwfWith(5, "99999999999"), `field 5 (NProcs) is "99999999999"`},
		{gwfWith(7, "x"), `field 7 (UsedMemory) is "x": want a number such as`},
		{gwfWith(7, "9"+strings.Repeat("0", 20)), `00": want a number such as 142 or 142.5, less than 2^62`},
		{gwfWith(12, "U\x01"), `field 12 (UserID) is "U\x01": want text without control characters`},
		{gwfWith(23, "r\x00"), `field 23 (UsedResources) is "r\x00": want text`},
		{gwfWith(1, "1 2") + "\t7", "log:2: has too many fields, 30: want the 29 of the Grid Workload Format"},
	} {
		malformed(t, gwfWith(1, "9")+"\n", c.line, c.want, GWF)
	}
}

// In a trace separated by tabs, a text with blanks does not replace a missing field. In a trace
// separated by blanks, a tab counts as a blank. The line of the first job decides which it is, even
// if that line is malformed.
func TestSeparators(t *testing.T) {
	short := strings.Replace(gwfWith(24, "Linux x86"), "\t-1\t-1", "\t-1", 1)
	if len(strings.Fields(short)) != 29 {
		t.Fatalf("%q has %d fields separated by blanks, this test needs 29", short, len(strings.Fields(short)))
	}
	want := "has too few fields, 28: want the 29 of the Grid Workload Format"
	malformed(t, gwfWith(1, "9")+"\n", short, "log:2: "+want, GWF)
	for _, format := range []Format{GWF, Detect} {
		_, err := NewReader(strings.NewReader(short+"\n"+gwfWith(1, "9")), "log", Options{Format: format}).ReadAll()
		if err == nil || !strings.HasSuffix(err.Error(), "log:1: "+want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	spaced := strings.ReplaceAll(gwfWith(1, "9"), "\t", " ")
	for _, mixed := range []string{
		spaced + "\n" + strings.Replace(spaced, " ", "\t", 20), strings.Replace(spaced, " ", "\t", 3) + "\n" + spaced,
		gwfWith(1, "9") + "\n" + spaced, "no job at all\n" + spaced + "\n" + gwfWith(24, "Linux x86"),
	} {
		jobs, r := read(t, mixed, Options{Format: GWF, Lenient: true})
		if len(jobs) != 2 || len(r.Skipped()) > 1 {
			t.Errorf("%q: %d jobs, left out %v", mixed, len(jobs), r.Skipped())
		}
	}
}

// Each text of a line separated by tabs may be empty, also the last ones.
func TestEmptyTexts(t *testing.T) {
	for _, empty := range [][]int{
		{12}, {28}, {29}, {27, 28, 29},
		{19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}, // leaves 18 texts, as many as SWF has
	} {
		fields := strings.Split(gwfWith(1, "9"), "\t")
		for _, field := range empty {
			fields[field-1] = ""
		}
		line := strings.Join(fields, "\t")
		for _, text := range []string{line, line + " \r\n" + line, gwfWith(1, "8") + "\n" + line} {
			jobs, r := read(t, text, Options{})
			last := jobs[len(jobs)-1]
			if r.Format() != GWF || last.ID != 9 || (last.User == -1) != (empty[0] == 12) {
				t.Errorf("%q: format %v, last job %+v", text, r.Format(), last)
			}
		}
	}
}

// malformed reads a bad line between two good ones, strictly and leniently.
func malformed(t *testing.T, good, line, want string, format Format) {
	t.Helper()
	text := good + line + "\n" + good
	r := NewReader(strings.NewReader(text), "log", Options{})
	jobs, err := r.ReadAll()
	wrong := new(LineError)
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) || len(jobs) != 1 || wrong.Line != 2 {
		t.Errorf("%d jobs, error %v\nwant one and %s", len(jobs), err, want)
	}
	if r.Format() != format {
		t.Errorf("format %v, want %v", r.Format(), format)
	}
	if rest, err := r.ReadAll(); len(rest) != 1 || err != nil {
		t.Errorf("after %q: %d jobs, error %v", want, len(rest), err)
	}
	lenient := NewReader(strings.NewReader(text+line), "log", Options{Lenient: true})
	jobs, err = lenient.ReadAll()
	skipped := []Step{{What: wrong.reason(), Count: 2, Example: 2}}
	if len(jobs) != 2 || err != nil || !cmp.Equal(lenient.Skipped(), skipped) {
		t.Errorf("leniently: %d jobs, error %v, %s", len(jobs), err, cmp.Diff(skipped, lenient.Skipped()))
	}
}

// The error of a file whose first line is no job says what the file seems to be.
func TestOtherFiles(t *testing.T) {
	for text, want := range map[string]string{
		"id,submit,run\n1,0,5\n": "; it seems to be CSV, and fields have blanks between them",
		"\xff\xfe1\x00\n\x00":    "; it seems to be UTF-16 or binary, and a trace is ASCII or UTF-8",
		"what is this\n":         "29 (Grid Workload Format)",
	} {
		r := NewReader(strings.NewReader(text), "log", Options{})
		if _, err := r.ReadAll(); err == nil || !strings.HasSuffix(err.Error(), want) || r.Format() != Detect {
			t.Errorf("%q: error %v, want %q at its end; format %v", text, err, want, r.Format())
		}
	}
}

func TestSkippedInOrder(t *testing.T) {
	text := strings.Join([]string{
		"what is this", swfWith(1, "1"), swfWith(4, "x"), "1 2", swfWith(4, "y"), swfWith(2, "z"),
	}, "\n")
	jobs, r := read(t, text, Options{Lenient: true})
	want := []Step{
		{"is no job of a trace by its number of fields: want 18 (Standard Workload Format) or 29 (Grid Workload Format)", 1,
			1},
		{"field 4 (run time) is not a whole number of seconds", 2, 3},
		{"has too few fields: want the 18 of the Standard Workload Format", 1, 4},
		{"field 2 (submit time) is not a whole number of seconds", 1, 6},
	}
	if diff := cmp.Diff(want, r.Skipped()); diff != "" || len(jobs) != 1 {
		t.Errorf("%d jobs\n%s", len(jobs), diff)
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		text string
		want Format
	}{
		{swfWith(1, "1"), SWF}, {gwfWith(1, "1"), GWF}, {"; x: 1\n" + gwfWith(1, "1"), GWF}, {"# x\n" + swfWith(1, "1"), SWF},
		{"; x: 1\n1 2", SWF}, {"# x\n1 2", GWF}, {"1 2", Detect}, {gwfWith(24, "x86 64, Linux"), GWF}, {"", Detect},
	} {
		r := NewReader(strings.NewReader(c.text), "log", Options{Lenient: true})
		if _, err := r.ReadAll(); err != nil || r.Format() != c.want {
			t.Errorf("%q: format %v, want %v; error %v", c.text, r.Format(), c.want, err)
		}
	}
	r := NewReader(strings.NewReader(gwfWith(1, "1")), "log", Options{Format: SWF})
	if _, err := r.ReadAll(); err == nil || !strings.Contains(err.Error(), "has too many fields, 29: want the 18") {
		t.Errorf("a format set in Options is not used: %v", err)
	}
}

// Read returns the source's error, and half a line before it is not a job.
func TestSourceFails(t *testing.T) {
	failed := errors.New("the disk is gone")
	source := io.MultiReader(strings.NewReader(swfWith(1, "1")+"\n"+swfWith(1, "2")), iotest.ErrReader(failed))
	jobs, err := NewReader(source, "log", Options{Lenient: true}).ReadAll()
	if len(jobs) != 1 || !errors.Is(err, failed) {
		t.Errorf("%d jobs, error %v", len(jobs), err)
	}
	if _, err := NewReader(silent{}, "log", Options{}).ReadAll(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a source that returns no bytes: error %v, want %v", err, io.ErrNoProgress)
	}
}

type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }

// The reader reserves memory for the number of jobs in the header; if that is wrong, for a bounded
// number more than there are.
func TestRoomForJobs(t *testing.T) {
	for _, c := range []struct{ jobs, announced, most int }{{5000, 5000, 5001}, {65, mostJobs, 64 * 64},
		{64, mostJobs, 64 * 64}} {
		text := fmt.Sprintf("; MaxRecords: %d\n%s", c.announced, logLines(c.jobs))
		jobs, err := NewReader(strings.NewReader(text), "log", Options{}).ReadAll()
		if err != nil || len(jobs) != c.jobs || cap(jobs) > c.most {
			t.Errorf("%d jobs, %d announced: %d were read, room for %d, want at most %d; error %v",
				c.jobs, c.announced, len(jobs), cap(jobs), c.most, err)
		}
	}
}

func TestReadAllocatesNothingByLine(t *testing.T) {
	r := NewReader(bytes.NewReader(logLines(2_000)), "log", Options{})
	var job Job
	if err := r.Read(&job); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(1_000, func() {
		if err := r.Read(&job); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a line", n)
	}
}

const smallGWF = `# Grid Workload Format
# UnixStartTime: 1109023862
0	1109023862	0	4	1	3.5	1024.5	1	900	-1	1	U1	G0	X0	Q0	-1	fs1	fs1	UNITARY	-1	-1	-1	-1	-1	-1	-1	-1	-1	-1
1	1109023870	2	8	4	-1	-1	4	900	-1	0	U7	G0	X0	Q0	-1	fs0	fs1	BoT	b 12	0.5	-1	-1	x86,Linux, 2.4	-1	-1	-1	-1	-1
2	1109023880	2	8	4	-1	-1	4	900	-1	0	U1	G3	-1	Q0	-1	fs1	-1	-1	-1	-1	-1	-1	-1	-1	-1	-1	-1	-1
`

func TestReadGWF(t *testing.T) {
	jobs, r := read(t, smallGWF, Options{})
	n := r.Names()
	for _, c := range []struct {
		list *NameList
		want []string
	}{
		{&n.Users, []string{"U1", "U7"}}, {&n.Groups, []string{"G0", "G3"}}, {&n.Apps, []string{"X0"}},
		{&n.Queues, []string{"Q0"}}, {&n.Partitions, nil}, {&n.Sites, []string{"fs1", "fs0"}},
		{&n.Rest, []string{
			"fs1\tUNITARY" + strings.Repeat("\t-1", 10), "fs1\tBoT\tb 12\t0.5\t-1\t-1\tx86,Linux, 2.4" + strings.Repeat("\t-1",
				5),
		}},
	} {
		if diff := cmp.Diff(c.want, c.list.All()); diff != "" {
			t.Error(diff)
		}
	}
	want := []Job{
		{ID: 0, Submit: 1109023862, Wait: 0, Run: 4, Procs: 1, CPU: 3.5, Memory: 1025, ReqProcs: 1, ReqTime: 900,
			ReqMemory: -1,
			Status:    1, User: 0, Group: 0, App: 0, Queue: 0, Partition: -1, After: -1, Think: -1, Site: 0, Rest: 1},
		{ID: 1, Submit: 1109023870, Wait: 2, Run: 8, Procs: 4, CPU: -1, Memory: -1, ReqProcs: 4, ReqTime: 900, ReqMemory: -1,
			Status: 0, User: 1, Group: 0, App: 0, Queue: 0, Partition: -1, After: -1, Think: -1, Site: 1, Rest: 2},
		{ID: 2, Submit: 1109023880, Wait: 2, Run: 8, Procs: 4, CPU: -1, Memory: -1, ReqProcs: 4, ReqTime: 900, ReqMemory: -1,
			Status: 0, User: 0, Group: 1, App: -1, Queue: 0, Partition: -1, After: -1, Think: -1, Site: 0, Rest: 0},
	}
	if diff := cmp.Diff(want, jobs); diff != "" {
		t.Error(diff)
	}
	spaced := strings.ReplaceAll(strings.ReplaceAll(smallGWF, "b 12", "b12"), ", 2.4", ",2.4")
	spaced = strings.ReplaceAll(spaced, "\t", "  ")
	if jobs, _ := read(t, spaced, Options{}); !cmp.Equal(jobs, want) {
		t.Error(cmp.Diff(want, jobs))
	}
}

// endless returns the same text again and again, and counts its bytes.
type endless struct {
	text string
	read int
}

func (e *endless) Read(to []byte) (int, error) {
	n := 0
	for n+len(e.text) <= len(to) {
		n += copy(to[n:], e.text)
	}
	e.read += n
	return n, nil
}

// An endless header is an error before it fills the memory, for a lenient reader too.
func TestHeaderWithoutEnd(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		source := &endless{text: "; x\n"}
		r := NewReader(source, "log.swf", Options{Lenient: lenient})
		_, err := r.ReadAll()
		const want = "log.swf:262145: the header is longer than 1048576 bytes: want the first job after fewer comments"
		if err == nil || err.Error() != want || source.read > 2*mostHeader || len(r.Header().Lines) != mostHeader/4 {
			t.Errorf("error %v after %d bytes with %d lines, want %s", err, source.read, len(r.Header().Lines), want)
		}
	}
	job := "1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"
	text := strings.Repeat("; x\n", mostHeader/4) + job + strings.Repeat("; x\n", mostHeader/4) + job
	r := NewReader(strings.NewReader(text), "log.swf", Options{})
	if jobs, err := r.ReadAll(); err != nil || len(jobs) != 2 || len(r.Header().Lines) != mostHeader/4 {
		t.Errorf("%d jobs after %d comments, error %v", len(jobs), len(r.Header().Lines), err)
	}
}
