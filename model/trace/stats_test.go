// Statistics tests: a small log worked out by hand, arrivals by hour of the day, moved dates, and
// properties of quantiles.

package trace

import (
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// Tests of the statistics of a trace: sizes, times, arrivals by hour of the day, and quantiles.

func TestDescribe(t *testing.T) {
	jobs := []Job{job(1, 0, 10, 1), job(2, 3600, 100, 2), job(3, 3601, 20, 3), job(4, 90_000, 40, 8)}
	jobs[0].User, jobs[1].User, jobs[3].User, jobs[3].Queue = 5, 5, 9, 0
	jobs[1].ReqTime, jobs[2].ReqTime, jobs[3].Status = 60, 0, 5
	s := Describe(jobs, &Header{}, 16)
	load := (10.0 + 200 + 60 + 320) / (16 * 90_000)
	want := Stats{
		Jobs: 4, LastSubmit: 90_000, Span: 90_000, Procs: 16, Work: 590, Load: &load,
		Size:         Quantiles{Min: 1, P25: 1.75, Median: 2.5, Mean: 3.5, P75: 4.25, Max: 8},
		Run:          Quantiles{Min: 10, P25: 17.5, Median: 30, Mean: 42.5, P75: 55, Max: 100},
		Interarrival: Quantiles{Min: 1, P25: 1800.5, Median: 3600, Mean: 30_000, P75: 44_999.5, Max: 86_399},
		Estimate:     &Quantiles{Min: 60, P25: 60, Median: 60, Mean: 60, P75: 60, Max: 60},
		Serial:       1, PowerOfTwo: 2, Estimated: 1, Users: 2, Queues: 1,
		Statuses:  []StatusCount{{1, 3}, {5, 1}},
		SizesUpTo: []UpTo{{1, 1}, {2, 2}, {4, 3}, {8, 4}},
		RunsUpTo:  []UpTo{{1, 0}, {2, 0}, {5, 0}, {10, 1}, {20, 2}, {50, 3}, {100, 4}},
		Hours:     [24]int{0: 1, 1: 3}, HoursFrom: "time 0 of the trace",
	}
	tails := cmpopts.IgnoreFields(Quantiles{}, "P5", "P95", "P99") // not worked out by hand
	if diff := gocmp.Diff(want, s, tails); diff != "" {
		t.Error(diff)
	}
	for _, few := range [][]Job{nil, {job(1, 7, 10, 1)}} {
		if s := Describe(few, &Header{}, 16); s.Load != nil || s.Jobs != len(few) || s.Interarrival != (Quantiles{}) {
			t.Errorf("%d jobs: %+v", len(few), s)
		}
	}
}

func TestArrivalsByHour(t *testing.T) {
	header := func(lines ...string) *Header { return &Header{Lines: lines} }
	for _, c := range []struct {
		header *Header
		submit int64
		hour   int
		from   string
	}{
		{header(), 7200, 2, "time 0 of the trace"},
		{header("; TimeZone: 3600"), 7200, 2, "time 0 of the trace"},
		// Wed Jun 26 21:06:00 UTC 1996
		{header("; UnixStartTime: 835823160"), 0, 21, "midnight at UTC"},
		{header("; UnixStartTime: 835823160", "; TimeZone: -18000"), 0, 16, "midnight at UTC-5 h"},
		{header("; UnixStartTime: 835823160", "; TimeZone: 19800"), 0, 2, "midnight at UTC+5.5 h"},
		// Mon Feb 21 22:11:02 UTC 2005
		{header("# UnixStartTime: 5"), 1109023862, 22, "midnight at UTC"},
		{header("; UnixStartTime: 0", "; TimeZone: -3600"), 0, 23, "midnight at UTC-1 h"},
		// not twice as late
		{header("# UnixStartTime: 1109023862"), 1109023862, 22, "midnight at UTC"},
		// Sun Jun 11 04:26:40 UTC 2006
		{header("; UnixStartTime: 1000000000"), 150_000_000, 4, "midnight at UTC"},
	} {
		hours, from := arrivalsByHour([]Job{job(1, c.submit, 1, 1)}, c.header)
		if hours[c.hour] != 1 || from != c.from {
			t.Errorf("%q, submit %d: hours %v from %s, want %d from %s", c.header.Lines, c.submit, hours, from, c.hour, c.from)
		}
	}
}

// When a trace is shifted, the date in its header moves too, so that the hours of the day stay.
func TestShiftKeepsTheHours(t *testing.T) {
	for _, text := range []string{
		"; UnixStartTime: 835823160\n; TimeZone: -18000\n" + swfWith(2, "5000") + "\n" + swfWith(2, "99000"),
		gwfWith(2, "1109023862") + "\n" + gwfWith(2, "1109033862"),
		"; UnixStartTime: 1000000000\n" + swfWith(2, "150000000") + "\n" + swfWith(2, "150099000"),
	} {
		jobs, r := read(t, text, Options{})
		before, _ := arrivalsByHour(jobs, r.Header())
		jobs, report, err := (&Selection{ShiftToZero: true}).Apply(jobs)
		if err != nil {
			t.Fatal(err)
		}
		r.Header().MoveStart(r.Format(), report.Shifted)
		if after, _ := arrivalsByHour(jobs, r.Header()); after != before || jobs[0].Submit != 0 {
			t.Errorf("%s\nhours %v became %v, header %q", text, before, after, r.Header().Lines)
		}
	}
}

// The header dates a trace that is longer than three years, however large its submit times are.
func TestMoveStartOfALongTrace(t *testing.T) {
	for _, c := range []struct{ start, first, want string }{
		{"1000000000", "150000000", "1150000000"}, // counts from the header's date on
		{"0", "1109023862", "1109023862"},         // since 1970, which the header says
		{"1109023862", "1109023862", "1109023862"},
	} {
		text := "; UnixStartTime: " + c.start + "\n" + swfWith(2, c.first) + "\n"
		jobs, r := read(t, text, Options{})
		_, report, err := (&Selection{ShiftToZero: true}).Apply(jobs)
		if err != nil {
			t.Fatal(err)
		}
		r.Header().MoveStart(r.Format(), report.Shifted)
		if have, _ := r.Header().Value("UnixStartTime"); have != c.want {
			t.Errorf("%sshifted to 0: UnixStartTime %s, want %s", text, have, c.want)
		}
	}
	// Converting does not move the submits either.
	jobs, r := read(t, "# UnixStartTime: 1000000000\n"+gwfWith(2, "150000000"), Options{})
	header, _, _ := Convert(jobs, r.Header(), r.Names(), GWF, SWF)
	if start, _ := header.Value("UnixStartTime"); start != "1000000000" || jobs[0].Submit != 150_000_000 {
		t.Errorf("submit %d from %s", jobs[0].Submit, start)
	}
}

// A quantile is an element where (n-1)*p is whole, else between its two neighbours, and never falls
// as p grows.
func TestQuantile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(-1e6, 1e6), 2, 50).Draw(t, "values")
		slices.Sort(values)
		last := len(values) - 1
		for i, value := range values {
			if have := quantile(values, float64(i)/float64(last)); math.Abs(have-float64(value)) > 1e-6 {
				t.Fatalf("quantile %d/%d is %g, want %d", i, last, have, value)
			}
		}
		p, q := rapid.Float64Range(0, 1).Draw(t, "p"), rapid.Float64Range(0, 1).Draw(t, "q")
		if low, high := quantile(values, min(p, q)), quantile(values, max(p, q)); low > high {
			t.Fatalf("quantile falls from %g to %g", low, high)
		}
		i := int(p * float64(last))
		if have := quantile(values, p); have < float64(values[i]) || have > float64(values[min(i+1, last)]) {
			t.Fatalf("quantile %g is %g, not between %d and the next", p, have, values[i])
		}
	})
}
