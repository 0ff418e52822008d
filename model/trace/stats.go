// Statistics: the description of a trace's jobs.

package trace

import (
	"fmt"
	"math/bits"
	"slices"
)

// Stats describe the jobs of a trace. Times are in seconds.
type Stats struct {
	Jobs        int   `json:"jobs"`
	FirstSubmit int64 `json:"first_submit"`
	LastSubmit  int64 `json:"last_submit"`
	Span        int64 `json:"span"` // from the first to the last submit

	Procs int64    `json:"procs"` // of the machine; 0 where it is not known
	Work  float64  `json:"work"`  // processor seconds: the sum of processors times run time
	Load  *float64 `json:"load"`  // Work / (Procs * Span); null where Procs or Span is 0

	Size         Quantiles `json:"size"`         // processors
	Run          Quantiles `json:"run"`          // run time
	Interarrival Quantiles `json:"interarrival"` // between one submit and the next
	// requested time of the jobs that have one; null where none has
	Estimate *Quantiles `json:"estimate"`

	Serial     int `json:"serial"`       // jobs on one processor
	PowerOfTwo int `json:"power_of_two"` // jobs on 2, 4, 8 and so on processors
	Estimated  int `json:"estimated"`    // jobs with a requested time above 0

	Users      int `json:"users"` // how many different ones; so with those that follow
	Groups     int `json:"groups"`
	Apps       int `json:"executables"`
	Queues     int `json:"queues"`
	Partitions int `json:"partitions"`
	Sites      int `json:"sites"`

	Statuses []StatusCount `json:"statuses"` // in the order of their numbers

	SizesUpTo []UpTo `json:"sizes_up_to"` // limits 1, 2, 4, 8 and so on, to the largest size
	// limits 1, 2, 5, 10, 20 and so on, to the longest run time
	RunsUpTo []UpTo `json:"runs_up_to"`

	Hours     [24]int `json:"arrivals_by_hour"`
	HoursFrom string  `json:"hours_from"` // what hour 0 is, in words
}

// UpTo counts the jobs whose size or run time is at most the limit.
type UpTo struct {
	Limit int64 `json:"limit"`
	Jobs  int   `json:"jobs"`
}

// StatusCount counts the jobs of a status.
type StatusCount struct {
	Status int8 `json:"status"`
	Jobs   int  `json:"jobs"`
}

// Describe returns the statistics of jobs that are sorted by submit time, as Clean leaves them, on
// a machine of so many processors; 0 where they are not known.
func Describe(jobs []Job, header *Header, procs int64) Stats {
	s := Stats{Jobs: len(jobs), Procs: procs}
	s.Hours, s.HoursFrom = arrivalsByHour(jobs, header)
	if len(jobs) == 0 {
		return s
	}
	s.FirstSubmit, s.LastSubmit = jobs[0].Submit, jobs[len(jobs)-1].Submit
	s.Span = s.LastSubmit - s.FirstSubmit
	s.Work = Work(jobs)
	for i := range jobs {
		j := &jobs[i]
		size := j.Size()
		switch {
		case size == 1:
			s.Serial++
		case size > 1 && bits.OnesCount32(uint32(size)) == 1:
			s.PowerOfTwo++
		}
		if j.ReqTime > 0 {
			s.Estimated++
		}
	}
	if procs > 0 && s.Span > 0 {
		load := s.Work / (float64(procs) * float64(s.Span))
		s.Load = &load
	}
	s.quantiles(jobs)
	s.count(jobs)
	return s
}

// Work returns the work of the jobs in processor-seconds: the sum of size × run time.
func Work(jobs []Job) float64 {
	work := 0.0
	for i := range jobs {
		work += float64(float64(jobs[i].Size()) * float64(jobs[i].Run))
	}
	return work
}

// quantiles fills in the distributions; one buffer serves them all.
func (s *Stats) quantiles(jobs []Job) {
	values := make([]int64, 0, len(jobs))
	collect := func(value func(i int) int64, from int) []int64 {
		values = values[:0]
		for i := from; i < len(jobs); i++ {
			values = append(values, value(i))
		}
		slices.Sort(values)
		return values
	}
	sizes := collect(func(i int) int64 { return int64(jobs[i].Size()) }, 0)
	s.Size, s.SizesUpTo = quantilesOf(sizes), upTo(sizes, []int64{1, 2, 4}, 8)
	runs := collect(func(i int) int64 { return jobs[i].Run }, 0)
	s.Run, s.RunsUpTo = quantilesOf(runs), upTo(runs, []int64{1, 2, 5}, 10)
	s.Interarrival = quantilesOf(collect(func(i int) int64 { return jobs[i].Submit - jobs[i-1].Submit }, 1))
	if s.Estimated > 0 {
		estimates := collect(func(i int) int64 { return max(0, jobs[i].ReqTime) }, 0)
		// those without one are sorted to the front
		q := quantilesOf(estimates[len(estimates)-s.Estimated:])
		s.Estimate = &q
	}
}

// upTo counts the sorted values up to each limit, until a limit includes all. The limits are the
// first ones, then these times the factor, and so on to about 2^59.
func upTo(sorted []int64, first []int64, factor int64) []UpTo {
	var counts []UpTo
	n := 0
	for scale := int64(1); scale < 1<<58; scale *= factor {
		for _, limit := range first {
			limit *= scale
			for n < len(sorted) && sorted[n] <= limit {
				n++
			}
			counts = append(counts, UpTo{limit, n})
			if n == len(sorted) {
				return counts
			}
		}
	}
	return counts
}

// count fills in how many different users and so on there are, and the statuses.
func (s *Stats) count(jobs []Job) {
	values := make([]int32, len(jobs))
	// in the order of Job.texts
	for field, different := range [...]*int{&s.Users, &s.Groups, &s.Apps, &s.Queues, &s.Partitions, &s.Sites} {
		for i := range jobs {
			values[i] = *jobs[i].texts()[field]
		}
		slices.Sort(values)
		for i, value := range values {
			if value >= 0 && (i == 0 || value != values[i-1]) {
				*different++
			}
		}
	}
	var counts [256]int
	for i := range jobs {
		counts[int(jobs[i].Status)+128]++
	}
	for i, n := range counts {
		if n > 0 {
			s.Statuses = append(s.Statuses, StatusCount{int8(i - 128), n})
		}
	}
}

const (
	hour = 3600
	day  = 24 * hour
)

// arrivalsByHour counts submits by the hour of the day, and says what hour 0 is:
//
//   - midnight in the system's time zone where the trace has a date, see Log.Start, and its header
//     a TimeZone (an offset in seconds, summer time left aside);
//   - midnight in UTC where it has a date alone;
//   - else the trace's time 0, which is midnight in workload models.
func arrivalsByHour(jobs []Job, header *Header) (hours [24]int, from string) {
	start, dated := header.start(firstSubmit(jobs))
	zone, zoned := header.number("TimeZone")
	switch {
	case !dated:
		start, from = 0, "time 0 of the trace"
	case zoned:
		start += zone
		from = fmt.Sprintf("midnight at UTC%+g h", float64(zone)/hour)
	default:
		from = "midnight at UTC"
	}
	for i := range jobs {
		hours[((jobs[i].Submit+start)%day+day)%day/hour]++
	}
	return hours, from
}
