// Submissions to a cluster: their plan files, scripts and jobs.

package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
)

// Jobs are the two jobs of a cluster for the work of a division: an array that runs its shards, and
// the finish job after it, which checks and reports. Their files lie in a folder below the results.
type Jobs struct {
	Dir   string // folder of the files
	Name  string // name of the array
	Files []batch.File

	plan []byte
}

// Jobs makes the jobs of a division of the selection's studies for a scheduler. It fills in the
// name, tasks, folders and commands of the scripts. Runs have a time limit, 0 for none. The flags
// are those of gridsweep submit, to submit the rest again.
func (d *Division) Jobs(
	s Selection, target batch.Target, scripts batch.Scripts, runTimeout time.Duration, flags []string,
) (*Jobs, error) {
	plan, name := d.Submission.Encode()
	file := s.submissionFile(name)
	j := &Jobs{Dir: filepath.Dir(file), Name: "gridsweep-" + name, plan: plan}
	scripts.Name, scripts.Tasks = j.Name, d.Submission.Tasks
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the path of this program: %w", err)
	}
	if scripts.Folder, err = os.Getwd(); err != nil {
		return nil, fmt.Errorf("find the path of this folder: %w", err)
	}
	if scripts.Logs, err = filepath.Abs(j.File(logsFolder)); err != nil {
		return nil, fmt.Errorf("find the path of the logs: %w", err)
	}
	if target.Container {
		program = "gridsweep" // of the image
		if err := d.checkRelative(s); err != nil {
			return nil, err
		}
	}
	if scripts.Traces, err = tracesOfTasks(scripts, target.Container); err != nil {
		return nil, err
	}
	command := func(program, name string, more ...string) batch.Command {
		return slices.Concat(batch.Command{program, name}, d.Names(), s.arguments(), more)
	}
	runFlags := []string{"--plan", file}
	if scripts.Tasks > 1 { // else all shards are of the one task
		runFlags = append(runFlags, "--shard", "env")
	}
	runFlags = append(runFlags, "--workers", strconv.Itoa(scripts.CPUs))
	if heap := scripts.Memory.Heap(); heap > 0 {
		runFlags = append(runFlags, "--memory", fmt.Sprintf("%dM", heap))
	}
	if runTimeout > 0 {
		runFlags = append(runFlags, "--run-timeout", runTimeout.String())
	}
	scripts.Run = command(program, "run", runFlags...)
	scripts.Check = command(program, "status", "--plan", file)
	scripts.Status = command(program, "status", "--complete", "--plan", file)
	scripts.Report = command(program, "report")
	scripts.Rest = command("gridsweep", "submit", slices.Concat(flags, []string{"--missing"})...)
	j.Files, err = target.Files(scripts)
	return j, err
}

// checkRelative returns an error for a path that is absolute or leads out of the working folder:
// containers do not have it.
func (d *Division) checkRelative(s Selection) error {
	for _, path := range slices.Concat([]string{s.Out, s.Studies}, d.Names()) {
		if path != "" && !filepath.IsLocal(path) {
			return fmt.Errorf("%s: containers have this folder alone, as the volume of the results; name a path below it", path)
		}
	}
	return nil
}

// tracesOfTasks returns the value of traces.FolderVariable for the tasks: the absolute path of the
// folder, or the path in the containers; without a folder the value stays.
func tracesOfTasks(scripts batch.Scripts, inContainers bool) (string, error) {
	folder := os.Getenv(traces.FolderVariable)
	switch {
	case scripts.TracesVolume != "":
		return "/traces", nil
	case folder == "" || folder == traces.NoFolder:
		return folder, nil
	}
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return "", fmt.Errorf("find the path of the traces: %w", err)
	}
	if !inContainers {
		return absolute, nil
	}
	below, err := filepath.Rel(scripts.Folder, absolute)
	if err != nil || !filepath.IsLocal(below) {
		return "", fmt.Errorf("%s is %s, which is not below this folder, the volume of the results: put the traces on "+
			"a volume of their own and name it with --traces-volume", traces.FolderVariable, folder)
	}
	return path.Join("/results", filepath.ToSlash(below)), nil
}

// Names returns the names of the studies.
func (d *Division) Names() []string {
	names := make([]string, len(d.Studies))
	for i, study := range d.Studies {
		names[i] = study.Name
	}
	return names
}

// File returns the path of a file of the submission.
func (j *Jobs) File(name string) string { return filepath.Join(j.Dir, name) }

// Write writes the files and makes the folder of logs.
func (j *Jobs) Write() error {
	for _, file := range append([]batch.File{{Name: planFile, Text: string(j.plan)}}, j.Files...) {
		if err := results.WriteFile(j.File(file.Name), []byte(file.Text)); err != nil {
			return err
		}
	}
	if err := results.MakeFolder(j.File(logsFolder)); err != nil {
		return fmt.Errorf("make the folder of logs: %w", err)
	}
	return nil
}

// Call runs submit.sh among the files, with these standard output and standard error.
func (j *Jobs) Call(ctx context.Context, stdout, stderr io.Writer) error {
	script := j.File("submit.sh")
	c := exec.CommandContext(ctx, "sh", script)
	c.Stdout, c.Stderr = stdout, stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("sh %s: %w", batch.Quote(script), cmp.Or(ctx.Err(), err))
	}
	return nil
}

// Submit submits the array to Slurm and then the finish job, and records both. If the second cannot
// be submitted, the error says what to do about the first.
func (j *Jobs) Submit(ctx context.Context, command string) (batch.Submitted, error) {
	done := batch.Submitted{Time: time.Now().UTC().Truncate(time.Second), Command: command}
	var err error
	if done.Array, err = batch.Submit(ctx, j.File("array.sh"), nil); err != nil {
		return done, err
	}
	// An interrupt does not stop the second submission: the array would run without a record of it
	// and without the finish job.
	finish, err := batch.Submit(context.WithoutCancel(ctx), j.File("finish.sh"), &done.Array)
	if err == nil {
		done.Finish = &finish
	}
	recordErr := batch.AddSubmitted(j.Dir, done)
	if err == nil {
		return done, recordErr
	}
	onCluster := ""
	if done.Array.Cluster != "" {
		onCluster = " --clusters=" + done.Array.Cluster
	}
	err = fmt.Errorf("the array was submitted as job %s, the job after it was not: %w\nsubmit that with\n"+
		"    sbatch --dependency=afterany:%s%s %s\nor take the array back with\n    scancel%s %s",
		done.Array.ID, err, done.Array.ID, onCluster, batch.Quote(j.File("finish.sh")), onCluster, done.Array.ID)
	return done, errors.Join(err, recordErr)
}

// EarlierSubmission is a submission that was made before.
type EarlierSubmission struct {
	Logs   string      // folder of what its tasks printed
	Arrays []batch.Job // array jobs that were submitted for it
}

// Submissions returns the submissions of the selection that have a plan with one of the checksums.
// It leaves out submissions that cannot be read.
func (s Selection) Submissions(checksums map[string]bool) []EarlierSubmission {
	folders, err := results.ListFolder(filepath.Join(s.Root(), submittedFolder))
	if err != nil {
		return nil
	}
	var found []EarlierSubmission
	for _, folder := range folders {
		plan := s.submissionFile(folder.Name())
		submission, err := pipeline.ReadSubmission(plan)
		isWanted := func(study pipeline.SubmittedStudy) bool { return checksums[study.Plan] }
		if err != nil || !slices.ContainsFunc(submission.Studies, isWanted) {
			continue
		}
		all, err := batch.ReadSubmitted(filepath.Dir(plan))
		if err != nil {
			continue
		}
		earlier := EarlierSubmission{Logs: filepath.Join(filepath.Dir(plan), logsFolder)}
		for _, submitted := range all {
			earlier.Arrays = append(earlier.Arrays, submitted.Array)
		}
		found = append(found, earlier)
	}
	return found
}
