package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/traces"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

// submitOptions say how the work is divided among the tasks of an array and what each may use; none changes a result.
type submitOptions struct {
	shards, running, workers int
	time, memory, partition  string
	timeout                  time.Duration // of a run
	missing, dryRun          bool
}

func (o *submitOptions) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&o.shards, "shards", 20, "cut the work into `N` parts of about equal predicted time; fewer if it has fewer runs")
	flags.IntVar(&o.running, "max-running", 0, "run at most `K` tasks of the array at a time")
	flags.Lookup("max-running").DefValue = "what the cluster has room for"
	flags.StringVar(&o.time, "time", "",
		"a task's limit of time `T`, such as 2h or 1-12:00:00 (default $SBATCH_TIMELIMIT, else the partition's)")
	flags.StringVar(&o.memory, "mem", "", "a task's memory `M`, such as 2G (default the partition's)")
	flags.StringVar(&o.partition, "partition", "", "run in this partition `P` (default the cluster's)")
	flags.IntVar(&o.workers, "workers", 1, "simulations at a time in a task, which asks for that many processors")
	flags.Var((*duration)(&o.timeout), "run-timeout", "a run that takes longer than `D`, such as 90s or 1h30m, is a failed run")
	flags.BoolVar(&o.missing, "missing", false, "submit only what the dataset lacks")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print the scripts and the shards, write and submit nothing")
}

// scripts returns the batch scripts as far as the flags say what is in them. Without --time, a limit that the user has set
// for all jobs is the one that tasks have to stop before.
func (o *submitOptions) scripts() (batch.Scripts, error) {
	scripts := batch.Scripts{Running: o.running, CPUs: o.workers, Partition: o.partition}
	for _, number := range []struct {
		flag        string
		value, from int
	}{{"--shards", o.shards, 1}, {"--max-running", o.running, 0}, {"--workers", o.workers, 1}} {
		if number.value < number.from {
			return scripts, usageErrorf("%s %d: write a number from %d", number.flag, number.value, max(1, number.from))
		}
	}
	from := "--time "
	if o.time == "" {
		from, o.time = "SBATCH_TIMELIMIT=", os.Getenv("SBATCH_TIMELIMIT")
	}
	var err error
	if scripts.Time, err = batch.ParseTime(o.time); err != nil {
		return scripts, usageErrorf("%s%w", from, err)
	}
	if scripts.Memory, err = batch.ParseMemory(o.memory); err != nil {
		return scripts, usageErrorf("--mem %w", err)
	}
	if err := checkRunTimeout(o.timeout); err != nil {
		return scripts, err
	}
	if err := batch.CheckPartition(o.partition); err != nil {
		return scripts, usageErrorf("--partition %w", err)
	}
	return scripts, nil
}

func newSubmit(t *terminal) *cobra.Command {
	var s selection
	var o submitOptions
	c := &cobra.Command{
		Use:   "submit PAPER-or-STUDY...",
		Short: "Run what is planned as an array job of a Slurm cluster, and report when it has ended",
		Long: `Cut the runs into shards of about equal predicted time and submit an array job over them to Slurm, then a
job that depends on it: it says what is missing or failed, analyzes and writes the report. The scripts, the plan
that all tasks hold to and the logs lie in OUT/submitted. Run it where the cluster's nodes see the same
folders. docs/cluster.md has an example, and how to submit to other schedulers.`,
		Example: `  gridsweep submit coallocation --shards 100 --max-running 20 --time 2h --mem 2G
  gridsweep submit coallocation --quick --dry-run     # look at the scripts first
  gridsweep submit coallocation --missing             # what timed out, was killed or failed`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			scripts, err := o.scripts()
			if err != nil {
				return err
			}
			studies, err := t.open(c.Context(), &s, args)
			if err != nil {
				return err
			}
			if err := t.refuseStale(c.Context(), studies); err != nil {
				return err
			}
			most, err := t.mostTasks(c.Context(), o.dryRun)
			if err != nil {
				return err
			}
			division, err := t.workspace(&s).Divide(c.Context(), studies, o.shards, most, o.missing)
			if err != nil {
				return err
			}
			if division == nil {
				fmt.Fprintf(t.out, "nothing is missing in %s; nothing was submitted\n", s.Root())
				return nil
			}
			return t.submit(c.Context(), studies, division, scripts, s, o)
		},
	}
	s.addFlags(t, c)
	o.addFlags(c)
	return c
}

// mostTasks returns how many tasks an array may have, having made sure that jobs can be submitted from here. A dry run
// needs no cluster.
func (t *terminal) mostTasks(ctx context.Context, dryRun bool) (int, error) {
	most, err := batch.MaxArraySize(ctx)
	if dryRun {
		if err == nil || ctx.Err() != nil || errors.Is(err, batch.ErrNoArrays) {
			return most, err
		}
		t.note("%v; an array is taken to have at most %s, Slurm's default", err, things(batch.DefaultMaxArraySize, "task"))
		return batch.DefaultMaxArraySize, nil
	}
	if _, missing := exec.LookPath("sbatch"); err == nil && missing != nil {
		err = fmt.Errorf("sbatch: %w", batch.ErrNoSlurm)
	}
	if errors.Is(err, batch.ErrNoSlurm) {
		return 0, usageErrorf("%w; log in to a node of the cluster that jobs are submitted from, or look at the scripts "+
			"with --dry-run; docs/cluster.md has other schedulers", err)
	}
	if err == nil && workspace.BuiltByGoRun() {
		return 0, usageErrorf("the program of go run is gone when the tasks start: make build, then ./gridsweep submit")
	}
	return most, err
}

// submit writes the folder of the submission and submits its two jobs.
func (t *terminal) submit(
	ctx context.Context, studies []*workspace.Study, d *workspace.Division, scripts batch.Scripts, s selection, o submitOptions,
) error {
	plan, name := d.Submission.Encode()
	planFile := s.SubmissionFile(name)
	dir := filepath.Dir(planFile)
	scripts.Name, scripts.Tasks = "gridsweep-"+name, d.Submission.Tasks
	if err := fillCommands(&scripts, studies, planFile, s, o); err != nil {
		return err
	}
	array, finish, err := scripts.Text()
	if err != nil {
		return usageError(err)
	}
	files := []struct{ path, text string }{
		{planFile, string(plan)}, {filepath.Join(dir, "array.sh"), array}, {filepath.Join(dir, "finish.sh"), finish},
	}
	t.noteTooLong(d, scripts.Time, o)
	if o.dryRun {
		for _, file := range files[1:] {
			fmt.Fprintf(t.out, "# %s\n%s\n", file.path, file.text)
		}
		t.printShards(studies, d)
		return nil
	}
	if err := t.noteAtWork(studies); err != nil {
		return err
	}
	t.noteQueued(ctx, dir, scripts.Name)
	if d.Done > 0 && !o.missing {
		t.note("%s of the plan are in the datasets and will not be run again; --missing leaves them out of the shards",
			things(d.Done, "run"))
	}
	for _, file := range files {
		if err := results.WriteFile(file.path, []byte(file.text)); err != nil {
			return err
		}
	}
	if err := results.MakeFolder(scripts.Logs); err != nil {
		return fmt.Errorf("make the folder of logs: %w", err)
	}
	return t.submitScripts(ctx, dir, studies, d.Submission, s, o)
}

// fillCommands says what the scripts do, and where.
func fillCommands(scripts *batch.Scripts, studies []*workspace.Study, planFile string, s selection, o submitOptions) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("tell where this program lies: %w", err)
	}
	if scripts.Folder, err = os.Getwd(); err != nil {
		return fmt.Errorf("tell where this folder lies: %w", err)
	}
	if scripts.Logs, err = filepath.Abs(filepath.Join(filepath.Dir(planFile), "logs")); err != nil {
		return fmt.Errorf("tell where the logs will lie: %w", err)
	}
	if folder := os.Getenv(traces.FolderVariable); folder != "" {
		if folder, err = filepath.Abs(folder); err != nil {
			return fmt.Errorf("tell where the traces lie: %w", err)
		}
		scripts.Exports = []string{traces.FolderVariable + "=" + workspace.Quote(folder)}
	}
	command := func(program, name string) string {
		return workspace.Quote(program) + " " + name + typedNames(studies) + s.Flags()
	}
	scripts.Run = fmt.Sprintf("%s --plan %s --shard env --workers %d", command(program, "run"), workspace.Quote(planFile), o.workers)
	if heap := scripts.Memory.Heap(); heap > 0 {
		scripts.Run += fmt.Sprintf(" --memory %dM", heap)
	}
	if o.timeout > 0 {
		scripts.Run += " --run-timeout " + o.timeout.String()
	}
	scripts.Status = command(program, "status") + " --complete --plan " + workspace.Quote(planFile)
	scripts.Analyze, scripts.Report = command(program, "analyze"), command(program, "report")
	scripts.Rest = command("gridsweep", "submit") + o.flags() + " --missing"
	return nil
}

// typedNames returns the studies as they would be typed, a space before each.
func typedNames(studies []*workspace.Study) string {
	text := ""
	for _, study := range studies {
		text += " " + workspace.Quote(study.Name)
	}
	return text
}

// flags returns the flags of a task's limits as they would be typed again.
func (o *submitOptions) flags() string {
	text := fmt.Sprintf(" --shards %d", o.shards)
	if o.running > 0 {
		text += fmt.Sprintf(" --max-running %d", o.running)
	}
	for _, flag := range []struct{ name, value string }{
		{"--time", o.time}, {"--mem", o.memory}, {"--partition", o.partition},
	} {
		if flag.value != "" {
			text += workspace.TypedFlag(flag.name, flag.value)
		}
	}
	if o.workers > 1 {
		text += fmt.Sprintf(" --workers %d", o.workers)
	}
	if o.timeout > 0 {
		text += " --run-timeout " + o.timeout.String()
	}
	return text
}

// submitScripts submits the two scripts of a folder and says what came of it.
func (t *terminal) submitScripts(
	ctx context.Context, dir string, studies []*workspace.Study, submission *pipeline.Submission, s selection, o submitOptions,
) error {
	done := batch.Submitted{Time: time.Now().UTC().Truncate(time.Second), Command: t.commandLine()}
	var err error
	if done.Array, err = batch.Submit(ctx, filepath.Join(dir, "array.sh"), nil); err != nil {
		return err
	}
	script := filepath.Join(dir, "finish.sh")
	// Now that the array is there, ctrl-C comes too late: without the second job nobody would know of it.
	finish, failed := batch.Submit(context.WithoutCancel(ctx), script, &done.Array)
	if failed == nil {
		done.Finish = &finish
	}
	recorded := batch.AddSubmitted(dir, done)
	onCluster := ""
	if done.Array.Cluster != "" {
		onCluster = " --clusters=" + done.Array.Cluster
	}
	if failed != nil {
		return errors.Join(fmt.Errorf("the array was submitted as job %s, the job after it was not: %w\nsubmit that with\n"+
			"    sbatch --dependency=afterany:%s%s %s\nor take the array back with\n    scancel%s %s",
			done.Array.ID, failed, done.Array.ID, onCluster, workspace.Quote(script), onCluster, done.Array.ID), recorded)
	}
	fmt.Fprintf(t.out, "%s: %s in %s", dir, things(submission.Shards, "shard"), things(submission.Tasks, "task"))
	if o.running > 0 {
		fmt.Fprintf(t.out, ", at most %s at a time", count(o.running))
	}
	fmt.Fprintf(t.out, "\njob %s is the array, job %s checks and reports after it\n", done.Array.ID, finish.ID)
	fmt.Fprintf(t.out, "see how far it is with\n    gridsweep status%s%s --watch\n", typedNames(studies), s.Flags())
	return recorded
}
