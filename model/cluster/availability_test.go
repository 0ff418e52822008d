// What a site shows of its availability is compared with profiles worked out by hand, and the
// starts that it shows with those that follow.

package cluster

import (
	"testing"

	"pgregory.net/rapid"
)

// both are the placements.
var both = map[string]Placement{"count": Count, "fixed": Fixed}

// availabilitySite has ten processors, of which the first four are busy until 100.
func availabilitySite(t *testing.T, placement Placement) *Site {
	policy, err := ParsePolicy("easy")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Procs: 10, Policy: policy, Placement: placement})
	if err != nil {
		t.Fatal(err)
	}
	submit(t, s, 0, Job{Run: 100, Procs: 4})
	return s
}

func TestAvailability(t *testing.T) {
	for name, placement := range both {
		t.Run(name, func(t *testing.T) { testAvailability(t, placement) })
	}
}

func testAvailability(t *testing.T, placement Placement) {
	s := availabilitySite(t, placement)
	a := s.NewAvailability()
	fits := func(from int64, procs int32, duration, want int64) {
		t.Helper()
		if got := a.EarliestFit(from, procs, duration); got != want {
			t.Errorf("%d processors for %d s fit at %d, want %d", procs, duration, got, want)
		}
	}
	most := func(want int32) {
		t.Helper()
		if a.Most() != want {
			t.Errorf("the most is %d, want %d", a.Most(), want)
		}
	}
	fits(0, 1, 1, Never)
	most(0)

	s.Show(a, 20, Never, 10)
	most(10)
	fits(20, 6, 1000, 20)
	fits(0, 6, 1000, 20) // nothing is known of before
	fits(20, 7, 1, 100)
	fits(200, 7, 1, 200)
	fits(20, 11, 1, Never)
	a.Book(20, 6, 50)
	fits(20, 1, 1, 70)
	most(10)
	if got := s.EarliestFit(20, 6, 50); got != 20 {
		t.Errorf("the site, which knows nothing of the booking, has room at %d, want 20", got)
	}

	s.Show(a, 30, 130, 8) // what was booked is forgotten
	most(8)
	fits(30, 6, 100, 30)
	fits(30, 6, 101, Never)
	fits(30, 8, 30, 100)
	fits(30, 9, 1, Never)
	fits(130, 1, 1, Never)

	s.Show(a, 40, 90, 5) // less than what is free
	most(5)
	fits(40, 5, 50, 40)
	s.Show(a, 50, 50, 10) // nothing
	most(0)
	fits(50, 1, 1, Never)
}

// Processors that a site has lost to running jobs are none that it shows.
func TestAvailabilityOfOverbookedProcessorsIsNone(t *testing.T) {
	s := availabilitySite(t, Count)
	s.plan.sum.Add(0, 50, -8)
	a := s.NewAvailability()
	s.Show(a, 0, 50, 10)
	if start := a.EarliestFit(0, 1, 1); start != Never || a.Most() != 0 {
		t.Errorf("a processor is free at %d, the most is %d; want Never and 0", start, a.Most())
	}
}

func TestAvailabilityRefusesWhatIsNotFree(t *testing.T) {
	for name, placement := range both {
		t.Run(name, func(t *testing.T) {
			s := availabilitySite(t, placement)
			a := s.NewAvailability()
			s.Show(a, 0, Never, 10)
			a.Book(0, 6, 10)
			defer func() {
				if recover() == nil {
					t.Error("a processor is booked twice")
				}
			}()
			a.Book(9, 1, 1)
		})
	}
}

// Of a site whose processors have numbers, a gateway that may have some sees those of the last
// partition, and books the lowest-numbered.
func TestAvailabilityOfFixedProcessors(t *testing.T) {
	s := availabilitySite(t, Fixed)                       // 0 to 3 until 100
	submit(t, s, 0, Job{Run: 50, Procs: 4})               // 4 to 7 until 50
	submit(t, s, 0, Job{Run: 30, Procs: 1})               // 8 until 30
	reserved := Reservation{From: 200, To: 300, Procs: 9} // 0 to 8
	if err := s.Reserve(reserved); err != nil {
		t.Fatal(err)
	}
	a := s.NewAvailability()
	s.Show(a, 10, Never, 5) // 5 to 9
	for _, c := range []struct {
		procs          int32
		duration, want int64
	}{
		{1, Never, 10}, {2, 170, 30}, {2, 171, 300}, {3, 150, 50}, {3, 151, 300}, {5, 1, 50}, {6, 1, Never},
	} {
		if got := a.EarliestFit(10, c.procs, c.duration); got != c.want {
			t.Errorf("%d for %d s fit at %d, want %d", c.procs, c.duration, got, c.want)
		}
	}
	if a.Most() != 5 {
		t.Errorf("the most is %d, want 5", a.Most())
	}
	a.Book(60, 4, 10) // 5 to 8: 9 stays free for good
	if got := a.EarliestFit(10, 1, 1000); got != 10 {
		t.Errorf("after a booking of the lowest-numbered, the last is free from %d on, want 10", got)
	}
	a.Book(10, 1, Never)
	if got := a.EarliestFit(10, 5, 1); got != Never {
		t.Errorf("the last, which is booked for good, is free at %d", got)
	}
}

// A gateway that is shown a conservative site knows the start of each job, also of several that it
// books one after another, as long as nobody else submits. With fixed processors in partitions it
// knows that of the first.
func TestAvailabilityForetellsStarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy, _ := ParsePolicy("conservative:fixed")
		procs := rapid.Int32Range(1, 12).Draw(t, "machine")
		placement := rapid.SampledFrom([]Placement{Count, Fixed}).Draw(t, "placement")
		config := Config{Procs: procs, Policy: policy, Placement: placement}
		if placement == Fixed && procs > 2 {
			config.Boundaries = rapid.SampledFrom([][]int64{nil, {10}, {5, 20}}).Draw(t, "boundaries")
		}
		s, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		a := s.NewAvailability()
		draw := func() Job {
			run := rapid.Int64Range(1, 30).Draw(t, "run")
			estimate := run + rapid.Int64Range(0, 5).Draw(t, "over")
			return Job{Run: run, Estimate: estimate, Procs: rapid.Int32Range(1, procs).Draw(t, "procs")}
		}
		now := int64(0)
		for range rapid.IntRange(1, 20).Draw(t, "publications") {
			now += rapid.Int64Range(0, 20).Draw(t, "gap")
			s.until(now)
			s.Finish(now)
			s.Pass(now)
			for range rapid.IntRange(0, 3).Draw(t, "local jobs") {
				submit(t, s, now, draw())
			}
			if rapid.Bool().Draw(t, "reservation") {
				from := now + rapid.Int64Range(0, 20).Draw(t, "from")
				to := from + rapid.Int64Range(1, 20).Draw(t, "length")
				_ = s.Reserve(Reservation{From: from, To: to, Procs: rapid.Int32Range(1, procs).Draw(t, "reserved")})
			}
			s.Show(a, now, Never, procs)
			for range rapid.IntRange(1, 3).Draw(t, "Grid jobs") {
				job := draw()
				want := a.EarliestFit(now, job.Procs, job.Estimate)
				if got := s.EarliestFit(now, job.Procs, job.Estimate); got != want {
					t.Fatalf("the site has room at %d, what it shows at %d", got, want)
				}
				a.Book(want, job.Procs, job.Estimate)
				if got := s.starts[submit(t, s, now, job)]; got != want {
					t.Fatalf("the job starts at %d, its slot at %d", got, want)
				}
				if config.Boundaries != nil {
					break
				}
			}
		}
	})
}

// What waits is counted from the submit to the start.
func TestWanted(t *testing.T) {
	policy, _ := ParsePolicy("easy")
	s, err := New(Config{Procs: 4, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		now          int64
		procs        int32 // of a job of 10 s that comes; 0: none does
		wanted, free int64
	}{{0, 3, 0, 1}, {1, 2, 2, 1}, {2, 4, 6, 1}, {10, 0, 4, 2}, {20, 0, 0, 0}, {30, 0, 0, 4}} {
		s.until(c.now)
		s.Finish(c.now)
		if c.procs > 0 {
			if _, err := s.Submit(c.now, Job{Run: 10, Procs: c.procs}); err != nil {
				t.Fatal(err)
			}
		}
		s.Pass(c.now)
		if s.Wanted() != c.wanted || int64(s.Free(c.now)) != c.free {
			t.Errorf("at %d s %d processors are wanted and %d free, want %d and %d",
				c.now, s.Wanted(), s.Free(c.now), c.wanted, c.free)
		}
	}
}

// Fixed placement is for machines whose processors can be listed; a reservation may be as long as a
// job, and begin after the longest.
func TestBoundsOfPlacementAndReservations(t *testing.T) {
	policy, _ := ParsePolicy("conservative:fixed")
	if _, err := New(Config{Procs: 4097, Policy: policy, Placement: Fixed}); err == nil {
		t.Error("fixed placement on 4,097 processors is no error")
	}
	s, err := New(Config{Procs: 4096, Policy: policy, Placement: Fixed})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, to int64
		ok       bool
	}{{10, 10 + 1<<32, true}, {10 + 1<<32, 10 + 2<<32, true}, {5, 6 + 1<<32, false}, {5, 5, false}} {
		if err := s.Reserve(Reservation{From: c.from, To: c.to, Procs: 1}); (err == nil) != c.ok {
			t.Errorf("a reservation from %d to %d: %v", c.from, c.to, err)
		}
	}
}
