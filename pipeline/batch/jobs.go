package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gridsweep/results"
)

// JobsFile is the file in the folder of a submission that holds which jobs it became.
const JobsFile = "jobs.json"

// Submitted is one time that a submission's scripts were taken by the cluster.
type Submitted struct {
	Time    time.Time `json:"time"`
	Command string    `json:"command"`
	Array   Job       `json:"array"`
	Finish  *Job      `json:"finish"` // null where the cluster took the array and then not this
}

// AddSubmitted adds to the jobs of the submission in a folder.
func AddSubmitted(dir string, one Submitted) error {
	all, err := ReadSubmitted(dir)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(append(all, one), "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", JobsFile, err)
	}
	return results.WriteFile(filepath.Join(dir, JobsFile), append(text, '\n'))
}

// ReadSubmitted returns the jobs of the submission in a folder, in the order in which they were submitted; there are
// none where nothing was. The error names the file.
func ReadSubmitted(dir string) ([]Submitted, error) {
	path := filepath.Join(dir, JobsFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the jobs of a submission: %w", err)
	}
	var all []Submitted
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s is no list of jobs: %w; remove it", path, err)
	}
	return all, nil
}
