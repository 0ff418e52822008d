package workspace

// Submissions to a cluster: their plan files, scripts and jobs.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
)

// Jobs are the two jobs of a cluster for the work of a division: an array that runs its shards, and
// the finish job after it, which checks, analyses and reports. Their files lie in a folder below
// the results.
type Jobs struct {
	Dir           string // of the files
	Name          string // of the array
	Array, Finish string // the scripts

	plan     []byte
	logs     string
	division *Division
}

// Task is what the commands of an array's tasks have beside the options of the script.
type Task struct {
	Workers int           // simulations at a time
	Timeout time.Duration // of a run; 0 for none
	Flags   string        // of gridsweep submit, to submit the rest again
}

// Jobs makes the jobs of a division of the selection's studies. It fills in the names and commands
// of the scripts.
func (d *Division) Jobs(s Selection, scripts batch.Scripts, task Task) (*Jobs, error) {
	plan, name := d.Submission.Encode()
	planFile := s.SubmissionFile(name)
	j := &Jobs{Dir: filepath.Dir(planFile), Name: "gridsweep-" + name, plan: plan, division: d}
	scripts.Name, scripts.Tasks = j.Name, d.Submission.Tasks
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the path of this program: %w", err)
	}
	if scripts.Folder, err = os.Getwd(); err != nil {
		return nil, fmt.Errorf("find the path of this folder: %w", err)
	}
	if j.logs, err = filepath.Abs(filepath.Join(j.Dir, "logs")); err != nil {
		return nil, fmt.Errorf("find the path of the logs: %w", err)
	}
	if folder := os.Getenv(traces.FolderVariable); folder != "" {
		if folder != traces.NoFolder {
			if folder, err = filepath.Abs(folder); err != nil {
				return nil, fmt.Errorf("find the path of the traces: %w", err)
			}
		}
		scripts.Exports = []string{traces.FolderVariable + "=" + Quote(folder)}
	}
	command := func(program, name string) string {
		return Quote(program) + " " + name + d.Typed() + s.Flags()
	}
	scripts.Logs = j.logs
	scripts.Run = fmt.Sprintf("%s --plan %s --shard env --workers %d", command(program, "run"), Quote(planFile),
		task.Workers)
	if heap := scripts.Memory.Heap(); heap > 0 {
		scripts.Run += fmt.Sprintf(" --memory %dM", heap)
	}
	if task.Timeout > 0 {
		scripts.Run += " --run-timeout " + task.Timeout.String()
	}
	scripts.Status = command(program, "status") + " --complete --plan " + Quote(planFile)
	scripts.Analyze, scripts.Report = command(program, "analyze"), command(program, "report")
	scripts.Rest = command("gridsweep", "submit") + task.Flags + " --missing"
	j.Array, j.Finish, err = scripts.Text()
	return j, err
}

// Typed returns the names of the studies as they would be typed, a space before each.
func (d *Division) Typed() string {
	text := ""
	for _, study := range d.Studies {
		text += Typed(study.Name)
	}
	return text
}

// ArrayFile is the path of the array's script, which Submit writes.
func (j *Jobs) ArrayFile() string { return filepath.Join(j.Dir, "array.sh") }

// FinishFile is the path of the finish job's script, which Submit writes.
func (j *Jobs) FinishFile() string { return filepath.Join(j.Dir, "finish.sh") }

// Submit writes the files, submits the array and then the finish job, and records both. If the
// second cannot be submitted, the error says what to do about the first.
func (j *Jobs) Submit(ctx context.Context, command string) (batch.Submitted, error) {
	done := batch.Submitted{Time: time.Now().UTC().Truncate(time.Second), Command: command}
	for _, file := range []struct{ path, text string }{
		{filepath.Join(j.Dir, planFile), string(j.plan)}, {j.ArrayFile(), j.Array}, {j.FinishFile(), j.Finish},
	} {
		if err := results.WriteFile(file.path, []byte(file.text)); err != nil {
			return done, err
		}
	}
	if err := results.MakeFolder(j.logs); err != nil {
		return done, fmt.Errorf("make the folder of logs: %w", err)
	}
	var err error
	if done.Array, err = batch.Submit(ctx, j.ArrayFile(), nil); err != nil {
		return done, err
	}
	// An interrupt does not stop the second submission: the array would run without a record of it
	// and without the finish job.
	finish, failed := batch.Submit(context.WithoutCancel(ctx), j.FinishFile(), &done.Array)
	if failed == nil {
		done.Finish = &finish
	}
	recorded := batch.AddSubmitted(j.Dir, done)
	if failed == nil {
		return done, recorded
	}
	onCluster := ""
	if done.Array.Cluster != "" {
		onCluster = " --clusters=" + done.Array.Cluster
	}
	return done, errors.Join(fmt.Errorf("the array was submitted as job %s, the job after it was not: %w\nsubmit that "+
		"with\n"+
		"    sbatch --dependency=afterany:%s%s %s\nor take the array back with\n    scancel%s %s",
		done.Array.ID, failed, done.Array.ID, onCluster, Quote(j.FinishFile()), onCluster, done.Array.ID), recorded)
}

// Submitted is a submission that was made before.
type Submitted struct {
	Logs   string      // folder of what its tasks printed
	Arrays []batch.Job // that were submitted for it
}

// Submissions returns the submissions of the selection that have a plan with one of the checksums.
// It leaves out submissions that cannot be read.
func (s Selection) Submissions(checksums map[string]bool) []Submitted {
	plans, err := filepath.Glob(Selection{Out: globQuote(s.Out), Quick: s.Quick}.SubmissionFile("*"))
	if err != nil {
		return nil
	}
	var found []Submitted
	for _, plan := range plans {
		submission, err := pipeline.ReadSubmission(plan)
		isWanted := func(study pipeline.SubmittedStudy) bool { return checksums[study.Plan] }
		if err != nil || !slices.ContainsFunc(submission.Studies, isWanted) {
			continue
		}
		all, err := batch.ReadSubmitted(filepath.Dir(plan))
		if err != nil {
			continue
		}
		one := Submitted{Logs: filepath.Join(filepath.Dir(plan), "logs")}
		for _, submitted := range all {
			one.Arrays = append(one.Arrays, submitted.Array)
		}
		found = append(found, one)
	}
	return found
}

// globQuote returns a pattern that only this path matches.
func globQuote(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
