// Load forecast tests: Algorithm 1 on a site of ten processors, with partitions and pivots worked
// out by hand.

package multisite

import (
	"math"
	"testing"

	"gridsweep/model/cluster"
)

// forecastSite is a machine of ten processors whose jobs are local or of the Grid.
type forecastSite struct {
	*testing.T
	*cluster.Site
	number int // of jobs
}

func newForecastSite(t *testing.T, assumptions Parameters) (*forecastSite, *loadForecast) {
	p := defaults
	p.Provider = "ArEbMf"
	config, err := siteConfig(p, 10)
	if err != nil {
		t.Fatal(err)
	}
	site, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return &forecastSite{T: t, Site: site}, newLoadForecast(&assumptions, site, 10, 5)
}

// until processes all events of the site before a second.
func (s *forecastSite) until(now int64) {
	for s.Next() < now {
		at := s.Next()
		s.Finish(at)
		s.Pass(at)
	}
}

// submit submits a job and returns its number.
func (s *forecastSite) submit(now, run int64, procs, partition int32) int {
	s.until(now)
	s.Finish(now)
	number, err := s.Submit(now, cluster.Job{Run: run, Procs: procs, Partition: partition})
	if err != nil {
		s.Fatal(err)
	}
	s.Pass(now)
	s.number = number + 1
	return number
}

// pivots returns how many jobs are booked after a second.
func (s *forecastSite) pivots(now int64) int {
	pivots := 0
	for number := range s.number {
		if at := s.Booked(number); at > now && at < never {
			pivots++
		}
	}
	return pivots
}

func TestForecastIsAWeightedMean(t *testing.T) {
	const w = 24.0 / 26
	for _, c := range []struct {
		loads []float64
		want  float64
	}{
		{[]float64{0.5}, 0.5},
		{[]float64{0.4, 0.8}, (0.4 + w*0.8) / (1 + w)},
		{[]float64{1, 0, 0}, 1 / (1 + w + w*w)},
	} {
		if got := movingAverage(0, c.loads); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("the forecast after %v is %v, want %v", c.loads, got, c.want)
		}
	}
}

// Algorithm 1 by hand: five processors are busy with local work for the first 125 seconds, then
// eight.
func TestPartitionsFollowTheLocalLoad(t *testing.T) {
	for _, c := range []struct {
		name    string
		line8   string
		predict func(now int64, loads []float64) float64
		third   int32 // processors of the Grid partition at 200
	}{
		{"by forecast", "forecast", movingAverage, 3},
		{"by actual", "actual", movingAverage, 2},
		{"oracle", "forecast", func(now int64, loads []float64) float64 { return float64(now) / 200 }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, f := newForecastSite(t, Parameters{Line8: c.line8})
			f.predict = c.predict
			requireProcs := func(want int32, procs int32) {
				t.Helper()
				if procs != want {
					t.Errorf("the Grid partition has %d processors, want %d", procs, want)
				}
			}
			watch := func(now int64, want int32, changes bool) {
				t.Helper()
				procs, resized := f.reallocate(now)
				requireProcs(want, procs)
				if resized != changes {
					t.Errorf("at %d resized is %v, want %v", now, resized, changes)
				}
			}
			requireProcs(5, f.publish(0)) // no load is measured yet: the shares stay
			s.submit(0, 1000, 5, localPartition)
			s.submit(0, 40, 2, gridPartition)
			watch(25, 5, false) // there is no forecast yet
			s.until(100)
			requireProcs(5, f.publish(100)) // the load was 0.5, and 100 s are half of the oracle's
			watch(125, 5, false)            // the load equals the forecast
			s.submit(125, 1000, 3, localPartition)
			watch(150, 3, true)  // 5 for 50 s and 3 for 25 s of 10 · 50: 0.65
			watch(175, 3, false) // resized once in an interval
			s.until(200)
			// From 100 to 200 the load was 0.725, before 0.5: (0.725 + 24/26·0.5) / (1 + 24/26) =
			// 0.617.
			requireProcs(c.third, f.publish(200))
			if got := f.loads; len(got) != 2 || got[0] != 0.725 || got[1] != 0.5 {
				t.Errorf("the past loads are %v, want 0.725 and 0.5", got)
			}
			if c.third > 0 {
				watch(225, 2, true) // the load is 0.8
			} else {
				watch(225, 0, false) // the oracle forecast 1
			}
		})
	}
}

// Rounding costs no processor: the Grid partition has all that are not busy.
func TestSharesOfWholeProcessors(t *testing.T) {
	for busy := int32(1); busy <= 10; busy++ {
		s, f := newForecastSite(t, Parameters{})
		f.publish(0)
		s.submit(0, 1000, busy, localPartition)
		if procs := f.publish(7); procs != 10-busy {
			t.Errorf("with %d of 10 processors busy the Grid gets %d, want %d", busy, procs, 10-busy)
		}
	}
}

// Before the training begins no partition is resized and no load is kept, but all waiting jobs are
// planned.
func TestForecastBeginsAfterItsTraining(t *testing.T) {
	s, f := newForecastSite(t, Parameters{Warmup: 150})
	f.publish(0)
	s.submit(0, 1000, 10, localPartition)
	for range 3 {
		s.submit(1, 10, 10, gridPartition)
	}
	for _, now := range []int64{100, 200} { // at 200 the first window begins
		if procs := f.publish(now); procs != 5 || s.pivots(now) != 3 || len(f.loads) > 0 {
			t.Errorf("at %d: %d processors, %d pivots, loads %v; want 5, 3 and none", now, procs, s.pivots(now), f.loads)
		}
		if _, resized := f.reallocate(now + 50); resized {
			t.Errorf("at %d the partitions are resized, want no change before the first forecast", now+50)
		}
	}
	if procs := f.publish(300); procs != 0 || len(f.loads) != 1 {
		t.Errorf("%d processors and the loads %v after a load of 1, want none and one", procs, f.loads)
	}
}

// After an underestimation every job is booked when it arrives, until the next publication.
func TestUnderestimationMakesThePolicyConservative(t *testing.T) {
	s, f := newForecastSite(t, Parameters{})
	f.publish(0)
	s.until(100)
	f.publish(100) // the load was 0
	s.submit(100, 1000, 10, localPartition)
	three := func(now int64) {
		for q := range int32(2) {
			for range 3 {
				s.submit(now, 100, 10, q)
			}
		}
	}
	pivots := func(now int64, want int) {
		t.Helper()
		if have := s.pivots(now); have != want {
			t.Errorf("%d pivots at %d, want %d", have, now, want)
		}
	}
	three(101)
	pivots(101, 2)
	if _, resized := f.reallocate(150); !resized {
		t.Fatal("a load of 1 above a forecast of 0 does not resize the partitions")
	}
	pivots(150, 6)
	// two pivots, local and Grid jobs
	for number, want := range []int64{100, 1100, 1300, 1400, 1200, 1500, 1600} {
		if start := s.Booked(number); start != want {
			t.Errorf("job %d starts or is booked at %d, want %d", number, start, want)
		}
	}
	three(160)
	pivots(160, 12)
	f.publish(200)
	three(210)
	pivots(210, 12)
	f.publish(300)
	pivots(300, 18)
}

// The mean of equal loads in double precision is not always that load; a load that stays the same
// is never above its forecast.
func TestLoadThatStaysTheSameIsNotUnderestimated(t *testing.T) {
	for procs := int32(1); procs <= 10; procs++ {
		site, forecast := newForecastSite(t, Parameters{})
		site.submit(0, 1000, procs, localPartition)
		forecast.publish(0)
		for now := int64(7); now < 300; now += 7 {
			if offered := forecast.publish(now); offered != 10-procs {
				t.Errorf("%d of 10 processors are busy at %d: the Grid gets %d, want %d", procs, now, offered, 10-procs)
			}
			if _, resized := forecast.reallocate(now + 3); resized {
				t.Errorf("%d processors are always busy, and at %d the partitions are resized", procs, now+3)
			}
		}
	}
}

// A publication books all waiting jobs, and the bookings stay.
func TestPublicationBooksAllWaitingJobs(t *testing.T) {
	s, f := newForecastSite(t, Parameters{})
	s.submit(0, 100, 10, localPartition)
	var numbers []int
	for range 4 {
		numbers = append(numbers, s.submit(1, 100, 10, gridPartition))
	}
	if pivots := s.pivots(1); pivots != 1 {
		t.Fatalf("%d pivots before the publication, want 1", pivots)
	}
	f.publish(10)
	if pivots := s.pivots(10); pivots != 4 {
		t.Fatalf("%d pivots after the publication, want all 4", pivots)
	}
	late := s.submit(20, 5, 10, localPartition)
	s.until(1000)
	for i, number := range numbers {
		if start, _ := s.Start(number); start != int64(100*(i+1)) {
			t.Errorf("Grid job %d starts at %d, want its booking at %d", i, start, 100*(i+1))
		}
	}
	if start, _ := s.Start(late); start != 500 {
		t.Errorf("the job that came later starts at %d, want 500, after all bookings", start)
	}
}

// A booking is kept although the job would not fit in the resized partitions.
func TestPivotStartsAsBookedInResizedPartitions(t *testing.T) {
	site, forecast := newForecastSite(t, Parameters{})
	local := func(now, run int64, procs int32) int {
		return site.submit(now, run, procs, localPartition)
	}
	local(0, 21, 10)
	first, second := local(0, 2, 5), local(0, 1, 5)
	forecast.publish(0) // books both for 21, the second in the Grid's partition
	if offered := forecast.publish(10); offered != 0 {
		t.Fatalf("all processors are busy: the Grid gets %d, want 0", offered)
	}
	third := local(20, 1, 5)
	forecast.publish(20) // at 22, beside the first job
	site.until(30)
	for i, want := range map[int]int64{first: 21, second: 21, third: 22} {
		if start, _ := site.Start(i); start != want {
			t.Errorf("job %d starts at %d, want %d", i, start, want)
		}
	}
}
