package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"gridsweep/results"
)

const (
	// beatSeconds is how often a process says that it is alive.
	beatSeconds = 5
	// silence is after how long without a sign a process counts as dead. Clocks of two machines may
	// differ by less.
	silence = time.Minute
)

// Heartbeat is the sign of life of a process that works at a plan: the file HOST-PID.json, which it
// alone writes while it runs and removes at its end. Nothing waits for it, so that one left behind
// by a dead machine holds up nobody.
type Heartbeat struct {
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Twin    int       `json:"twin,omitempty"` // from 2: containers of one host's name may all have process 1
	Job     string    `json:"job,omitempty"`  // as its batch system names it, such as slurm 123_4
	Plan    string    `json:"plan"`           // digest
	Started time.Time `json:"started"`
	Beat    time.Time `json:"beat"`
	Workers int       `json:"workers"`
	Runs    []string  `json:"runs"` // under way, by their ids
	// Of the runs that it was given and were not in the dataset: how many there are, and what
	// became of them.
	Total    int     `json:"total"`
	Done     int     `json:"done"`
	Failed   int     `json:"failed"`
	Cost     float64 `json:"cost"`
	CostDone float64 `json:"cost_done"`
}

// Silent returns how long before now the last sign was, or 0 where that is too short to mean
// anything. What comes from the future is as old: one of the clocks is wrong.
func (h Heartbeat) Silent(now time.Time) time.Duration {
	if age := now.Sub(h.Beat).Abs(); age > silence {
		return age
	}
	return 0
}

// Living returns those of the processes that have given a sign of life lately.
func Living(processes []Heartbeat, now time.Time) []Heartbeat {
	return slices.DeleteFunc(slices.Clone(processes), func(h Heartbeat) bool { return h.Silent(now) > 0 })
}

// Heartbeats returns the signs of life in a folder, which need not exist, in the order of their
// names. The error names a file that is none.
func Heartbeats(folder string) ([]Heartbeat, error) {
	entries, err := results.ListFolder(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for processes at work: %w", err)
	}
	var found []Heartbeat
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue // being written
		}
		path := filepath.Join(folder, entry.Name())
		h, err := readHeartbeat(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESTALE) {
			continue // its process has just ended
		}
		if err != nil {
			return nil, fmt.Errorf("%s is no sign of life of a process: %w: remove it", path, err)
		}
		found = append(found, h)
	}
	return found, nil
}

func readHeartbeat(path string) (Heartbeat, error) {
	var h Heartbeat
	text, err := results.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err == nil && h.file() != filepath.Base(path) {
		err = fmt.Errorf("it is of process %d on %q", h.PID, h.Host)
	}
	return h, err
}

// file returns the name of the heartbeat's file. A host may have any name; one with a slash would
// be a folder's, and one with a dot in front would pass for a file that is being written.
func (h Heartbeat) file() string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r == '.', r == '-', '0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z':
			return r
		default:
			return '_'
		}
	}, h.Host)
	if plain == "" || plain[0] == '.' {
		plain = "_" + plain
	}
	if h.Twin > 0 {
		return fmt.Sprintf("%s-%d-%d.json", plain, h.PID, h.Twin)
	}
	return fmt.Sprintf("%s-%d.json", plain, h.PID)
}

// newHeartbeat returns what does not change of a runner's sign of life.
func newHeartbeat(r *runner) Heartbeat {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return Heartbeat{
		Host: host, PID: os.Getpid(), Job: r.options.Job, Plan: r.plan.Digest(), Started: time.Now(),
		Workers: r.workers(), Total: len(r.todo), Cost: r.progress.Cost,
	}
}

// beat writes the runner's sign of life every few seconds until done is closed. One that cannot be
// written costs nobody a result: whatever is wrong with the disk is said where parts are written.
func (r *runner) beat(done <-chan struct{}) {
	folder := r.options.Running
	removeDead(folder, r.life.Host)
	r.becomeTwin(folder)
	path := filepath.Join(folder, r.life.file())
	defer os.Remove(path)
	ticker := time.NewTicker(beatSeconds * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
			_ = results.WriteFile(path, r.heartbeat().text())
		}
	}
}

// becomeTwin finds a name for the sign of life that no living process has, and writes the first.
func (r *runner) becomeTwin(folder string) {
	const most = 1000 // of one name and number; the rest go without a sign
	for twin := 2; twin <= most; twin++ {
		path := filepath.Join(folder, r.life.file())
		if err := results.CreateFile(path, r.heartbeat().text()); !errors.Is(err, fs.ErrExist) {
			return
		}
		if there, err := readHeartbeat(path); err != nil || there.Silent(time.Now()) > 0 {
			_ = results.WriteFile(path, r.heartbeat().text()) // in place of that of a dead process
			return
		}
		r.life.Twin = twin
	}
}

// text returns what stands in the heartbeat's file.
func (h Heartbeat) text() []byte {
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers, times of now and strings always marshal
	}
	return append(text, '\n')
}

// heartbeat returns the runner's sign of life at this moment.
func (r *runner) heartbeat() Heartbeat {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.life
	h.Beat = time.Now()
	h.Runs = slices.Sorted(maps.Keys(r.underWay))
	h.Done, h.Failed, h.CostDone = r.progress.Finished, r.progress.Failed, r.progress.CostDone
	return h
}

// removeDead removes what processes of this machine left behind that were killed. Where processes
// do not see each other, as in containers of one name, the file of a living one may go; it is back
// at the next beat.
func removeDead(folder, host string) {
	left, _ := Heartbeats(folder)
	for _, h := range left {
		if h.Host == host && errors.Is(syscall.Kill(h.PID, 0), syscall.ESRCH) {
			os.Remove(filepath.Join(folder, h.file()))
		}
	}
}
