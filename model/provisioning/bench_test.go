// Benchmarks of schedulers and of the genetic algorithm, on drawn slots and on those of the log.

package provisioning

import (
	"fmt"
	"strconv"
	"testing"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// offered draws slots like those of a loaded cluster of 430 nodes.
func offered(n int) []slot {
	s := rng.New("bench").Stream("slots")
	var slots []slot
	left := int32(430)
	for i := range n {
		at := int64(i) * 86400 / int64(n)
		sl := slot{start: at, procs: 1 + int32(s.Intn(20)), unit: 1}
		sl.end = at + 600 + int64(s.Exp()*7200)
		if i%3 == 0 && left > 0 {
			sl.divisible, sl.extensible, sl.end = true, true, 2*86400
			sl.procs = min(left, 1+int32(s.Intn(2*430*3/n)))
			left -= sl.procs
		}
		slots = append(slots, sl)
	}
	return append(slots, slot{start: 86400, end: 2 * 86400, procs: max(left, 1), unit: 1, divisible: true,
		extensible: true})
}

func BenchmarkSchedule(b *testing.B) {
	synthetic := synthesise(synthesis{sites: 1, tasks: 100, levels: 10, runtime: 1000, processors: 22}, rng.New("x"))
	for _, n := range []int{30, 100, 300} {
		slots := offered(n)
		for _, w := range []struct {
			name     string
			workflow *workflow
		}{{"synthetic", synthetic}, {"cybershake", cyberShake()}} {
			b.Run(w.name+"/"+strconv.Itoa(n), func(b *testing.B) {
				s := newScheduler("heft", "always", slots, w.workflow)
				p := planOfAll(len(slots))
				b.ReportAllocs()
				for b.Loop() {
					if _, ok := s.schedule(p); !ok {
						b.Fatal("infeasible")
					}
				}
			})
		}
	}
}

// BenchmarkScheduleOfTheLog schedules on all slots that the log's cluster offers. Of all
// submissions and second copies it takes the one with nearest to 300 slots.
func BenchmarkScheduleOfTheLog(b *testing.B) {
	var slots []slot
	p, env := defaults, logEnvironment(b, 0)
	for _, p.Copy = range []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5} {
		machine := load(b, p, env)
		for replication := range int(p.Strata) {
			live, _ := machine.schedule(submittedAt(b, p, machine, replication))
			offered, _ := offers(live, int32(p.Nodes), int64(p.Horizon), p.Extension)
			if distance(len(offered)) < distance(len(slots)) {
				slots = offered
			}
		}
	}
	for name, w := range map[string]*workflow{"synthetic": workflowOf(p, env), "cybershake": cyberShake()} {
		b.Run(name, func(b *testing.B) {
			s := newScheduler("heft", "always", slots, w)
			plan := planOfAll(len(slots))
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := s.schedule(plan); !ok {
					b.Fatal("infeasible")
				}
			}
			b.ReportMetric(float64(len(slots)), "slots")
		})
	}
}

// distance returns how far a number is from 300.
func distance(slots int) int { return max(slots-300, 300-slots) }

// BenchmarkSearch runs the genetic algorithm on the slots that the cluster offers under the load of
// the site model.
func BenchmarkSearch(b *testing.B) {
	for _, w := range []struct {
		workflow                string
		population, generations int64
	}{{"synthetic", 100, 20}, {"cybershake", 10, 10}} {
		for _, load := range []float64{0, 0.2, 0.4} {
			b.Run(fmt.Sprintf("%s/copy=%v", w.workflow, load), func(b *testing.B) {
				p := defaults
				p.Trace, p.Workflow, p.Copy, p.Population, p.Generations =
					model.TraceModel, w.workflow, load, w.population, w.generations
				env := model.New(Spec).Env(1, 1, nil)
				background, err := loadBackground(b.Context(), p, env)
				if err != nil {
					b.Fatal(err)
				}
				at, err := drawSubmission(p, env, background)
				if err != nil {
					b.Fatal(err)
				}
				live, _ := background.schedule(at)
				slots, _ := offers(live, int32(p.Nodes), int64(p.Horizon), p.Extension)
				workflow := workflowOf(p, env)
				b.ReportAllocs()
				evaluated := int64(0)
				for b.Loop() {
					s, err := searchOffers(b.Context(), p, env, slots, workflow)
					if err != nil {
						b.Fatal(err)
					}
					evaluated += s.evaluations
				}
				b.ReportMetric(float64(len(slots)), "slots")
				b.ReportMetric(float64(evaluated)/b.Elapsed().Seconds(), "plans/s")
			})
		}
	}
}
