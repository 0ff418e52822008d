package cluster

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// forecastSite is a machine of ten processors whose jobs are local or of the Grid.
func forecastSite(t interface{ Fatal(...any) }, config Config) (*Site, *LoadForecast) {
	policy, err := ParsePolicy("easy")
	if err != nil {
		t.Fatal(err)
	}
	config.Procs, config.Shares, config.Policy, config.Pivot = 10, []int32{5, 5}, policy, Kept
	site, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	forecast, err := NewLoadForecast(site)
	if err != nil {
		t.Fatal(err)
	}
	return site, forecast
}

// until lets the site do all that it has to do before a second.
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
		{nil, 0},
		{[]float64{0.5}, 0.5},
		{[]float64{0.4, 0.8}, (0.4 + w*0.8) / (1 + w)},
		{[]float64{1, 0, 0}, 1 / (1 + w + w*w)},
	} {
		if got := forecast(c.loads); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("the forecast after %v is %v, want %v", c.loads, got, c.want)
		}
	}
}

// Algorithm 1 by hand: five processors are busy with local work for the first hundred seconds, then eight.
func TestPartitionsFollowTheLocalLoad(t *testing.T) {
	s, f := forecastSite(t, Config{})
	if procs := f.Publish(0); procs != 10 {
		t.Errorf("nothing is known, and Grid jobs get %d processors, want 10", procs)
	}
	submit(t, s, 0, Job{Run: 1000, Procs: 5, Partition: LocalPartition})
	submit(t, s, 0, Job{Run: 40, Procs: 2, Partition: GridPartition})
	s.until(100)
	if procs := f.Publish(100); procs != 5 {
		t.Errorf("the local load was 0.5, and Grid jobs get %d processors, want 5", procs)
	}
	if procs, resized := f.Reallocate(125); resized || procs != 5 {
		t.Errorf("the load is what was forecast: %d processors, resized %v; want 5, false", procs, resized)
	}
	submit(t, s, 125, Job{Run: 1000, Procs: 3, Partition: LocalPartition})
	// From 100 to 150: 5 for 50 s and 3 for 25 s of 10 · 50.
	if procs, resized := f.Reallocate(150); !resized || procs != 3 {
		t.Errorf("the load is 0.65: %d processors, resized %v; want 3, true", procs, resized)
	}
	s.until(200)
	// From 150 to 200 the load is 0.8, before 0.5: (0.8 + 24/26·0.5) / (1 + 24/26) = 0.656.
	if procs := f.Publish(200); procs != 3 {
		t.Errorf("after loads of 0.5 and 0.8 Grid jobs get %d processors, want 3", procs)
	}
}

// A publication books all that waits, and the bookings stay.
func TestPublicationBooksAllThatWaits(t *testing.T) {
	s, f := forecastSite(t, Config{})
	submit(t, s, 0, Job{Run: 100, Procs: 10, Partition: LocalPartition})
	var numbers []int
	for range 4 {
		numbers = append(numbers, submit(t, s, 1, Job{Run: 100, Procs: 10, Partition: GridPartition}))
	}
	if len(s.pivots) != 1 {
		t.Fatalf("%d pivots before the publication, want 1", len(s.pivots))
	}
	f.Publish(10)
	if len(s.pivots) != 4 {
		t.Fatalf("%d pivots after the publication, want all 4", len(s.pivots))
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

// Whatever the partitions are resized to, no processor is used twice, reservations are honoured and every job runs.
func TestResizedPartitionsKeepTheInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reservations := []Reservation{{From: 30, To: 60, Procs: 4}, {From: 60, To: 90, Procs: 10}}
		order := Order{}
		if rapid.Bool().Draw(t, "priorities") {
			order, _ = ParseOrder("priority")
		}
		s, f := forecastSite(t, Config{Reservations: reservations, Order: order})
		now := int64(0)
		jobs := rapid.IntRange(1, 30).Draw(t, "jobs")
		for range jobs {
			now += rapid.Int64Range(0, 20).Draw(t, "gap")
			run := rapid.Int64Range(1, 40).Draw(t, "run")
			job := Job{Run: run, Estimate: run + rapid.Int64Range(0, 10).Draw(t, "early"), Procs: rapid.Int32Range(1, 10).Draw(t, "procs"),
				Partition: rapid.Int32Range(0, 1).Draw(t, "partition")}
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
			want := int64(0)
			for number, job := range s.jobs {
				if int(job.Partition) == q {
					_, end := s.Start(number)
					want += int64(job.Procs) * (end - job.Submit)
				}
			}
			if got := s.demanded(s.now, q); got != want {
				t.Fatalf("the demand in partition %d is %d, want %d", q, got, want)
			}
		}
	})
}
