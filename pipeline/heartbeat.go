// Heartbeats: files that show which processes add runs to a dataset, and how far each is.

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
	// beatSeconds is the time between two heartbeats of a process.
	beatSeconds = 5
	// silence is the time after the last heartbeat when a process counts as dead. The clocks of two
	// machines should differ by less.
	silence = time.Minute
)

// Heartbeat is the state of a process that executes runs of a plan: the file HOST-PID.json, which
// the process writes while it runs and removes at its end. Nothing waits for it, so one that a dead
// machine left delays no process.
type Heartbeat struct {
	Host string `json:"host"`
	PID  int    `json:"pid"`
	// 2, 3, … for further processes with the same Host and PID, as containers may have; else 0
	Twin    int       `json:"twin,omitempty"`
	Job     string    `json:"job,omitempty"` // the batch system's name, such as slurm 123_4
	Plan    string    `json:"plan"`          // checksum, see sweeps.Plan.Checksum
	Started time.Time `json:"started"`
	Beat    time.Time `json:"beat"`
	Workers int       `json:"workers"`
	Runs    []string  `json:"runs"` // under way, by their ids
	// Numbers and costs of the runs that Run was called with and that needed work, see Finished.
	Total    int     `json:"total"`
	Done     int     `json:"done"`
	Failed   int     `json:"failed"`
	Cost     float64 `json:"cost"`
	CostDone float64 `json:"cost_done"`
}

// Silent returns the time since the last heartbeat, or 0 if the process counts as alive. A
// heartbeat in the future counts as that old: one of the clocks is wrong.
func (h Heartbeat) Silent(now time.Time) time.Duration {
	if age := now.Sub(h.Beat).Abs(); age > silence {
		return age
	}
	return 0
}

// Living returns the processes that count as alive.
func Living(processes []Heartbeat, now time.Time) []Heartbeat {
	return slices.DeleteFunc(slices.Clone(processes), func(h Heartbeat) bool { return h.Silent(now) > 0 })
}

// Heartbeats returns the heartbeats in a folder, which need not exist, in the order of their names.
// The error names a file that is not one.
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
			continue // the process has just ended
		}
		if err != nil {
			return nil, fmt.Errorf("%s is no heartbeat of a process: %w: remove it", path, err)
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
	if err == nil && h.fileName() != filepath.Base(path) {
		err = fmt.Errorf("it is of process %d on %q", h.PID, h.Host)
	}
	return h, err
}

// fileName returns the name of the heartbeat's file. The name of the host may have any characters:
// a slash would make a folder, and a dot in front a temporary file.
func (h Heartbeat) fileName() string {
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

// newHeartbeat returns the fields of a runner's heartbeat that do not change.
func newHeartbeat(r *runner) Heartbeat {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return Heartbeat{
		Host: host, PID: os.Getpid(), Job: r.options.Job, Plan: r.plan.Checksum(), Started: time.Now(),
		Workers: r.workers(), Total: len(r.todo), Cost: r.progress.Cost,
	}
}

// beat writes the runner's heartbeat every few seconds until done is closed. It ignores errors of
// writing: if the disk is the reason, writing the next batch returns it.
func (r *runner) beat(done <-chan struct{}) {
	folder := r.options.Running
	removeDead(folder, r.identity.Host)
	r.createHeartbeat(folder)
	path := filepath.Join(folder, r.identity.fileName())
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

// createHeartbeat writes the first heartbeat, under a name that no living process has.
func (r *runner) createHeartbeat(folder string) {
	const most = 1000 // of one host name and process number; further processes share the last file
	for twin := 2; twin <= most; twin++ {
		path := filepath.Join(folder, r.identity.fileName())
		if err := results.CreateFile(path, r.heartbeat().text()); !errors.Is(err, fs.ErrExist) {
			return
		}
		if other, err := readHeartbeat(path); err != nil || other.Silent(time.Now()) > 0 {
			// in place of a dead process' heartbeat
			_ = results.WriteFile(path, r.heartbeat().text())
			return
		}
		r.identity.Twin = twin
	}
}

// text returns the content of the heartbeat's file.
func (h Heartbeat) text() []byte {
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers, times of now and strings always marshal
	}
	return append(text, '\n')
}

// heartbeat returns the runner's heartbeat at this moment.
func (r *runner) heartbeat() Heartbeat {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.identity
	h.Beat = time.Now()
	h.Runs = slices.Sorted(maps.Keys(r.underWay))
	h.Done, h.Failed, h.CostDone = r.progress.Finished, r.progress.Failed, r.progress.CostDone
	return h
}

// removeDead removes the heartbeats of killed processes of this machine. If processes do not see
// each other, as in containers with one host name, it may remove that of a living process, which
// writes it again at the next beat.
func removeDead(folder, host string) {
	left, _ := Heartbeats(folder)
	for _, h := range left {
		if h.Host == host && hasEnded(h.PID) {
			os.Remove(filepath.Join(folder, h.fileName()))
		}
	}
}

// hasEnded reports whether no process of this machine has the number pid.
func hasEnded(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil { // Windows looks for it at once, and denies access to the processes of others
		return !errors.Is(err, fs.ErrPermission)
	}
	defer process.Release()
	return errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
