package cluster

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// forecastSite is a machine of ten processors whose jobs are local or of the Grid.
func forecastSite(t interface{ Fatal(...any) }, config Config, options ForecastOptions) (*Site, *LoadForecast) {
	policy, err := ParsePolicy("easy")
	if err != nil {
		t.Fatal(err)
	}
	config.Procs, config.Shares, config.Policy, config.Pivot = 10, []int32{5, 5}, policy, Kept
	site, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	forecast, err := NewLoadForecast(site, options)
	if err != nil {
		t.Fatal(err)
	}
	return site, forecast
}

// until processes all events of the site before a second.
func (s *Site) until(now int64) {
	for s.Next() < now {
		at := s.Next()
		s.Finish(at)
		s.Pass(at)
	}
}

func submit(t interface{ Fatal(...any) }, s *Site, now int64, job Job) int {
	s.until(now)
	s.Finish(now)
	number, err := s.Submit(now, job)
	if err != nil {
		t.Fatal(err)
	}
	s.Pass(now)
	return number
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
		options ForecastOptions
		third   int32 // what Grid jobs get at 200
	}{
		{"by forecast", ForecastOptions{}, 3},
		{"by actual", ForecastOptions{ByActual: true}, 2},
		{"oracle", ForecastOptions{Predict: func(now int64, loads []float64) float64 { return float64(now) / 200 }}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, f := forecastSite(t, Config{}, c.options)
			grid := func(want int32, procs int32) {
				t.Helper()
				if procs != want || s.plan.shares[GridPartition] != want {
					t.Errorf("Grid jobs get %d processors and have %d, want %d", procs, s.plan.shares[GridPartition], want)
				}
			}
			watch := func(now int64, want int32, changes bool) {
				t.Helper()
				procs, resized := f.Reallocate(now)
				grid(want, procs)
				if resized != changes {
					t.Errorf("at %d resized is %v, want %v", now, resized, changes)
				}
			}
			grid(5, f.Publish(0)) // nothing is known: the shares stay
			submit(t, s, 0, Job{Run: 1000, Procs: 5, Partition: LocalPartition})
			submit(t, s, 0, Job{Run: 40, Procs: 2, Partition: GridPartition})
			watch(25, 5, false) // and nothing is compared with
			s.until(100)
			grid(5, f.Publish(100)) // the load was 0.5, and 100 s are half of the oracle's
			watch(125, 5, false)    // it is what was forecast
			submit(t, s, 125, Job{Run: 1000, Procs: 3, Partition: LocalPartition})
			watch(150, 3, true)  // 5 for 50 s and 3 for 25 s of 10 · 50: 0.65
			watch(175, 3, false) // once is enough
			s.until(200)
			// From 100 to 200 the load was 0.725, before 0.5: (0.725 + 24/26·0.5) / (1 + 24/26) =
			// 0.617.
			grid(c.third, f.Publish(200))
			if got := f.loads; len(got) != 2 || got[0] != 0.725 || got[1] != 0.5 {
				t.Errorf("the past loads are %v, want 0.725 and 0.5", got)
			}
			if c.third > 0 {
				watch(225, 2, true) // the load is 0.8
			} else {
				watch(225, 0, false) // the oracle said 1
			}
		})
	}
}

// A share that is whole but for the rounding of a product is not a processor less.
func TestSharesOfWholeProcessors(t *testing.T) {
	for busy := int32(1); busy <= 10; busy++ {
		s, f := forecastSite(t, Config{}, ForecastOptions{})
		f.Publish(0)
		submit(t, s, 0, Job{Run: 1000, Procs: busy, Partition: LocalPartition})
		if procs := f.Publish(7); procs != 10-busy {
			t.Errorf("of %d busy processors Grid jobs get %d", busy, procs)
		}
	}
}

// Before the training begins nothing is resized or remembered, but all that waits is planned.
func TestForecastBeginsAfterItsTraining(t *testing.T) {
	s, f := forecastSite(t, Config{}, ForecastOptions{From: 150})
	f.Publish(0)
	submit(t, s, 0, Job{Run: 1000, Procs: 10, Partition: LocalPartition})
	for range 3 {
		submit(t, s, 1, Job{Run: 10, Procs: 10, Partition: GridPartition})
	}
	for _, now := range []int64{100, 200} { // at 200 the first window begins
		if procs := f.Publish(now); procs != 5 || len(f.policy.pivots) != 3 || len(f.loads) > 0 {
			t.Errorf("at %d: %d processors, %d pivots, loads %v; want 5, 3 and none", now, procs, len(f.policy.pivots), f.loads)
		}
		if _, resized := f.Reallocate(now + 50); resized {
			t.Errorf("at %d the partitions are resized by a forecast that there is not", now+50)
		}
	}
	if procs := f.Publish(300); procs != 0 || len(f.loads) != 1 {
		t.Errorf("%d processors and the loads %v after a load of 1, want none and one", procs, f.loads)
	}
}

// After an underestimation every job that comes is booked, until the next publication.
func TestUnderestimationMakesThePolicyConservative(t *testing.T) {
	s, f := forecastSite(t, Config{}, ForecastOptions{})
	f.Publish(0)
	s.until(100)
	f.Publish(100) // the load was 0
	submit(t, s, 100, Job{Run: 1000, Procs: 10, Partition: LocalPartition})
	three := func(now int64) {
		for q := range int32(2) {
			for range 3 {
				submit(t, s, now, Job{Run: 100, Procs: 10, Partition: q})
			}
		}
	}
	pivots := func(want int) {
		t.Helper()
		if len(f.policy.pivots) != want {
			t.Errorf("%d pivots at %d, want %d", len(f.policy.pivots), s.now, want)
		}
	}
	three(101)
	pivots(2)
	if _, resized := f.Reallocate(150); !resized {
		t.Fatal("a load of 1 where none was forecast goes unnoticed")
	}
	pivots(6)
	for number, want := range []int64{100, 1100, 1300, 1400, 1200, 1500, 1600} { // two pivots, then local, then Grid jobs
		if start := s.starts[number]; start != want {
			t.Errorf("job %d starts or is booked at %d, want %d", number, start, want)
		}
	}
	three(160)
	pivots(12)
	f.Publish(200)
	three(210)
	pivots(12)
	f.Publish(300)
	pivots(18)
}

// The mean of equal loads in double precision is not always that load.
func TestLoadThatStaysTheSameIsNotUnderestimated(t *testing.T) {
	for procs := int32(1); procs <= 10; procs++ {
		site, forecast := forecastSite(t, Config{}, ForecastOptions{})
		submit(t, site, 0, Job{Run: 1000, Estimate: 1000, Procs: procs, Partition: LocalPartition})
		forecast.Publish(0)
		for now := int64(7); now < 300; now += 7 {
			if grid := forecast.Publish(now); grid != 10-procs {
				t.Errorf("%d processors are busy at %d, and the Grid gets %d of 10", procs, now, grid)
			}
			if _, resized := forecast.Reallocate(now + 3); resized {
				t.Errorf("%d processors are busy all the time, and at %d the load is above its forecast", procs, now+3)
			}
		}
	}
}

// A publication books all waiting jobs, and the bookings stay.
func TestPublicationBooksAllWaitingJobs(t *testing.T) {
	s, f := forecastSite(t, Config{}, ForecastOptions{})
	submit(t, s, 0, Job{Run: 100, Procs: 10, Partition: LocalPartition})
	var numbers []int
	for range 4 {
		numbers = append(numbers, submit(t, s, 1, Job{Run: 100, Procs: 10, Partition: GridPartition}))
	}
	if len(f.policy.pivots) != 1 {
		t.Fatalf("%d pivots before the publication, want 1", len(f.policy.pivots))
	}
	f.Publish(10)
	if len(f.policy.pivots) != 4 {
		t.Fatalf("%d pivots after the publication, want all 4", len(f.policy.pivots))
	}
	late := submit(t, s, 20, Job{Run: 5, Procs: 10, Partition: LocalPartition})
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

// A booking is kept although in the resized partitions the job would not fit if it were booked
// anew.
func TestPivotStartsAsBookedInResizedPartitions(t *testing.T) {
	site, forecast := forecastSite(t, Config{}, ForecastOptions{})
	local := func(now, run int64, procs int32) int {
		return submit(t, site, now, Job{Run: run, Estimate: run, Procs: procs, Partition: LocalPartition})
	}
	local(0, 21, 10)
	first, second := local(0, 2, 5), local(0, 1, 5)
	forecast.Publish(0) // books both for 21, the second in the Grid's partition
	if grid := forecast.Publish(10); grid != 0 {
		t.Fatalf("all is busy, and the Grid gets %d processors", grid)
	}
	third := local(20, 1, 5)
	forecast.Publish(20) // at 22, beside the first job
	site.until(30)
	for i, want := range map[int]int64{first: 21, second: 21, third: 22} {
		if start, _ := site.Start(i); start != want {
			t.Errorf("job %d starts at %d, want %d", i, start, want)
		}
	}
}

// Whatever the partitions are resized to, no processor is used twice, reservations are honoured and
// every job runs.
func TestResizedPartitionsKeepTheInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reservations := []Reservation{{From: 30, To: 60, Procs: 4}, {From: 60, To: 90, Procs: 10}}
		order := Order{}
		if rapid.Bool().Draw(t, "priorities") {
			order, _ = ParseOrder("priority")
		}
		options := ForecastOptions{From: rapid.Int64Range(0, 60).Draw(t, "from"), ByActual: rapid.Bool().Draw(t, "by actual")}
		placement := rapid.SampledFrom([]Placement{Count, Fixed}).Draw(t, "placement")
		s, f := forecastSite(t, Config{Reservations: reservations, Order: order, Placement: placement}, options)
		now := int64(0)
		jobs := rapid.IntRange(1, 30).Draw(t, "jobs")
		for range jobs {
			now += rapid.Int64Range(0, 20).Draw(t, "gap")
			run := rapid.Int64Range(1, 40).Draw(t, "run")
			job := Job{
				Run: run, Estimate: run + rapid.Int64Range(0, 10).Draw(t, "early"),
				Procs: rapid.Int32Range(1, 10).Draw(t, "procs"), Partition: rapid.Int32Range(0, 1).Draw(t, "partition"),
			}
			job.Priority = 1 - job.Partition
			submit(t, s, now, job)
			switch rapid.IntRange(0, 2).Draw(t, "then") {
			case 1:
				f.Publish(now)
			case 2:
				f.Reallocate(now)
			}
		}
		s.until(Never)
		used := slices.Repeat([]int32{0}, 4000)
		for _, r := range reservations {
			for at := r.From; at < r.To; at++ {
				used[at] += r.Procs
			}
		}
		for number, job := range s.jobs {
			start, end := s.Start(number)
			if start == Never || start < job.Submit || end != start+job.Run {
				t.Fatalf("job %d, submitted at %d for %d s, runs from %d to %d", number, job.Submit, job.Run, start, end)
			}
			for at := start; at < end; at++ {
				if used[at] += job.Procs; used[at] > 10 {
					t.Fatalf("at %d s %d processors are used", at, used[at])
				}
			}
		}
		for q := range 2 {
			present, running := int64(0), int64(0)
			for number, job := range s.jobs {
				if int(job.Partition) == q {
					start, end := s.Start(number)
					present += int64(job.Procs) * (end - job.Submit)
					running += int64(job.Procs) * (end - start)
				}
			}
			if got := s.load.partitions[q].present.until(s.now); got != present {
				t.Fatalf("jobs of partition %d were present for %d, want %d", q, got, present)
			}
			if got := s.load.partitions[q].running.until(s.now); got != running {
				t.Fatalf("jobs of partition %d have run for %d, want %d", q, got, running)
			}
		}
	})
}

// ArEbM of the paper by hand: three partitions of a processor each by estimate, each with a kept
// pivot; local jobs come before Grid jobs. Every job needs all three processors.
func TestHigherPriorityReplacesAPivot(t *testing.T) {
	policy, _ := ParsePolicy("easy")
	order, _ := ParseOrder("priority")
	s, err := New(Config{Procs: 3, Policy: policy, Order: order, Pivot: Kept, Boundaries: []int64{1000, 10000}})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		run      int64
		priority int32
		starts   []int64 // booked, of all jobs that have come
	}{
		{500, 1, []int64{0}},
		{400, 0, []int64{0, 500}},                            // the pivot of the first partition
		{2000, 0, []int64{0, 500, 900}},                      // the pivot of the second
		{300, 0, []int64{0, 500, 900, Never}},                // of the first, which has one
		{350, 1, []int64{0, Never, 900, Never, 500}},         // is ahead, and takes its place
		{2500, 0, []int64{0, Never, 900, Never, 500, Never}}, // the second partition has one
		{2600, 1, []int64{0, Never, Never, Never, 500, Never, 850}},
	} {
		submit(t, s, int64(i), Job{Run: c.run, Procs: 3, Priority: c.priority})
		if !slices.Equal(s.starts, c.starts) {
			t.Fatalf("after job %d the starts and bookings are %v, want %v", i, s.starts, c.starts)
		}
	}
	s.until(Never)
	// Job 4 ends at 850. Then jobs 1 and 3 fit nowhere before job 6, and it goes on in the order of
	// arrival.
	if want := []int64{0, 3450, 3850, 5850, 500, 6150, 850}; !slices.Equal(s.starts, want) {
		t.Errorf("the starts are %v, want %v", s.starts, want)
	}
}
