// Schedule tests: each format reads back, files of other programs and malformed ones, processors
// against a table by seconds, and fuzzed files.

package schedule

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model/metrics"
	"gridsweep/model/trace"
)

// Four jobs on five processors; the last one ends at its estimate.
func four() *Schedule {
	return &Schedule{
		Schedule: metrics.Schedule{
			Submit: []int64{0, 0, 10, 20}, Start: []int64{0, 0, 100, 50}, End: []int64{100, 50, 110, 90},
			Procs: []int32{2, 1, 4, 3},
		},
		ID: []int64{7, 3, 12, 9}, Estimate: []int64{200, 50, 10, 40}, User: []int32{1, -1, 1, 2},
		Killed: []bool{false, false, false, true},
	}
}

const fourCSV = "id,submit,start,end,procs\n7,0,0,100,2\n3,0,0,50,1\n12,10,100,110,4\n9,20,50,90,3\n"

// columnsOf returns the schedule without its optional columns.
func columnsOf(s *Schedule) *Schedule { return &Schedule{Schedule: s.Schedule, ID: s.ID} }

func TestFilesReadBack(t *testing.T) {
	s := four()
	if diff := cmp.Diff(fourCSV, string(s.CSV())); diff != "" {
		t.Error(diff)
	}
	path := filepath.Join(t.TempDir(), "s.parquet")
	if err := s.WriteParquet(t.Context(), path, map[string]string{"gridsweep.policy": "easy"}); err != nil {
		t.Fatal(err)
	}
	parquet, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	batsim, err := s.Batsim(5)
	if err != nil {
		t.Fatal(err)
	}
	jobs := make([]trace.Job, 4)
	for i := range jobs {
		jobs[i] = trace.Job{ID: s.ID[i], Status: -1, Site: -1}
	}
	swf, err := s.SWF(jobs, &trace.Header{}, nil, trace.SWF, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"csv": s.CSV(), "parquet": parquet, "batsim": batsim, "swf": swf} {
		have, err := Read(data, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(columnsOf(s), have); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestBatsim(t *testing.T) {
	have, err := four().Batsim(5)
	if err != nil {
		t.Fatal(err)
	}
	const want = batsimHead +
		"7,w0,run100,0,2,200,1,COMPLETED_SUCCESSFULLY,0,100,100,0,100,1,0-1,-1,\n" +
		"3,w0,run50,0,1,50,1,COMPLETED_SUCCESSFULLY,0,50,50,0,50,1,2,-1,\n" +
		"12,w0,run10,10,4,10,1,COMPLETED_SUCCESSFULLY,100,10,110,90,100,10,0-3,-1,\n" +
		"9,w0,run40,20,3,40,0,COMPLETED_WALLTIME_REACHED,50,40,90,30,70,1.75,2-4,-1,\n"
	if diff := cmp.Diff(want, string(have)); diff != "" {
		t.Error(diff)
	}
	_, err = four().Batsim(4)
	if err == nil || !strings.Contains(err.Error(), "job 4 of the schedule: there are not 3 free") {
		t.Errorf("a machine that is too small: %v", err)
	}
}

// A trace with names becomes one with numbers; its header stays, and notes record how the schedule
// was made.
func TestSWF(t *testing.T) {
	const gwf = "# Acknowledge: somebody\n" +
		"7 100 -1 30 2 -1 -1 2 60 -1 1 U7 G1 X1 Q1 -1 S1 S1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n" +
		"8 110 -1 30 1 -1 -1 1 20 -1 0 U9 G1 X1 Q1 -1 S1 S1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
	reader := trace.NewReader(strings.NewReader(gwf), "gwf", trace.Options{})
	jobs, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	s := &Schedule{
		Schedule: metrics.Schedule{
			Submit: []int64{100, 110}, Start: []int64{100, 130}, End: []int64{130, 150}, Procs: []int32{2, 1},
		},
		ID: []int64{7, 8}, Killed: []bool{false, true},
	}
	have, err := s.SWF(jobs, reader.Header(), reader.Names(), reader.Format(), []string{"policy easy"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"; Acknowledge: somebody\n", "; Note: policy easy\n",
		"\n7 100 0 30 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1\n8 110 20 20 1 -1 -1 1 20 -1 0 2 1 1 1 1 -1 -1\n",
	} {
		if !strings.Contains(string(have), want) {
			t.Errorf("does not have %q:\n%s", want, have)
		}
	}
	if jobs[0].Wait != -1 {
		t.Error("the argument was changed")
	}
}

// Files of other programs: columns in any order, with others between them, under the names that
// simulators use.
func TestForeignCSV(t *testing.T) {
	for _, text := range []string{
		fourCSV,
		strings.ReplaceAll(fourCSV, "\n", "\r\n"),
		"\ufeff" + fourCSV,
		"Start, procs ,Job_ID,note,END,submit\n0.0,2,7,\"a,b\",1e2,0\n0,1,3,,50,0\n100,4,12,x,110.0,10\n50, 3,9,,90,20\n",
	} {
		have, err := Read([]byte(text), "foreign.csv")
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(columnsOf(four()), have); diff != "" {
			t.Error(diff)
		}
	}
}

func TestWrongFiles(t *testing.T) {
	var empty bytes.Buffer
	path := filepath.Join(t.TempDir(), "s.parquet")
	if err := four().WriteParquet(t.Context(), path, nil); err != nil {
		t.Fatal(err)
	}
	parquet, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{empty.String(), "f: is empty: it must be a schedule as CSV"},
		{"id,submit,start,end,procs\n", "f: has no jobs"},
		{"id,submit,begin,end,procs\n1,2,3,4,5\n",
			"f:1: has no column start (other names: starting_time, start_time, starttime); " +
				"it has id, submit, begin, end, procs"},
		{"id,submit,start,end,procs\n1,2,3,4,5\n2,2,3.5,4,5\n", `f:3:5: start: "3.5": must be a whole number`},
		{"id,submit,start,end,procs\n1,2,3,4,many\n", `f:2:9: procs: "many": must be a whole number`},
		{"id,submit,start,end,procs\n1,2,3,1e300,1\n", `f:2:7: end: "1e300": must be a whole number`},
		{"id,submit,start,end,procs\n1,2,1,4,5\n", "f:2: job 1: start 1: is before the submit at 2"},
		{"id,submit,start,end,procs\n1,2,3,4,0\n", "f:2: job 1: procs 0: must be at least 1"},
		{"id,submit,start,end,procs\n1,2,3,4,3000000000\n", "f:2: job 1: procs 3000000000: must be from 1 to 2147483647"},
		{"id,submit,start,end,procs\n1,2,3,4,-5\n", "f:2: job 1: procs -5: must be at least 1"},
		{"id,submit,start,end,procs\n1,2,3,4\n", "f:2:1: wrong number of fields"},
		{"id,submit,start,end,procs\n\"1,2,3,4\n", "f:2:10: extraneous or missing \" in quoted-field"},
		{"PAR1 and nothing more", "f: "},
		{string(parquet[:len(parquet)-9]), "f: "},
		{"; Computer: X\n1 0 -1 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 -1 -1\n",
			"f: job 1: field 3 (wait time) is -1: a schedule must have it"},
		{"1 0 1 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 -1 x\n", "f:1: field 18"},
		{"1 0 9000000000000000000 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 -1 -1\n", "each must be at most 1152921504606846976"},
	} {
		_, err := Read([]byte(c.text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), "f:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: error %v, want %s", c.text, err, c.want)
		}
	}
}

// Files in the order of starts or ends are sorted into that of the trace; a file whose submits
// ascend keeps its order.
func TestSortBySubmit(t *testing.T) {
	sorted, want := columnsOf(four()), columnsOf(four())
	sorted.SortBySubmit()
	if diff := cmp.Diff(want, sorted); diff != "" {
		t.Error(diff)
	}
	have, err := Read([]byte("id,submit,start,end,procs\n12,10,100,110,4\n7,0,0,100,2\n3,0,0,50,1\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	have.SortBySubmit()
	wantCSV := "id,submit,start,end,procs\n3,0,0,50,1\n7,0,0,100,2\n12,10,100,110,4\n"
	if diff := cmp.Diff(wantCSV, string(have.CSV())); diff != "" {
		t.Error(diff)
	}
}

func TestFormats(t *testing.T) {
	for _, name := range FormatNames() {
		f := Format(name)
		if have, err := ParseFormat(string(f)); err != nil || have != f {
			t.Errorf("%s: %s, %v", f, have, err)
		}
	}
	if _, err := ParseFormat("xml"); err == nil || !strings.Contains(err.Error(), "write parquet, csv, swf or batsim") {
		t.Error(err)
	}
	for path, want := range map[string]Format{"a/b.csv": CSV, "b.PARQUET": Parquet, "x.swf": SWF} {
		if have, err := FormatOf(path); err != nil || have != want {
			t.Errorf("%s: %s, %v", path, have, err)
		}
	}
	for _, path := range []string{"x", "x.txt", "x.batsim"} {
		if _, err := FormatOf(path); err == nil {
			t.Errorf("%s has a format", path)
		}
	}
}

// No two jobs share a processor at the same time, and each job has the lowest free processors, as
// many as it needs.
func TestAssignTakesTheLowestFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const machine = 12
		busy := map[int64]int32{} // per second
		var s metrics.Schedule
		for range rapid.IntRange(1, 25).Draw(t, "jobs") {
			start, run := rapid.Int64Range(0, 30).Draw(t, "start"), rapid.Int64Range(1, 12).Draw(t, "run")
			procs := rapid.Int32Range(1, 6).Draw(t, "procs")
			fits := true
			for at := start; at < start+run; at++ {
				fits = fits && busy[at]+procs <= machine
			}
			if !fits {
				continue
			}
			for at := start; at < start+run; at++ {
				busy[at] += procs
			}
			s.Submit, s.Start = append(s.Submit, 0), append(s.Start, start)
			s.End, s.Procs = append(s.End, start+run), append(s.Procs, procs)
		}
		have, err := Assign(s, machine)
		if err != nil {
			t.Fatal(err)
		}
		owner := map[[2]int64]int{} // processor, second: job from 1
		for _, i := range sortedBy(s.Start) {
			var numbers []int64
			for _, interval := range have.Of(int(i)) {
				for p := interval.First; p <= interval.Last; p++ {
					numbers = append(numbers, int64(p))
				}
			}
			var want []int64
			for p := int64(0); p < machine && len(want) < int(s.Procs[i]); p++ {
				if owner[[2]int64{p, s.Start[i]}] == 0 {
					want = append(want, p)
				}
			}
			if diff := cmp.Diff(want, numbers); diff != "" {
				t.Fatalf("job %d: %s", i+1, diff)
			}
			for _, p := range numbers {
				for at := s.Start[i]; at < s.End[i]; at++ {
					if owner[[2]int64{p, at}] != 0 {
						t.Fatalf("job %d shares processor %d at %d", i+1, p, at)
					}
					owner[[2]int64{p, at}] = int(i) + 1
				}
			}
		}
	})
}

// million is a schedule of a million jobs, one after the other.
func million() *Schedule {
	const n = 1_000_000
	s := &Schedule{ID: make([]int64, n), Schedule: metrics.Schedule{
		Submit: make([]int64, n), Start: make([]int64, n), End: make([]int64, n), Procs: make([]int32, n),
	}}
	for i := range n {
		at := int64(i) * 30
		s.ID[i], s.Submit[i], s.Procs[i] = int64(i+1), at, int32(i%4+1)
		s.Start[i], s.End[i] = at+40_000, at+40_000+int64(i%5000)+1
	}
	return s
}

func BenchmarkCSV(b *testing.B) {
	s := million()
	for b.Loop() {
		s.CSV()
	}
}

func BenchmarkReadCSV(b *testing.B) {
	text := million().CSV()
	for b.Loop() {
		if _, err := Read(text, "million.csv"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteParquet(b *testing.B) {
	s := million()
	path := filepath.Join(b.TempDir(), "s.parquet")
	for b.Loop() {
		if err := s.WriteParquet(b.Context(), path, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAssign(b *testing.B) {
	s := million()
	for b.Loop() {
		if _, err := Assign(s.Schedule, 1024); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzRead checks that any bytes are a valid schedule, which reads back as the same after it was
// written, or an error.
func FuzzRead(f *testing.F) {
	batsim, err := four().Batsim(5)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(fourCSV))
	f.Add(batsim)
	f.Add([]byte("; Computer: X\n1 0 2 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 -1 -1\n"))
	f.Add([]byte("PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(data, "f")
		if err != nil {
			return
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		again, err := Read(s.CSV(), "again")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(columnsOf(s), again); diff != "" {
			t.Fatal(diff)
		}
	})
}
