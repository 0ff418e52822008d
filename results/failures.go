// The records of failed runs.

package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

const failureExtension = ".json"

// Failure is a run that returned an error or panicked.
type Failure struct {
	ID          string            `json:"run_id"`
	Cell        string            `json:"cell"` // one of the plan's cells with the run
	Seed        int64             `json:"seed"`
	Replication int               `json:"round"`
	Parameters  map[string]string `json:"parameters"` // name to canonical text
	Error       string            `json:"error"`
	Panicked    bool              `json:"panicked"`
	Stack       string            `json:"stack,omitempty"` // stack of the panic
	Command     string            `json:"command"`         // reruns this run alone
	Time        time.Time         `json:"time"`            // time of the failure
	Machine     string            `json:"machine"`
	Version     string            `json:"version"` // version of the program
}

// WriteFailure records a failure, in place of an earlier one of the same run. If another process
// records a failure of that run at the same time, one of the two records stays.
func (d *Dataset) WriteFailure(f Failure) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // stacks and commands are full of < and &
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(f); err != nil {
		return fmt.Errorf("record the failure of run %s: %w", f.ID, err)
	}
	err := CreateFile(d.failurePath(f.ID), text.Bytes())
	if errors.Is(err, fs.ErrExist) {
		// Removed and created, not replaced: a record that another process creates in between is as
		// new as this one.
		if err := d.RemoveFailure(f.ID); err != nil {
			return err
		}
		err = CreateFile(d.failurePath(f.ID), text.Bytes())
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Failures returns the recorded failures in the order of their run ids. The error names a file that
// is not a record.
func (d *Dataset) Failures() ([]Failure, error) {
	entries, err := listIfThere(filepath.Join(d.dir, FailedFolder))
	if err != nil {
		return nil, fmt.Errorf("read failures: %w", err)
	}
	var failures []Failure
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue // a writer's temporary file
		}
		path := filepath.Join(d.dir, FailedFolder, entry.Name())
		data, err := ReadFile(path)
		if vanished(err) {
			continue // the run has since succeeded
		}
		if err != nil {
			return nil, fmt.Errorf("read failures: %w", adviseAccess(err))
		}
		var f Failure
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.DisallowUnknownFields()
		err = decoder.Decode(&f)
		if err == nil && f.ID+failureExtension != entry.Name() {
			err = fmt.Errorf("it is of run %q", f.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("%s is no record of a failed run: %w: move it away", path, err)
		}
		failures = append(failures, f)
	}
	return failures, nil
}

// RemoveFailure removes the record of a run that has since succeeded, if there is one.
func (d *Dataset) RemoveFailure(id string) error {
	return removeFile(d.failurePath(id))
}

func (d *Dataset) failurePath(id string) string {
	return filepath.Join(d.dir, FailedFolder, id+failureExtension)
}

// digits are the numbers in an error.
var digits = regexp.MustCompile(`[0-9]+`)

// Cause returns what runs that fail alike have in common: the first line of the error, with # for
// each number.
func (f Failure) Cause() string {
	line, _, _ := strings.Cut(f.Error, "\n")
	return digits.ReplaceAllString(line, "#")
}

// ByCause returns the failures grouped by their causes, in the order of the first of each.
func ByCause(failures []Failure) [][]Failure {
	var groups [][]Failure
	index := map[string]int{} // of each cause's group
	for _, f := range failures {
		i, known := index[f.Cause()]
		if !known {
			i = len(groups)
			index[f.Cause()] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}
