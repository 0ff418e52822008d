// The files in the folder of a submission that record its submitted jobs.

package batch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gridsweep/results"
)

// Submitted is an array job and its finish job, whose scripts were submitted by one command. Each
// such pair has a file of its own in the folder of the submission, so that processes do not
// overwrite each other's.
type Submitted struct {
	Time    time.Time `json:"time"`
	Command string    `json:"command"`
	Array   Job       `json:"array"`
	// null if the cluster took the array job and then refused this
	Finish *Job `json:"finish"`
}

// Files of submitted jobs are named jobs-ID.json, or jobs-ID-CLUSTER.json, by the array job.
const jobsPrefix, jobsExtension = "jobs-", ".json"

// AddSubmitted records jobs of the submission in a folder. The error names the file that cannot be
// written.
func AddSubmitted(dir string, one Submitted) error {
	text, err := json.MarshalIndent(one, "", "  ")
	if err != nil {
		return fmt.Errorf("record the jobs of a submission: %w", err)
	}
	name := jobsPrefix + one.Array.ID
	if one.Array.Cluster != "" {
		name += "-" + url.PathEscape(one.Array.Cluster)
	}
	return results.WriteFile(filepath.Join(dir, name+jobsExtension), append(text, '\n'))
}

// ReadSubmitted returns the jobs of the submission in a folder, which need not exist, in the order
// in which they were submitted. The error names the file or folder.
func ReadSubmitted(dir string) ([]Submitted, error) {
	entries, err := results.ListFolder(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the jobs of a submission: %w", err)
	}
	var all []Submitted
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), jobsPrefix) || !strings.HasSuffix(entry.Name(), jobsExtension) {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		text, err := results.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the jobs of a submission: %w", err)
		}
		var one Submitted
		if err := json.Unmarshal(text, &one); err != nil {
			return nil, fmt.Errorf("%s is no record of jobs: %w; remove it", path, err)
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b Submitted) int {
		// Times are whole seconds. Within one the lower id, a number, was submitted first.
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(len(a.Array.ID), len(b.Array.ID)),
			cmp.Compare(a.Array.ID, b.Array.ID))
	})
	return all, nil
}

// QueuedFor returns the jobs of the submission in a folder that wait or run: those recorded, and
// others called name or as its finish job, since a process that was killed after submitting has
// not recorded them. It returns none if the folder cannot be read or the cluster does not answer.
func QueuedFor(ctx context.Context, dir, name string) []Job {
	all, err := ReadSubmitted(dir)
	if err != nil {
		return nil
	}
	var jobs []Job
	for _, one := range all {
		jobs = append(jobs, one.Array)
		if one.Finish != nil {
			jobs = append(jobs, *one.Finish)
		}
	}
	queued := queued(ctx, jobs)
	for _, unrecorded := range queuedAs(ctx, name, name+finishSuffix) {
		if !slices.ContainsFunc(queued, func(job Job) bool { return job.ID == unrecorded.ID }) {
			queued = append(queued, unrecorded)
		}
	}
	return queued
}
