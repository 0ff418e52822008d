// Protocol tests: the messages, starts and refusals of scenarios worked out by hand.

package multisite

import (
	"context"

	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/workload"
)

// small are parameters of providers of so many processors without a warm-up.
func small(sizes, provider, gateway string) Parameters {
	p := defaults
	p.Sizes, p.Provider, p.Gateway, p.Warmup, p.Training = sizes, provider, gateway, 0, 0
	return p
}

// runWorld runs jobs to their end and returns the simulation.
func runWorld(t *testing.T, p Parameters, w *jobs) *world {
	t.Helper()
	for len(w.localJobs) < len(workload.Sizes(p.Sizes)) {
		w.localJobs = append(w.localJobs, nil)
	}
	world, err := newWorld(p, w, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := world.run(context.Background(), never); err != nil {
		t.Fatal(err)
	}
	return world
}

// sent returns the numbers of messages sent, by name.
func (w *world) sent() map[string]int64 {
	sent := map[string]int64{}
	for k, n := range w.messages {
		if n > 0 {
			sent[messageNames[k]] = n
		}
	}
	return sent
}

// Each scenario is one path through the protocol.
func TestMessages(t *testing.T) {
	busy := func(run int64, procs int32) []job { return []job{{Submit: 5, Run: run, Procs: procs}} }
	for _, c := range []struct {
		name     string
		p        Parameters
		interval int64
		jobs     jobs
		want     map[string]int64
		starts   []int64 // of the Grid jobs
		refusals []int32
	}{
		{
			name: "least-load reports at 0, 600 and 1200, and sends each job once",
			p:    small("4,4", "ArEb", "least-load"),
			jobs: jobs{gridJobs: []job{rigid(10, 100, 1), rigid(20, 100, 1), rigid(1200, 100, 1)}},
			want: map[string]int64{"load report": 6, "submit": 3}, starts: []int64{10, 20, 1200},
		},
		{
			name: "ask asks every provider for every job, also one that is too small",
			p:    small("4,2,4", "ArCb", "earliest-ask"),
			jobs: jobs{gridJobs: []job{rigid(10, 100, 3), rigid(20, 100, 1)}},
			want: map[string]int64{"slot request": 6, "slots": 6, "submit": 2}, starts: []int64{10, 20},
		},
		{
			name:     "publications at 0, 100 and 200, none after the last arrival",
			p:        small("4,4", "ArCb", "earliest-partial"),
			interval: 100,
			jobs:     jobs{gridJobs: []job{rigid(10, 500, 4), rigid(20, 500, 4), rigid(250, 10, 1)}},
			want:     map[string]int64{"slots": 6, "submit": 3}, starts: []int64{10, 20, 510},
		},
		{
			name:     "a reservation accepted is five messages",
			p:        small("4,4", "ArCb", "earliest-partial"),
			interval: 1000,
			jobs:     jobs{gridJobs: []job{rigid(10, 100, 2)}, deadlines: []int64{900}},
			want: map[string]int64{"slots": 2, "reserve": 1, "offer": 1, "commit": 1, "acknowledge": 1,
				"submit": 1}, starts: []int64{10},
		},
		{
			name:     "a reservation refused is two messages; the other provider is next",
			p:        small("4,4,4", "ArCb", "earliest-partial"),
			interval: 1000,
			jobs:     jobs{gridJobs: []job{rigid(10, 100, 2)}, deadlines: []int64{900}, localJobs: [][]job{busy(300, 4)}},
			want: map[string]int64{
				"slots": 3, "reserve": 2, "refuse": 1, "offer": 1, "commit": 1, "acknowledge": 1, "submit": 1,
			},
			starts: []int64{10}, refusals: []int32{1},
		},
		{
			name:     "the next slot of a provider that refused is tried if it is the earliest",
			p:        small("4,4,4", "ArCb", "earliest-partial"),
			interval: 1000,
			// The gateway sends a job for 400 s to each of the others and one for 20 s to the
			// first: there it expects a start at 30, but a local job has come meanwhile.
			jobs: jobs{
				gridJobs:  []job{rigid(1, 20, 4), rigid(1, 400, 4), rigid(1, 400, 4), rigid(10, 100, 2)},
				localJobs: [][]job{busy(40, 4)}, deadlines: []int64{never, never, never, 900},
			},
			want: map[string]int64{
				"slots": 3, "reserve": 2, "refuse": 1, "offer": 1, "commit": 1, "acknowledge": 1, "submit": 4,
			},
			starts: []int64{1, 1, 1, 61}, refusals: []int32{0, 0, 0, 1},
		},
		{
			name:     "tries used up: two of three providers refuse, and the job is rejected",
			p:        small("4,4,4", "ArCb", "earliest-partial"),
			interval: 1000,
			jobs: jobs{
				gridJobs: []job{rigid(10, 100, 2)}, deadlines: []int64{900},
				localJobs: [][]job{busy(300, 4), busy(200, 4), busy(100, 4)},
			},
			want: map[string]int64{"slots": 3, "reserve": 2, "refuse": 2}, starts: []int64{never}, refusals: []int32{2},
		},
		{
			name:     "a single provider is tried once",
			p:        small("4,2", "ArCb", "earliest-partial"),
			interval: 1000,
			jobs:     jobs{gridJobs: []job{rigid(10, 100, 3)}, deadlines: []int64{900}, localJobs: [][]job{busy(300, 4)}},
			want:     map[string]int64{"slots": 2, "reserve": 1, "refuse": 1}, starts: []int64{never}, refusals: []int32{1},
		},
		{
			name: "a reservation after asking is not refused",
			p:    small("4,4", "ArCb", "earliest-ask"),
			jobs: jobs{
				gridJobs: []job{rigid(10, 100, 2)}, deadlines: []int64{900},
				localJobs: [][]job{busy(300, 4), busy(200, 4)},
			},
			want: map[string]int64{
				"slot request": 2, "slots": 2, "reserve": 1, "offer": 1, "commit": 1, "acknowledge": 1, "submit": 1,
			},
			starts: []int64{205}, refusals: []int32{0},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.interval > 0 {
				c.p.Interval = model.Seconds(c.interval)
			}
			w := runWorld(t, c.p, &c.jobs)
			if diff := cmp.Diff(c.want, w.sent()); diff != "" {
				t.Errorf("messages (-want +have):\n%s", diff)
			}
			for i, want := range c.starts {
				if have := w.gridStart(i); have != want {
					t.Errorf("Grid job %d starts at %d, want %d", i+1, have, want)
				}
			}
			for i, want := range c.refusals {
				if have := w.decisions[i].refusals; have != want {
					t.Errorf("Grid job %d was refused %d times, want %d", i+1, have, want)
				}
			}
		})
	}
}

// A pass follows a reservation: the pivot moves back, and a job that would have delayed the pivot
// starts at once.
func TestPassAfterReservation(t *testing.T) {
	p := small("4", "ArEb", "earliest-ask")
	p.Pivot = "replanned"
	w := runWorld(t, p, &jobs{
		gridJobs: []job{rigid(10, 50, 2)}, deadlines: []int64{900},
		// Until 100 one processor is free; then the third job could have three, if the fourth did
		// not start.
		localJobs: [][]job{{rigid(0, 100, 2), rigid(0, 300, 1), rigid(1, 50, 3), rigid(2, 130, 1)}},
	})
	if start := w.gridStart(0); start != 100 {
		t.Errorf("the reservation begins at %d, want 100", start)
	}
	for i, want := range []int64{0, 0, 150, 10} {
		if have := w.localStart(0, i); have != want {
			t.Errorf("local job %d starts at %d, want %d", i+1, have, want)
		}
	}
}
