package brokering

import (
	"context"
	"strings"
	"testing"

	"gridsweep/model/rng"
)

// TestPlayEqualsNaiveWhereManyDiffer has hundreds of jobs wait of which no two need the same. At first they fill several blocs, with
// as many rungs on the ladders of these as there can be; then most have run, and those that are left are gathered in one.
func TestPlayEqualsNaiveWhereManyDiffer(t *testing.T) {
	stream := rng.New("many differ").Stream("jobs")
	domains := crowdedDomains(105, func(home *cluster) job {
		part, run := 0.1, 4 // most need little, and not for long
		if stream.Intn(4) == 0 {
			part, run = 1, 120
		}
		below := func(most int64) int64 { return 1 + int64(part*stream.Float64()*float64(most)) }
		return job{
			run: 1 + int64(stream.Intn(run)), clock: 1 + int64(stream.Intn(int(home.clock))),
			cpus: int32(below(int64(home.cpus))), memory: below(home.memory), disk: below(home.disk),
		}
	})
	forCrowds(t, func(t *testing.T, p Parameters) {
		requirePlay(t, p, domains)
		if p.Strategy == "SLOW" {
			return // nothing waits at brokers
		}
		most, last, full := 0, 0, false
		watch(t, p, domains, func(w *waiting) {
			last = len(w.blocs[0])
			most = max(most, last)
			for _, b := range w.blocs[0] {
				full = full || min(b.clocks.rungs, b.cpus.rungs, b.memories.rungs, b.least.rungs, b.most.rungs) == 64
			}
		})
		if most < 5 || last != 1 || !full {
			t.Errorf("%d blocs at most, %d at last, one with full ladders: %t; want 5, 1 and true", most, last, full)
		}
	})
}

// TestPlayEqualsNaiveWhereDisksDiffer has many jobs wait that differ in little but their disks, which are what resources lack:
// crowds of them are split, rejoined and split again.
func TestPlayEqualsNaiveWhereDisksDiffer(t *testing.T) {
	stream := rng.New("disks differ").Stream("jobs")
	domains := crowdedDomains(35, func(home *cluster) job {
		return job{
			run: 1 + int64(stream.Intn(300)), cpus: home.cpus / int32(4*(1+stream.Intn(2))),
			disk: int64(stream.Float64() * stream.Float64() * float64(home.disk)),
		}
	})
	forCrowds(t, func(t *testing.T, p Parameters) {
		requirePlay(t, p, domains)
		if p.Strategy == "SLOW" {
			return // nothing waits at brokers
		}
		rejoined, split := 0, false
		watch(t, p, domains, func(w *waiting) { // a split takes from spare what was put there where crowds were rejoined
			split = split || len(w.spare) < rejoined
			rejoined = max(rejoined, len(w.spare))
		})
		if rejoined < 10 || !split {
			t.Errorf("%d crowds were rejoined, and then some split: %t; want 10 and true", rejoined, split)
		}
	})
}

// forCrowds checks something under each strategy and preference.
func forCrowds(t *testing.T, check func(t *testing.T, p Parameters)) {
	for _, broker := range []struct{ strategy, rank string }{
		{"REGULAR", "sum"}, {"AGGR_SIMP", "mean"}, {"AGGR_CAT", "sum"}, {"AGGR_CAT", "best"}, {"SLOW", "sum"},
	} {
		for _, own := range []struct{ preference, as string }{{"none", "priority"}, {"equal", "priority"}, {"own", "priority"}, {"own", "queue"}} {
			p := defaults
			p.Strategy, p.Rank, p.Preference, p.OwnAs = broker.strategy, broker.rank, own.preference, own.as
			t.Run(strings.Join([]string{p.Strategy, p.Rank, p.Preference, p.OwnAs}, " "), func(t *testing.T) { check(t, p) })
		}
	}
}

// crowdedDomains returns domains of which each has so many jobs that wait, since at first others have its resources. In every second
// a job of another kind ends, so that there is a pass.
func crowdedDomains(jobs int, draw func(home *cluster) job) []domain {
	linux, aix := kind{"Intel", "Linux"}, kind{"AMD", "AIX"}
	domains := make([]domain, len(titles))
	for i := range domains {
		d := &domains[i]
		d.name, d.span = titles[i], perRejoin+50
		for j := range 2 {
			size := int64(100_000 + 30_000*i + 20_000*j)
			d.clusters = append(d.clusters, cluster{linux, size, int32(size), 2 * size, 3 * size})
			d.jobs = append(d.jobs, job{run: 5, kind: linux, cpus: int32(size)})
		}
		for range jobs {
			j := draw(&d.clusters[1])
			j.submit, j.kind = 1, linux
			d.jobs = append(d.jobs, j)
		}
	}
	d := &domains[0]
	d.clusters = append(d.clusters, cluster{aix, 1, 1, 1, 1})
	for second := range d.span {
		d.jobs = append(d.jobs, job{submit: 1 + second, run: 1, kind: aix, cpus: 1})
	}
	return domains
}

// watch plays the domains and lets look see what waits, again and again.
func watch(t *testing.T, p Parameters, domains []domain, look func(w *waiting)) {
	t.Helper()
	var pl *player
	pl = newPlayer(watching{t.Context(), func() { look(pl.waiting) }}, p, domains)
	if err := pl.run(); err != nil {
		t.Fatal(err)
	}
}

// watching is a context that tells whenever it is asked whether it is cancelled.
type watching struct {
	context.Context
	look func()
}

func (c watching) Err() error {
	c.look()
	return nil
}
