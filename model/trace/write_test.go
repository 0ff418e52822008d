// Writer tests: what is written reads back as the same jobs, header and names, also for drawn jobs,
// converted traces and fuzzed text.

package trace

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// written returns the trace as text.
func written(t interface{ Fatal(...any) }, format Format, header *Header, names *Names, jobs []Job) string {
	var text bytes.Buffer
	w := NewWriter(&text, format, header, names)
	for i := range jobs {
		if err := w.Write(&jobs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func sameNames(a, b *Names) bool {
	if a == nil || b == nil {
		return a == b
	}
	lists := func(n *Names) [][]string {
		return [][]string{
			n.Users.All(), n.Groups.All(), n.Apps.All(), n.Queues.All(), n.Partitions.All(), n.Sites.All(), n.Rest.All(),
		}
	}
	return cmp.Equal(lists(a), lists(b))
}

func TestRoundTrip(t *testing.T) {
	for _, text := range []string{smallSWF, smallGWF} {
		jobs, r := read(t, text, Options{})
		again := written(t, r.Format(), r.Header(), r.Names(), jobs)
		jobs2, r2 := read(t, again, Options{})
		if !cmp.Equal(jobs, jobs2) || !cmp.Equal(r.Header(), r2.Header()) || !sameNames(r.Names(), r2.Names()) {
			t.Errorf("%s\nbecame\n%s", text, again)
		}
		if third := written(t, r2.Format(), r2.Header(), r2.Names(), jobs2); third != again {
			t.Errorf("%s\nbecame\n%s", again, third)
		}
	}
	// In canonical spacing and whole KB it is the same text.
	jobs, r := read(t, smallGWF, Options{})
	want := strings.Replace(smallGWF, "1024.5", "1025", 1)
	if have := written(t, GWF, r.Header(), r.Names(), jobs); have != want {
		t.Error(cmp.Diff(want, have))
	}
	const line = "7 5 -1 12072 16 0.125 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1\n"
	jobs, r = read(t, line, Options{})
	if have := written(t, SWF, r.Header(), nil, jobs); have != line {
		t.Errorf("%q became %q", line, have)
	}
}

// Every job that the Standard Workload Format can hold reads back as the same job.
func TestWriteAnyJob(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		job := Job{
			ID: rapid.Int64().Draw(t, "id"), Submit: rapid.Int64().Draw(t, "submit"), Wait: rapid.Int64().Draw(t, "wait"),
			Run: rapid.Int64().Draw(t, "run"), Procs: rapid.Int32().Draw(t, "procs"),
			CPU: rapid.Float64Range(-1e300, 1e300).Draw(t, "cpu"), Memory: rapid.Int64().Draw(t, "memory"),
			ReqProcs: rapid.Int32().Draw(t, "reqprocs"), ReqTime: rapid.Int64().Draw(t, "reqtime"),
			ReqMemory: rapid.Int64().Draw(t, "reqmemory"), Status: rapid.Int8().Draw(t, "status"),
			User: rapid.Int32().Draw(t, "user"), Group: rapid.Int32().Draw(t, "group"), App: rapid.Int32().Draw(t, "app"),
			Queue: rapid.Int32().Draw(t, "queue"), Partition: rapid.Int32().Draw(t, "partition"),
			After: rapid.Int64().Draw(t, "after"), Think: rapid.Int64().Draw(t, "think"), Site: -1,
		}
		for _, format := range []Format{SWF, GWF} {
			text := written(t, format, &Header{}, nil, []Job{job})
			jobs, err := NewReader(strings.NewReader(text), "log", Options{}).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			want := job
			if format == GWF { // where the numbers of SWF become names
				want.After, want.Think = -1, -1
				for _, pair := range [][2]*int32{
					{&want.User, &jobs[0].User}, {&want.Group, &jobs[0].Group}, {&want.App, &jobs[0].App},
					{&want.Queue, &jobs[0].Queue}, {&want.Partition, &jobs[0].Partition},
				} {
					*pair[0], *pair[1] = min(*pair[0], 0), min(*pair[1], 0)
					*pair[0], *pair[1] = max(*pair[0], -1), max(*pair[1], -1)
					if *pair[0] == -1 {
						*pair[1] = -1 // a negative number other than -1 is a name
					}
				}
			}
			if diff := cmp.Diff([]Job{want}, jobs); diff != "" {
				t.Fatalf("%s%s", text, diff)
			}
		}
	})
}

// A note stays on one line of the header, also with line ends in it, and the trace is read back.
func TestHeaderNote(t *testing.T) {
	header := &Header{}
	header.Add(SWF, "Note", "made by: simulate 'a\n1 2 3\r\nb.swf'")
	header.Add(SWF, "Note", "second")
	_, r := read(t, written(t, SWF, header, nil, smallJobs), Options{Format: SWF})
	want := []string{"; Note: made by: simulate 'a 1 2 3  b.swf'", "; Note: second"}
	if diff := cmp.Diff(want, r.Header().Lines); diff != "" {
		t.Error(diff)
	}
}

type fullDisk struct{ left int }

var errFull = errors.New("no space")

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	w := NewWriter(&fullDisk{bufferSize}, SWF, &Header{}, nil)
	var err error
	for range 20_000 {
		err = errors.Join(err, w.Write(&smallJobs[0]))
	}
	if !errors.Is(err, errFull) || !errors.Is(w.Flush(), errFull) {
		t.Errorf("error %v, then %v", err, w.Flush())
	}
	w = NewWriter(&fullDisk{bufferSize}, SWF, &Header{}, &Names{})
	if err := w.Write(&smallJobs[0]); err == nil || !strings.Contains(err.Error(), "convert it first") {
		t.Errorf("names in numbers: error %v", err)
	}
}

func TestConvert(t *testing.T) {
	jobs, r := read(t, smallGWF, Options{})
	header, names, lost := Convert(jobs, r.Header(), r.Names(), GWF, SWF)
	submit := jobs[1].Submit
	if start, dated := header.number("UnixStartTime"); !dated || start != 0 {
		t.Errorf("header %q", header.Lines)
	}
	StartAtZero(jobs, header)
	if jobs[1].Submit != submit-1109023862 {
		t.Errorf("submit %d became %d", submit, jobs[1].Submit)
	}
	want := `; Grid Workload Format
; UnixStartTime: 1109023862
; Queue: 1 Q0
; Partition: 1 fs1
; Partition: 2 fs0
0 0 0 4 1 3.5 1025 1 900 -1 1 1 1 1 1 1 -1 -1
1 8 2 8 4 -1 -1 4 900 -1 0 2 1 1 1 2 -1 -1
2 18 2 8 4 -1 -1 4 900 -1 0 1 2 -1 1 1 -1 -1
`
	if diff := cmp.Diff(want, written(t, SWF, header, names, jobs)); diff != "" {
		t.Error(diff)
	}
	if want := []string{"fields 18 to 29 of the Grid Workload Format of 2 of 3 jobs"}; !cmp.Equal(lost, want) {
		t.Errorf("lost %q", lost)
	}

	jobs, r = read(t, smallSWF, Options{})
	header, names, lost = Convert(jobs, r.Header(), r.Names(), SWF, GWF)
	text := written(t, GWF, header, names, jobs)
	again, r2 := read(t, text, Options{})
	if r2.Format() != GWF || r2.Header().Lines[1] != "# Computer: IBM SP2" || again[1].Run != 75 ||
		r2.Names().Users.Name(1) != "81" {
		t.Errorf("became %s", text)
	}
	if want := []string{"preceding jobs and think times of 1 of 2 jobs"}; !cmp.Equal(lost, want) {
		t.Errorf("lost %q", lost)
	}

	// Where jobs have partitions, their sites are lost.
	jobs, r = read(t, gwfWith(1, "1")+"\n"+gwfWith(2, "5"), Options{})
	header, names, lost = Convert(jobs, r.Header(), r.Names(), GWF, SWF)
	if len(lost) != 2 || lost[1] != "sites of 2 of 2 jobs" || names != nil || jobs[0].Partition != 1 ||
		jobs[1].Submit != 5 ||
		!cmp.Equal(header.Lines, []string{"; Queue: 1 Q1", "; Partition: 1 P1"}) {
		t.Errorf("lost %q, header %q, jobs %v", lost, header.Lines, jobs)
	}
}

// fuzzRoundTrip checks for any text that reading does not panic, and that jobs which are written
// read back as the same.
func fuzzRoundTrip(f *testing.F, format Format) {
	f.Fuzz(func(t *testing.T, text []byte) {
		r := NewReader(bytes.NewReader(text), "fuzz", Options{Format: format, Lenient: true})
		jobs, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		strict := NewReader(bytes.NewReader(text), "fuzz", Options{Format: format})
		if _, err := strict.ReadAll(); (err == nil) != (len(r.Skipped()) == 0) {
			t.Fatalf("strictly %v, leniently %v left out", err, r.Skipped())
		}
		if r.Format() == Detect {
			return // the text has no job
		}
		again := written(t, r.Format(), r.Header(), r.Names(), jobs)
		r2 := NewReader(strings.NewReader(again), "again", Options{Format: r.Format()})
		jobs2, err := r2.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) == 0 {
			return // without a job the end of the header is not known
		}
		if !cmp.Equal(jobs, jobs2) || !cmp.Equal(r.Header().Lines, r2.Header().Lines) || !sameNames(r.Names(), r2.Names()) {
			t.Fatalf("%q\njobs %s\nheader %s\nnames %+v, then %+v", again, cmp.Diff(jobs, jobs2),
				cmp.Diff(r.Header().Lines, r2.Header().Lines), r.Names(), r2.Names())
		}
		header, names, _ := Convert(jobs, r.Header(), r.Names(), r.Format(), SWF)
		converted := written(t, SWF, header, names, jobs)
		jobs2, err = NewReader(strings.NewReader(converted), "converted", Options{Format: SWF}).ReadAll()
		if err != nil || !cmp.Equal(jobs, jobs2) {
			t.Fatalf("%q: %v\n%s", converted, err, cmp.Diff(jobs, jobs2))
		}
		clean, _ := Clean(jobs, Rules{Procs: 64})
		Describe(clean, header, 64)
	})
}

func FuzzSWF(f *testing.F) {
	for _, line := range []string{smallSWF, swfWith(6, "0.1"), swfWith(2, "1e5"),
		swfWith(3, "-9223372036854775808") + "\r\n"} {
		f.Add([]byte(line))
	}
	fuzzRoundTrip(f, SWF)
}

func FuzzGWF(f *testing.F) {
	for _, line := range []string{
		smallGWF, gwfWith(24, "a b"), gwfWith(12, "") + "\n", gwfWith(7, "1.5"), strings.ReplaceAll(gwfWith(18, "-1"), "\t",
			" "),
	} {
		f.Add([]byte(line))
	}
	fuzzRoundTrip(f, GWF)
}

func FuzzDetect(f *testing.F) {
	f.Add([]byte(smallSWF + smallGWF))
	f.Add([]byte("# x\n" + swfWith(1, "1")))
	// the first line has names and is left out
	f.Add([]byte(gwfWith(19, "\x01") + "\n" + gwfWith(12, "U2")))
	fuzzRoundTrip(f, Detect)
}
