// Tests of users' schedulers: their events, and the errors of wrong answers.

package cluster_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model/cluster"
)

// script is a scheduler without a beginning.
type script func(*cluster.Pass) error

func (script) Begin(cluster.Config) error          { return nil }
func (s script) Schedule(pass *cluster.Pass) error { return s(pass) }

// scheduleBy simulates jobs under a scheduler.
func scheduleBy(t *testing.T, config cluster.Config, jobs []cluster.Job, s script) (cluster.Schedule, error) {
	t.Helper()
	config.Policy = cluster.NewPolicy("script", func() cluster.Scheduler { return s })
	return cluster.Simulate(t.Context(), config, jobs)
}

// starts returns a script that starts the jobs of a second and nothing else.
func starts(at map[int64][]int) script {
	return func(pass *cluster.Pass) error {
		for _, number := range at[pass.Now()] {
			if err := pass.Start(number); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestWrongStarts(t *testing.T) {
	three := []cluster.Job{
		{Submit: 0, Run: 10, Procs: 3}, {Submit: 5, Run: 10, Procs: 2}, {Submit: 6, Run: 30, Procs: 1},
	}
	reserved := []cluster.Reservation{{From: 30, To: 60, Procs: 4}}
	for _, c := range []struct {
		name string
		at   map[int64][]int
		want cluster.RuleError
	}{
		{"not submitted", map[int64][]int{0: {1}}, cluster.RuleError{Rule: cluster.UnknownJob, Time: 0, Job: 1,
			Text: "no job of this number has been submitted"}},
		{"negative", map[int64][]int{0: {-2}}, cluster.RuleError{Rule: cluster.UnknownJob, Time: 0, Job: -2,
			Text: "no job of this number has been submitted"}},
		{"runs", map[int64][]int{0: {0}, 5: {0}}, cluster.RuleError{Rule: cluster.StartedTwice, Time: 5, Job: 0,
			Text: "it started at 0 s"}},
		{"has ended", map[int64][]int{0: {0}, 10: {0}}, cluster.RuleError{Rule: cluster.StartedTwice, Time: 10, Job: 0,
			Text: "it started at 0 s"}},
		{"too large now", map[int64][]int{0: {0}, 5: {1}}, cluster.RuleError{Rule: cluster.TooManyProcs, Time: 5,
			Job: 1, Text: "it needs 2 processors, and 1 are free"}},
		{"reserved", map[int64][]int{0: {0}, 6: {2}}, cluster.RuleError{Rule: cluster.BeyondReservation, Time: 6,
			Job: 2, Text: "it needs 1 processors until 36 s, by its estimate, and from 30 s on 0 are free beside " +
				"reservations and bookings"}},
		{"never", map[int64][]int{0: {0}, 10: {1}}, cluster.RuleError{Rule: cluster.Deadlock, Time: 60, Job: 2,
			Text: "it waits for ever: nothing runs, nothing is to come, and policy script starts none of 1 waiting " +
				"jobs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scheduleBy(t, cluster.Config{Procs: 4, Reservations: reserved}, three, starts(c.at))
			var have *cluster.RuleError
			if !errors.As(err, &have) {
				t.Fatalf("error %v, want %v", err, &c.want)
			}
			if diff := cmp.Diff(c.want, *have); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A wrong start changes nothing: the scheduler may go on.
func TestWrongStartsChangeNothing(t *testing.T) {
	schedule, err := scheduleBy(t, cluster.Config{Procs: 4}, jobs, func(pass *cluster.Pass) error {
		for number := -1; number <= len(jobs); number++ {
			if pass.Start(number) != nil {
				continue
			}
			if pass.Start(number) == nil {
				t.Errorf("job %d starts twice", number)
			}
		}
		return nil
	})
	if want := []int64{0, 22, 2, 10}; err != nil || !slices.Equal(schedule.Start, want) {
		t.Errorf("starts %v, want %v; %v", schedule.Start, want, err)
	}
}

// The error of a scheduler ends the simulation.
func TestSchedulerFails(t *testing.T) {
	broken := errors.New("broken")
	passes := 0
	_, err := scheduleBy(t, cluster.Config{Procs: 4}, jobs, func(*cluster.Pass) error {
		passes++
		return broken
	})
	if !errors.Is(err, broken) || passes != 1 {
		t.Errorf("%v after %d passes, want %v after 1", err, passes, broken)
	}
}

// Each event comes once, in the order of the documentation, under both event orders. A requested
// pass comes where jobs wait.
func TestEvents(t *testing.T) {
	workload := []cluster.Job{
		{Submit: 0, Run: 10, Estimate: 15, Procs: 2}, {Submit: 0, Run: 10, Procs: 2},
		{Submit: 10, Run: 5, Procs: 6}, {Submit: 10, Run: 9, Procs: 1},
	}
	config := cluster.Config{Procs: 8, Reservations: []cluster.Reservation{
		{From: 4, To: 10, Procs: 2}, {From: 10, To: 12, Procs: 3}, {From: 30, To: 31, Procs: 1},
	}}
	for instant, want := range map[cluster.Instant][]string{
		cluster.Batch: {
			"0 s, 8 free: submit 0, submit 1",
			"10 s, 5 free: end 0, end 1, begin 4-10, end 4-10, begin 10-12, submit 2, submit 3",
			"12 s, 7 free: end 10-12",
			"14 s, 7 free: woken",
			"19 s, 8 free: end 3, end 2",
			"31 s, 8 free: begin 30-31, end 30-31",
		},
		cluster.Each: {
			"0 s, 8 free: submit 0",
			"0 s, 6 free: submit 1",
			"10 s, 3 free: begin 4-10, end 4-10, begin 10-12, submit 2", // job 1 was to end now
			"10 s, 3 free: submit 3",
			"10 s, 4 free: end 0",
			"10 s, 4 free: end 1",
			"10 s, 4 free: ", // of the end of the reservation
			"12 s, 7 free: end 10-12",
			"14 s, 7 free: woken",
			"19 s, 8 free: end 3",
			"19 s, 8 free: end 2",
			"31 s, 8 free: begin 30-31, end 30-31",
		},
	} {
		config.Instant = instant
		var log []string
		_, err := scheduleBy(t, config, workload, func(pass *cluster.Pass) error {
			log = append(log, fmt.Sprintf("%d s, %d free: %s", pass.Now(), pass.Free(), eventsOf(pass)))
			for number := range pass.Waiting() {
				if number != 2 || pass.Now() == 14 {
					_ = pass.Start(number)
				}
			}
			return pass.Wake(14 + pass.Now()/14*100)
		})
		if diff := cmp.Diff(want, log); err != nil || diff != "" {
			t.Errorf("event order %d: %v\n%s", instant, err, diff)
		}
	}
}

// eventsOf returns the events of a pass in words.
func eventsOf(pass *cluster.Pass) string {
	var words []string
	for _, e := range pass.Events() {
		r := fmt.Sprintf("%d-%d", e.Reservation.From, e.Reservation.To)
		switch e.Type {
		case cluster.Submitted:
			words = append(words, fmt.Sprint("submit ", e.Job))
		case cluster.Ended:
			words = append(words, fmt.Sprint("end ", e.Job))
		case cluster.ReservationBegan:
			words = append(words, "begin "+r)
		case cluster.ReservationEnded:
			words = append(words, "end "+r)
		case cluster.Woken:
			words = append(words, "woken")
		}
	}
	return strings.Join(words, ", ")
}

// A scheduler knows estimates, never run times.
func TestRunTimesAreHidden(t *testing.T) {
	_, err := scheduleBy(t, cluster.Config{Procs: 4}, jobs, func(pass *cluster.Pass) error {
		for number, job := range pass.Waiting() {
			if job.Run != 0 || pass.Job(number).Run != 0 || job.Estimate != jobs[number].Run {
				t.Errorf("job %d: %+v", number, job)
			}
			_ = pass.Start(number)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWakesArePastNow(t *testing.T) {
	for _, at := range []int64{-1, 0, cluster.MaxSeconds + 1, cluster.Never} {
		_, err := scheduleBy(t, cluster.Config{Procs: 4}, jobs, func(pass *cluster.Pass) error { return pass.Wake(at) })
		var have *cluster.RuleError
		if !errors.As(err, &have) || have.Rule != cluster.InThePast || have.Job != cluster.NoJob {
			t.Errorf("a pass at %d s: %v", at, err)
		}
	}
}

// A scheduler that asks for passes and starts nothing ends with an error, and after the last job it
// gets none.
func TestWakesEnd(t *testing.T) {
	config := cluster.Config{Procs: 4}
	_, err := scheduleBy(t, config, jobs, func(pass *cluster.Pass) error { return pass.Wake(pass.Now() + 1) })
	var have *cluster.RuleError
	if !errors.As(err, &have) || have.Rule != cluster.Deadlock || have.Job != 0 {
		t.Errorf("%v, want a deadlock of job 1", err)
	}
	last := int64(0)
	_, err = scheduleBy(t, config, jobs, func(pass *cluster.Pass) error {
		last = pass.Now()
		for number := range pass.Waiting() {
			_ = pass.Start(number)
		}
		return pass.Wake(pass.Now() + 1)
	})
	if err != nil || last != 32 {
		t.Errorf("the last pass is at %d s, want that of the last end, 32 s; %v", last, err)
	}
}

// A program needs a machine that it sees, and something that runs it.
func TestProgramPolicies(t *testing.T) {
	policy, err := cluster.ParsePolicy("exec:./p.py")
	if err != nil || policy.String() != "exec:./p.py" {
		t.Fatal(policy, err)
	}
	order, _ := cluster.ParseOrder("shortest")
	for want, config := range map[string]cluster.Config{
		"its program is not open":    {},
		"has one partition, not 2":   {Boundaries: []int64{60}},
		"its placement is count":     {Placement: cluster.Fixed},
		"it needs the order arrival": {Order: order},
	} {
		config.Procs, config.Policy = 4, policy
		_, err := cluster.Simulate(t.Context(), config, jobs)
		if err == nil || !strings.Contains(err.Error(), "policy exec:./p.py") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := cluster.ParsePolicy("exec: "); err == nil {
		t.Error("a policy without a program")
	}
}
