// Tests that compression by freed holes moves each job as a search of the whole plan does.

package cluster

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawOverestimated draws jobs that arrive faster than they end, most with estimates above their
// run times.
func drawOverestimated(t *rapid.T, procs int32) []Job {
	gaps := rapid.Int64Range(0, rapid.Int64Range(1, 20).Draw(t, "longest gap"))
	longest := rapid.SampledFrom([]int64{5, 100, 5000}).Draw(t, "longest run time")
	jobs := make([]Job, rapid.IntRange(1, 150).Draw(t, "jobs"))
	now := int64(0)
	for i := range jobs {
		now += gaps.Draw(t, "gap")
		run := rapid.Int64Range(1, longest).Draw(t, "run time")
		jobs[i] = Job{
			Submit: now, Run: run, Estimate: run + rapid.Int64Range(-1, 2*longest).Draw(t, "overestimate"),
			Procs: rapid.Int32Range(1, procs).Draw(t, "procs"),
		}
	}
	return jobs
}

// TestFreedHolesAreWhereJobsMove simulates with and without holes.
func TestFreedHolesAreWhereJobsMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		procs := rapid.SampledFrom([]int32{1, 4, 50}).Draw(t, "processors")
		config := Config{
			Procs: procs, Overrun: rapid.SampledFrom([]Overrun{Kill, Raise}).Draw(t, "overrun"),
			Instant: rapid.SampledFrom([]Instant{Batch, Each}).Draw(t, "instant"),
			Order:   rapid.SampledFrom([]Order{{}, orderOf(t, "shortest"), orderOf(t, "wfp3")}).Draw(t, "order"),
		}
		if from := rapid.Int64Range(0, 500).Draw(t, "reservation"); from > 0 {
			config.Reservations = []Reservation{{From: from, To: from + 100, Procs: 1}}
		}
		few := rapid.IntRange(0, 5).Draw(t, "few")
		jobs := drawOverestimated(t, procs)
		schedule := func(usesHoles bool) []int64 {
			config.Policy = Policy{name: "conservative", scheduler: func(s *Site) scheduler {
				c := &conservative{site: s, compresses: true}
				if usesHoles {
					c.freed = newFreedHoles(s)
					c.freed.few = few
				}
				return c
			}}
			schedule, err := Simulate(context.Background(), config, jobs)
			if err != nil {
				t.Fatal(err)
			}
			return schedule.Start
		}
		if got, want := schedule(true), schedule(false); !slices.Equal(got, want) {
			t.Fatalf("with holes jobs start at %d, want %d", got, want)
		}
	})
}

func orderOf(t *rapid.T, name string) Order {
	order, err := ParseOrder(name)
	if err != nil {
		t.Fatal(err)
	}
	return order
}
