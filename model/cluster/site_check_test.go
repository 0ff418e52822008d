// The parts of a site (queue, plan, bookings) are checked against one another after every pass on
// random workloads.

package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model/profile"
)

// check returns an error if a part of the site breaks its invariants after a pass.
func (s *Site) check() error {
	waiting := int64(0)
	for number, job := range s.jobs {
		if s.ends[number] == Never {
			waiting += int64(job.Procs)
		} else if s.starts[number] == Never {
			return fmt.Errorf("job %d ends and has no start", number)
		}
	}
	if waiting != s.load.wanted {
		return fmt.Errorf("%d processors are wanted, the load says %d", waiting, s.load.wanted)
	}
	queued := make([]int, len(s.load.partitions))
	for w := range s.queue.all() {
		if s.ends[w.number] != Never {
			return fmt.Errorf("job %d runs and is in the queue", w.number)
		}
		queued[s.partition(w.number)]++
	}
	for q, n := range queued {
		if n != s.load.partitions[q].queued {
			return fmt.Errorf("partition %d has %d waiting jobs, the load says %d", q, n, s.load.partitions[q].queued)
		}
	}
	return errors.Join(s.queue.check(), s.checkShortest(), s.checkPlan(), s.checkPolicy())
}

// checkShortest compares the queue by estimates with the queue.
func (s *Site) checkShortest() error {
	if s.shortest == nil {
		return nil
	}
	want := slices.SortedFunc(s.queue.all(), func(a, b *waiting) int { return s.shortest.compare(a, b) })
	have := slices.Collect(s.shortest.all())
	if !slices.EqualFunc(want, have, func(a, b *waiting) bool { return *a == *b }) {
		return fmt.Errorf("by estimates %d jobs wait, not the same as the %d of the queue", len(have), len(want))
	}
	return s.shortest.check()
}

// checkPlan compares the plan with running jobs, bookings and reservations.
func (s *Site) checkPlan() error {
	total := profile.New(s.config.Procs)
	total.Advance(s.now)
	for _, r := range s.config.Reservations {
		total.Add(r.From, r.To, -r.Procs)
	}
	for number, job := range s.jobs {
		start, until := s.starts[number], s.starts[number]+job.Estimate
		if start == Never || s.ends[number] <= s.now { // the job is not booked, or has ended
			continue
		}
		if s.tracksOverruns() && s.ends[number] != Never {
			until = s.overruns.planned[number]
		}
		total.Add(start, until, -job.Procs)
	}
	want, have := slices.Collect(total.Slots(s.now, Never)), slices.Collect(s.plan.total.Slots(s.now, Never))
	if !slices.Equal(want, have) {
		return fmt.Errorf("the plan is %v, want %v", have, want)
	}
	if s.plan.numbered != nil {
		return s.plan.numbered.sets.Check()
	}
	for _, slot := range have {
		sum := int32(0)
		for _, partition := range s.plan.counted {
			sum += partition.FreeAt(slot.From)
		}
		if sum != slot.Free {
			return fmt.Errorf("at %d %d processors are free, in the partitions %d", slot.From, slot.Free, sum)
		}
	}
	return s.plan.sum.Check()
}

// checkPolicy checks the bookings of the jobs in the queue.
func (s *Site) checkPolicy() error {
	switch p := s.scheduler.(type) {
	case *conservative:
		for w := range s.queue.all() {
			if w.start == Never || w.start != s.starts[w.number] {
				return fmt.Errorf("job %d is booked for %d, in the queue for %d", w.number, s.starts[w.number], w.start)
			}
		}
	case *predicting:
		byEstimate, inOrder := 0, 0
		for _, u := range p.nonempty {
			byEstimate, inOrder = byEstimate+u.byEstimate.size, inOrder+u.inOrder.size
			if err := errors.Join(u.byEstimate.check(), u.inOrder.check()); err != nil {
				return err
			}
		}
		if byEstimate != s.queue.size || inOrder != s.queue.size {
			return fmt.Errorf("%d and %d jobs wait by users, %d in the queue", byEstimate, inOrder, s.queue.size)
		}
	case *subqueues:
		waiting := 0
		for _, q := range p.nonempty {
			waiting += q.size
			if err := q.check(); err != nil {
				return err
			}
		}
		if waiting != s.queue.size {
			return fmt.Errorf("%d jobs wait in subqueues, %d in the queue", waiting, s.queue.size)
		}
	case *easy:
		if !slices.IsSortedFunc(p.pivots, func(a, b waiting) int { return s.compare(&a, &b) }) {
			return fmt.Errorf("pivots are not in queue order: %v", p.pivots)
		}
		booked := make([]int, len(p.quotas))
		for _, pivot := range p.pivots {
			booked[s.partition(pivot.number)]++
			if start := s.starts[pivot.number]; p.kept && start != pivot.start || !p.kept && start != Never {
				return fmt.Errorf("pivot %d for %d is booked for %d after the pass", pivot.number, pivot.start, start)
			}
		}
		for q, quota := range p.quotas {
			if booked[q] != quota.booked || quota.booked > quota.allowed {
				return fmt.Errorf("partition %d has %d pivots, counted as %d of %d", q, booked[q], quota.booked, quota.allowed)
			}
		}
		last := slices.IndexFunc(p.limits, func(l limit) bool { return l.estimate == unlimitedTime })
		descending := func(a, b limit) int { return cmp.Compare(b.procs, a.procs) }
		if last != len(p.limits)-1 || !slices.IsSortedFunc(p.limits, descending) {
			return fmt.Errorf("the limits are %v", p.limits)
		}
	}
	return nil
}

func TestPartsOfASiteKeepTheirInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := Config{
			Procs:      rapid.SampledFrom([]int32{3, 10, 70}).Draw(t, "machine"),
			Overrun:    rapid.SampledFrom([]Overrun{Kill, RunOn, Raise}).Draw(t, "overrun"),
			Pivot:      rapid.SampledFrom([]Pivot{Replanned, Kept}).Draw(t, "pivot"),
			Boundaries: rapid.SampledFrom([][]int64{nil, {5}, {5, 15}}).Draw(t, "boundaries"),
		}
		if config.Overrun != RunOn {
			config.Placement = rapid.SampledFrom([]Placement{Count, Fixed}).Draw(t, "placement")
			config.Reservations = rapid.SampledFrom([][]Reservation{nil, {{10, 30, 1}, {20, 40, 2}}}).Draw(t, "reservations")
		}
		policies := []string{"fcfs", "easy", "easy:3", "easy:all", "conservative", "conservative:fixed", "sjbf",
			"easy++", "easy++:estimate", "lookahead", "lookahead:3", "selective", "selective:1.5", "slack:0", "slack:0.5",
			"multifactor", "multifactor:1:2:3:20:10:4", "queues:4:any:any+any:2:2+any:any:any",
		}
		config.Policy, _ = ParsePolicy(rapid.SampledFrom(policies).Draw(t, "policy"))
		if config.Policy.check != nil {
			config.Pivot, config.Boundaries, config.Placement, config.Reservations = Replanned, nil, Count, nil
			if config.Overrun == RunOn && config.check() != nil {
				config.Overrun = Raise
			}
		}
		config.Order, _ = ParseOrder(rapid.SampledFrom([]string{"arrival", "shortest", "wfp3"}).Draw(t, "order"))
		if config.Order.Score != nil && rapid.Bool().Draw(t, "further key") {
			further, _ := ParseOrder(rapid.SampledFrom([]string{"largest", "wfp3"}).Draw(t, "next"))
			config.Order.Then = []Order{further}
		}
		s, err := New(config)
		if err != nil {
			t.Skip(err) // the reservations do not fit the partitions
		}
		now, left := int64(0), rapid.IntRange(1, 40).Draw(t, "jobs")
		for next := s.Next(); left > 0 || next != Never; next = s.Next() {
			if left > 0 && now <= next {
				next = now
			}
			s.Finish(next)
			for ; left > 0 && now == next; left-- {
				if _, err := s.Submit(now, Job{
					Run: rapid.Int64Range(1, 20).Draw(t, "run"), Estimate: rapid.Int64Range(1, 25).Draw(t, "estimate"),
					Procs: rapid.Int32Range(1, config.Procs).Draw(t, "procs"),
					User:  rapid.Int32Range(-1, 2).Draw(t, "user"),
				}); err != nil {
					t.Fatal(err)
				}
				now += rapid.Int64Range(0, 6).Draw(t, "gap")
			}
			s.Pass(next)
			if err := s.check(); err != nil {
				t.Fatalf("at %d: %v", next, err)
			}
		}
	})
}
