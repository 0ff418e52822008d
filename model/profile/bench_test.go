// Benchmarks: queries and updates on profiles of several shapes and sizes, and a queue planned by
// conservative backfilling.

package profile

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Benchmarks of queries and updates on profiles of several shapes and sizes, and of a queue planned
// by conservative backfilling.

const (
	benchProcs    = 1024
	benchDuration = 1000 // s that the combs are a second too short for
)

// query has the arguments of a fit; start is the booking of the job for EarlierFit.
type query struct {
	from, duration, start int64
	procs                 int32
}

// shape adds n steps to an empty profile and makes a query.
type shape struct {
	name  string
	build func(p *Profile, r *rand.Rand, n int)
	query func(r *rand.Rand, end int64) query
}

// comb builds holes a second too short between teeth of a second that leave some processors free.
func comb(left int32) func(*Profile, *rand.Rand, int) {
	return func(p *Profile, _ *rand.Rand, n int) {
		for i := range int64(n / 2) {
			p.Reserve(i*benchDuration+benchDuration-1, benchProcs-left, 1)
		}
	}
}

// whole returns a query that fits only after all steps.
func whole(_ *rand.Rand, end int64) query {
	return query{from: 0, procs: benchProcs / 2, duration: benchDuration, start: end}
}

var shapes = []shape{
	{"random", func(p *Profile, r *rand.Rand, n int) {
		for i := range n {
			p.Add(int64(i)*100+r.Int64N(100), Forever, r.Int32N(benchProcs)-p.FreeAt(Forever-1))
		}
		p.Add(int64(n)*100, Forever, benchProcs-p.FreeAt(Forever-1))
	}, func(r *rand.Rand, end int64) query {
		return query{from: r.Int64N(end), procs: 1 + r.Int32N(benchProcs), duration: 1 + r.Int64N(2000), start: end}
	}},
	{"comb-busy", comb(0), whole},
	{"comb-few", comb(benchProcs/2 - 1), whole},
	// as many jobs of a processor, which end one after another
	{"staircase", func(p *Profile, r *rand.Rand, n int) {
		p.Add(0, Forever, int32(n)-benchProcs)
		for i := range n {
			p.Reserve(0, 1, int64(i)*100+r.Int64N(100)+1)
		}
	}, func(r *rand.Rand, end int64) query {
		return query{from: 0, procs: 1 + r.Int32N(int32(end/100)), duration: 1 + r.Int64N(2000), start: end}
	}},
}

// forShapes runs a benchmark on each shape at each number of steps, with the end of the last step
// and queries.
func forShapes(b *testing.B, run func(b *testing.B, p *Profile, end int64, queries []query)) {
	for _, shape := range shapes {
		for _, n := range []int{100, 300, 1000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				p := New(benchProcs)
				shape.build(p, r, n)
				end := int64(0)
				for slot := range p.Slots(0, Forever) {
					end = slot.From
				}
				queries := make([]query, 1024)
				for i := range queries {
					queries[i] = shape.query(r, end)
				}
				b.ResetTimer()
				run(b, p, end, queries)
			})
		}
	}
}

func BenchmarkEarliestFit(b *testing.B) {
	forShapes(b, func(b *testing.B, p *Profile, _ int64, queries []query) {
		for i := range b.N {
			q := &queries[i%len(queries)]
			p.EarliestFit(q.from, q.procs, q.duration)
		}
	})
}

func BenchmarkEarlierFit(b *testing.B) {
	forShapes(b, func(b *testing.B, p *Profile, _ int64, queries []query) {
		for i := range b.N {
			q := &queries[i%len(queries)]
			p.EarlierFit(q.from, q.procs, q.duration, q.start)
		}
	})
}

// BenchmarkUpdate reserves a random interval and releases it; half of them are short, half up to as
// long as the profile.
func BenchmarkUpdate(b *testing.B) {
	forShapes(b, func(b *testing.B, p *Profile, end int64, queries []query) {
		r := rand.New(rand.NewPCG(3, 4))
		for i := range queries {
			queries[i].from, queries[i].duration = r.Int64N(end), 1+r.Int64N(benchDuration)
			if i%2 == 0 {
				queries[i].duration = 1 + r.Int64N(end)
			}
		}
		b.ResetTimer()
		for i := range b.N {
			q := &queries[i%len(queries)]
			p.Reserve(q.from, 1, q.duration)
			p.Release(q.from, 1, q.duration)
		}
	})
}

// BenchmarkMix changes the profile between queries, so that summaries become loose bounds: each
// operation is a booking, a fit and a release.
func BenchmarkMix(b *testing.B) {
	forShapes(b, func(b *testing.B, p *Profile, end int64, queries []query) {
		r := rand.New(rand.NewPCG(3, 4))
		for i := range b.N {
			q := &queries[i%len(queries)]
			from, duration := r.Int64N(end), 1+r.Int64N(benchDuration)
			p.Reserve(from, 1, duration)
			p.EarliestFit(q.from, q.procs, q.duration)
			p.Release(from, 1, duration)
		}
	})
}

// BenchmarkQueue plans a queue job by job at its earliest fit, as conservative backfilling does, on
// an empty machine: one operation is a whole queue. Sizes and times are like those of the model of
// Lublin and Feitelson: a fourth are serial, three quarters of the others powers of two, and times
// spread evenly over orders of magnitude.
func BenchmarkQueue(b *testing.B) {
	for _, jobs := range []int{100, 1000, 10_000, 100_000, 300_000} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			queries := make([]query, jobs)
			r := rand.New(rand.NewPCG(5, 6))
			for i := range queries {
				queries[i].duration, queries[i].procs = lublin(r)
			}
			p, steps := New(benchProcs), 0
			for b.Loop() {
				p.Reset(benchProcs)
				for i := range queries {
					q := &queries[i]
					p.Reserve(p.EarliestFit(0, q.procs, q.duration), q.procs, q.duration)
				}
				steps = 0
				for range p.Slots(0, Forever) {
					steps++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(jobs), "ns/job")
			b.ReportMetric(float64(steps), "steps")
		})
	}
}

// BenchmarkSweep searches for an earlier start for each job of a queue planned as in
// BenchmarkQueue, and finds none: the work of compression at most ends of jobs. One operation is a
// whole queue.
func BenchmarkSweep(b *testing.B) {
	for _, jobs := range []int{100, 1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			r := rand.New(rand.NewPCG(5, 6))
			p := New(benchProcs)
			queries := make([]query, jobs)
			for i := range queries {
				q := &queries[i]
				q.duration, q.procs = lublin(r)
				q.start = p.EarliestFit(0, q.procs, q.duration)
				p.Reserve(q.start, q.procs, q.duration)
			}
			for b.Loop() {
				for i := range queries {
					q := &queries[i]
					p.EarlierFit(0, q.procs, q.duration, q.start)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(jobs), "ns/placement")
		})
	}
}

func lublin(r *rand.Rand) (duration int64, procs int32) {
	duration = max(1, int64(10*(1<<r.IntN(13))))
	duration += r.Int64N(duration)
	switch r.IntN(16) {
	case 0, 1, 2, 3:
		return duration, 1
	case 4, 5, 6:
		return duration, 1 + r.Int32N(benchProcs/2)
	}
	return duration, 1 << (1 + r.IntN(9))
}
