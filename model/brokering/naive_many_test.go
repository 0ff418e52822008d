// Systems in which many jobs wait, compared with the naive simulator.

package brokering

import (
	"context"
	"strings"
	"testing"

	"gridsweep/model/brokering/pool"
	"gridsweep/model/brokering/retry"
	"gridsweep/model/rng"
)

// TestSimulationEqualsNaiveWhereManyDiffer has hundreds of waiting jobs with different
// requirements. At first they fill several blocks. When most have run, the rest is moved to one
// block.
func TestSimulationEqualsNaiveWhereManyDiffer(t *testing.T) {
	stream := rng.New("many differ").Stream("jobs")
	domains := busyDomains(105, func(larger *cluster) job {
		share, run := 0.1, 4 // most need little, and not for long
		if stream.Intn(4) == 0 {
			share, run = 1, 480
		}
		below := func(most int64) int64 { return 1 + int64(share*stream.Float64()*float64(most)) }
		return job{
			run: 1 + int64(stream.Intn(run)), clock: 1 + int64(stream.Intn(int(larger.clock))),
			cpus: int32(below(int64(larger.cpus))), memory: below(larger.memory), disk: below(larger.disk),
		}
	})
	forClasses(t, func(t *testing.T, p Parameters) {
		requireNaiveOutcome(t, p, domains)
		if p.Strategy == "SLOW" {
			return // no job waits at a broker
		}
		most, last := 0, 0
		watch(t, p, domains, func(s retry.Stats) {
			if s.Blocks > 0 {
				last = s.Blocks
			}
			most = max(most, last)
		})
		if most < 5 || last != 1 {
			t.Errorf("%d blocks at most and %d at last, want 5 and 1", most, last)
		}
	})
}

// TestSimulationEqualsNaiveWhereDisksDiffer has many waiting jobs that differ in their disks alone,
// which resources lack: their classes are split, merged and split again.
func TestSimulationEqualsNaiveWhereDisksDiffer(t *testing.T) {
	stream := rng.New("disks differ").Stream("jobs")
	domains := busyDomains(60, func(larger *cluster) job {
		disk := stream.Float64() * stream.Float64() * float64(larger.disk)
		return job{run: 1 + int64(stream.Intn(600)), cpus: larger.cpus / 10, disk: int64(disk)}
	})
	forClasses(t, func(t *testing.T, p Parameters) {
		requireNaiveOutcome(t, p, domains)
		if p.Strategy == "SLOW" {
			return // no job waits at a broker
		}
		merges, splits := 0, 0 // splits before the tenth merge
		last := 0
		watch(t, p, domains, func(s retry.Stats) {
			if merges, last = s.Merges, s.Splits; merges < 10 {
				splits = s.Splits
			}
		})
		if merges < 10 || last == splits {
			t.Errorf("%d classes were merged and %d split after the tenth; want 10 and 1 at least", merges, last-splits)
		}
	})
}

// mergePasses is after how many passes, at most, an index merges classes.
const mergePasses = 1024

// forClasses runs a check under each strategy and preference.
func forClasses(t *testing.T, check func(t *testing.T, p Parameters)) {
	for _, broker := range []struct{ strategy, rank string }{
		{"REGULAR", "sum"}, {"AGGR_SIMP", "mean"}, {"AGGR_CAT", "sum"}, {"AGGR_CAT", "best"}, {"SLOW", "sum"},
	} {
		for _, own := range []struct{ preference, as string }{{"none", "priority"}, {"equal", "priority"},
			{"own", "priority"}, {"own", "queue"}} {
			p := defaults
			p.Strategy, p.Rank, p.Preference, p.OwnAs = broker.strategy, broker.rank, own.preference, own.as
			t.Run(strings.Join([]string{p.Strategy, p.Rank, p.Preference, p.OwnAs}, " "), func(t *testing.T) { check(t, p) })
		}
	}
}

// busyDomains returns domains whose resources are taken at first, so that each has so many waiting
// jobs. In every second a job of another platform ends, which causes a pass.
func busyDomains(jobs int, draw func(larger *cluster) job) []domain {
	linux, aix := pool.Platform{Vendor: "Intel", System: "Linux"}, pool.Platform{Vendor: "AMD", System: "AIX"}
	domains := make([]domain, len(titles))
	for i := range domains {
		d := &domains[i]
		d.name, d.span = titles[i], mergePasses+50
		for j := range 2 {
			size := int64(100_000 + 30_000*i + 20_000*j)
			d.clusters = append(d.clusters, cluster{linux, size, int32(size), 2 * size, 3 * size})
			d.jobs = append(d.jobs, job{run: 5, platform: linux, cpus: d.clusters[j].cpus})
		}
		for range jobs {
			j := draw(&d.clusters[1])
			j.submit, j.platform = 1, linux
			d.jobs = append(d.jobs, j)
		}
	}
	d := &domains[0]
	d.clusters = append(d.clusters, cluster{aix, 1, 1, 1, 1})
	for second := range d.span {
		d.jobs = append(d.jobs, job{submit: 1 + second, run: 1, platform: aix, cpus: 1})
	}
	return domains
}

// watch simulates the domains and calls check with the statistics of the index again and again.
func watch(t *testing.T, p Parameters, domains []domain, check func(s retry.Stats)) {
	t.Helper()
	var sim *simulation
	sim = newSimulation(watching{t.Context(), func() { check(sim.waiting.(*retry.Index).Stats()) }}, p, domains)
	if err := sim.run(); err != nil {
		t.Fatal(err)
	}
}

// watching is a context that calls checked whenever Err is called.
type watching struct {
	context.Context
	checked func()
}

func (c watching) Err() error {
	c.checked()
	return nil
}
