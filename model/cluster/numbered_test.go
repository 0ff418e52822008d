// Jobs with fixed placement keep their processors and share none, on random workloads.

package cluster

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model/profile"
)

// watch checks the processors of jobs again and again.
type watch struct {
	firm    bool // no pivot is replaced, which could then be booked anew with other processors
	starts  []int64
	held    []profile.Set
	running []bool
}

// check checks that running jobs have as many processors as they need and share none, and that jobs
// that run, or have kept their booked start, have the same processors as at the last check.
func (w *watch) check(t *rapid.T, s *Site) {
	if err := s.plan.numbered.sets.Check(); err != nil {
		t.Fatal(err)
	}
	used := s.plan.numbered.sets.NewSet()
	for number := range s.jobs {
		start, held := s.starts[number], slices.Clone(s.plan.numbered.heldBy(int32(number)))
		if number == len(w.starts) {
			w.starts, w.held, w.running = append(w.starts, Never), append(w.held, nil), append(w.running, false)
		}
		known := w.firm || w.running[number]
		if known && start != Never && w.starts[number] == start && !slices.Equal(held, w.held[number]) {
			t.Fatalf("at %d job %d, which starts at %d, has processors %b, it had %b",
				s.now, number, start, held, w.held[number])
		}
		w.starts[number], w.held[number], w.running[number] = start, held, s.ends[number] != Never
		if start == Never || start > s.now || s.ends[number] <= s.now {
			continue
		}
		if held.Count() != s.jobs[number].Procs {
			t.Fatalf("at %d job %d of %d processors has %b", s.now, number, s.jobs[number].Procs, held)
		}
		for i := range used {
			if used[i]&held[i] != 0 {
				t.Fatalf("at %d job %d has %b, of which others have %b", s.now, number, held, used)
			}
			used[i] |= held[i]
		}
	}
}

func TestFixedProcessorsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := Config{
			Procs: rapid.SampledFrom([]int32{4, 10, 70}).Draw(t, "machine"), Placement: Fixed,
			Overrun:    rapid.SampledFrom([]Overrun{Kill, Raise}).Draw(t, "overrun"),
			Pivot:      rapid.SampledFrom([]Pivot{Replanned, Kept}).Draw(t, "pivot"),
			Boundaries: rapid.SampledFrom([][]int64{nil, {5}, {5, 15}}).Draw(t, "boundaries"),
		}
		var err error
		name := rapid.SampledFrom([]string{"fcfs", "easy", "easy:2", "conservative", "conservative:fixed"}).Draw(t, "policy")
		if config.Policy, err = ParsePolicy(name); err != nil {
			t.Fatal(err)
		}
		order := rapid.SampledFrom([]string{"arrival", "priority"}).Draw(t, "order")
		if config.Order, err = ParseOrder(order); err != nil {
			t.Fatal(err)
		}
		s, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		w := watch{firm: order == "arrival"}
		step := func(now int64) {
			for s.Next() < now {
				s.until(s.Next() + 1)
				w.check(t, s)
			}
		}
		now := int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "jobs") {
			now += rapid.Int64Range(0, 8).Draw(t, "gap")
			step(now)
			if rapid.IntRange(0, 4).Draw(t, "reserve") == 0 {
				r := Reservation{Procs: rapid.Int32Range(1, config.Procs).Draw(t, "reserved")}
				r.From = now + rapid.Int64Range(0, 20).Draw(t, "from")
				r.To = r.From + rapid.Int64Range(1, 20).Draw(t, "length")
				if err := s.Reserve(r); err == nil {
					w.check(t, s)
				}
			}
			submit(t, s, now, Job{
				Run: rapid.Int64Range(1, 20).Draw(t, "run"), Estimate: rapid.Int64Range(1, 25).Draw(t, "estimate"),
				Procs: rapid.Int32Range(1, config.Procs).Draw(t, "procs"), Priority: rapid.Int32Range(0, 1).Draw(t, "priority"),
			})
			w.check(t, s)
		}
		step(Never)
		for number, end := range s.ends {
			if end == Never {
				t.Fatalf("job %d never starts", number)
			}
		}
	})
}

// A reservation needs processors that are free all the time, not as many at each second.
func TestReservationOfFixedProcessors(t *testing.T) {
	for name, c := range map[string]struct {
		placement Placement
		want      string // the error
	}{
		"count": {Count, ""},
		"fixed": {Fixed, "1 processors from 3 to 15 s: at each second as many are free, but not the same ones throughout"},
	} {
		t.Run(name, func(t *testing.T) {
			policy, _ := ParsePolicy("fcfs")
			s, err := New(Config{Procs: 2, Policy: policy, Placement: c.placement, Reservations: []Reservation{{10, 30, 1}}})
			if err != nil {
				t.Fatal(err)
			}
			submit(t, s, 0, Job{Run: 2, Estimate: 10, Procs: 1})
			submit(t, s, 0, Job{Run: 10, Procs: 1})
			s.until(3) // one of the two is free until 10, the other one from then on
			got := ""
			if err := s.Reserve(Reservation{3, 15, 1}); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("error %q, want %q", got, c.want)
			}
			for _, r := range []Reservation{{3, 10, 2}, {3, 31, 2}} {
				if s.Reserve(r) == nil {
					t.Errorf("%d processors are reserved from %d to %d", r.Procs, r.From, r.To)
				}
			}
		})
	}
}

func TestFixedPlacementRefusesOverruns(t *testing.T) {
	policy, _ := ParsePolicy("easy")
	if _, err := New(Config{Procs: 2, Policy: policy, Placement: Fixed, Overrun: RunOn}); err == nil {
		t.Error("jobs that run on are no error")
	}
}
