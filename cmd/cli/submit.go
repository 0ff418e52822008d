// Command submit: a sweep as an array job of a cluster.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/workspace"
)

// submitOptions are the flags that divide the work among the tasks of an array and limit each task;
// none changes a result.
type submitOptions struct {
	batch.Scripts
	to              string // scheduler, or folder of templates
	shards          int
	time, memory    string
	timeout         time.Duration // of a run
	missing, dryRun bool
}

func (o *submitOptions) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&o.to, "to", batch.Slurm,
		"`scheduler`: "+strings.Join(batch.TargetNames(), ", ")+", or a folder with templates of its files")
	flags.IntVar(&o.shards, "shards", 20,
		"cut the work into `N` shards of about equal predicted time, at most one for each run")
	flags.IntVar(&o.Running, "max-running", 0, "run at most `K` tasks of the array at a time")
	flags.Lookup("max-running").DefValue = "what the cluster has room for"
	flags.StringVar(&o.time, "time", "",
		"time limit `T` of a task, such as 2h or 1-12:00:00 (default $SBATCH_TIMELIMIT, else the partition's)")
	flags.StringVar(&o.memory, "mem", "", "a task's memory `M`, such as 2G (default the partition's)")
	flags.StringVar(&o.Partition, "partition", "", "run in this partition or queue `P` (default the cluster's)")
	flags.StringVar(&o.Image, "image", "", "container `image` of the program, for kubernetes and aws-batch")
	flags.StringVar(&o.Volume, "volume", "",
		"`volume` whose root is this folder: a persistent volume claim of Kubernetes, a file system of EFS")
	flags.StringVar(&o.TracesVolume, "traces-volume", "", "`volume` with the traces, for containers")
	flags.IntVar(&o.CPUs, "workers", 1, "simulations at a time in a task, and processors of the task")
	addRunTimeout(c, &o.timeout)
	flags.BoolVar(&o.missing, "missing", false, "submit only the missing runs")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print the scripts and the shards, write and submit nothing")
}

// check checks the flags and parses the limits of a task. On Slurm, without --time, the time limit
// is that of SBATCH_TIMELIMIT, before which tasks have to stop.
func (o *submitOptions) check() (err error) {
	for _, number := range []struct {
		flag        string
		value, from int
	}{{"--shards", o.shards, 1}, {"--max-running", o.Running, 0}, {"--workers", o.CPUs, 1}} {
		if number.value < number.from {
			// 0, no limit, is the default of --max-running and need not be written
			return usageErrorf("%s %d: write a number from %d", number.flag, number.value, max(1, number.from))
		}
	}
	from := "--time "
	if o.time == "" && o.to == batch.Slurm {
		from, o.time = "SBATCH_TIMELIMIT=", os.Getenv("SBATCH_TIMELIMIT")
	}
	if o.Time, err = batch.ParseTime(o.time); err != nil {
		return usageErrorf("%s%w", from, err)
	}
	if o.Memory, err = batch.ParseMemory(o.memory); err != nil {
		return usageErrorf("--mem %w", err)
	}
	if err := batch.CheckPartition(o.Partition); err != nil {
		return usageErrorf("--partition %w", err)
	}
	return nil
}

// target returns the scheduler of the flags. One that runs containers, which a folder of templates
// does with --image, needs an image and a volume.
func (o *submitOptions) target() (batch.Target, error) {
	target, err := batch.FindTarget(o.to)
	if err != nil {
		return target, usageErrorf("--to %w", err)
	}
	isBuiltIn := slices.Contains(batch.TargetNames(), o.to)
	target.Container = target.Container || !isBuiltIn && o.Image != ""
	if !target.Container {
		if o.Image+o.Volume+o.TracesVolume != "" {
			return target, usageErrorf("--image, --volume and --traces-volume are for schedulers of containers, and --to is %s",
				o.to)
		}
		return target, nil
	}
	type need struct{ name, value, what string }
	needed := []need{
		{"--image", o.Image, "the container image of the program, which make image builds"},
		{"--volume", o.Volume, "the volume whose root is this folder"},
	}
	if target.Name == "aws-batch" {
		needed = append(needed, need{"--partition", o.Partition, "the job queue"})
	}
	for _, flag := range needed {
		if flag.value == "" {
			return target, usageErrorf("--to %s needs %s, %s", o.to, flag.name, flag.what)
		}
	}
	if target.Name == "aws-batch" && o.Running > 0 {
		return target, usageErrorf("--max-running %d: AWS Batch has no such limit of an array; limit the vCPUs of the "+
			"job queue's compute environment", o.Running)
	}
	return target, nil
}

func newSubmit(t *terminal) *cobra.Command {
	var s selection
	var o submitOptions
	c := &cobra.Command{
		Use:   "submit PAPER-or-STUDY...",
		Short: "Execute the runs as an array job of a cluster, followed by the report",
		Long: `Cut the runs into shards of about equal predicted time and submit an array job of them to a scheduler, followed
by a job that lists missing and failed runs and writes the report. OUT/submitted has their files, the plan file of
the tasks and the logs. The nodes of the cluster must see the same folders as this machine; containers have this
folder on a volume. --to also takes a folder with templates for another scheduler. docs/how-to/cluster.md has
examples.`,
		Example: `  gridsweep submit coallocation --shards 100 --max-running 20 --time 2h --mem 2G
  gridsweep submit coallocation --to gridengine --time 2h --mem 2G
  gridsweep submit coallocation --to kubernetes --image registry.example.org/gridsweep --volume results --dry-run
  gridsweep submit coallocation --quick --dry-run     # look at the scripts first
  gridsweep submit coallocation --missing             # runs that timed out, were killed or failed`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			target, err := o.target()
			if err != nil {
				return err
			}
			studies, err := t.openForRows(c.Context(), &s, args)
			if err != nil {
				return err
			}
			most, err := t.mostTasks(c.Context(), target, o)
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
			return t.submit(c.Context(), division, target, s, o)
		},
	}
	s.addPlan(t, c)
	s.addStale(c)
	o.addFlags(c)
	return c
}

// mostTasks returns the largest number of tasks of an array, or an error if jobs cannot be
// submitted from this machine. A dry run needs no cluster.
func (t *terminal) mostTasks(ctx context.Context, target batch.Target, o submitOptions) (int, error) {
	const goRun = "go run removes the program before the tasks start: make build, then ./gridsweep submit"
	if target.Name != batch.Slurm {
		if !o.dryRun && !target.Container && workspace.BuiltByGoRun() {
			return 0, usageErrorf(goRun)
		}
		return cmp.Or(target.MostTasks, o.shards), nil
	}
	most, err := batch.MaxArraySize(ctx)
	if o.dryRun {
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
		return 0, usageErrorf("%w; log in to a submit node of the cluster, or look at the scripts with --dry-run; "+
			"docs/how-to/cluster.md has other schedulers", err)
	}
	if err == nil && workspace.BuiltByGoRun() {
		return 0, usageErrorf(goRun)
	}
	return most, err
}

// submit writes the folder of the submission and submits its two jobs; a dry run prints its files
// and shards.
func (t *terminal) submit(
	ctx context.Context, d *workspace.Division, target batch.Target, s selection, o submitOptions,
) error {
	jobs, err := d.Jobs(s.Selection, target, o.Scripts, o.timeout, o.flags())
	if err != nil {
		return usageError(err)
	}
	t.noteTooLong(d, o)
	if o.dryRun {
		for _, file := range jobs.Files {
			fmt.Fprintf(t.out, "# %s\n%s\n", jobs.File(file.Name), file.Text)
		}
		t.printShards(d)
		return nil
	}
	if err := t.noteAtWork(d.Studies); err != nil {
		return err
	}
	if target.Name == batch.Slurm {
		t.noteQueued(ctx, jobs.Dir, jobs.Name)
	}
	if d.Done > 0 && !o.missing {
		t.note("%s of the plan are in the datasets and are not run again; --missing leaves them out of the shards",
			things(d.Done, "run"))
	}
	if err := jobs.Write(); err != nil {
		return err
	}
	describe := func() {
		fmt.Fprintf(t.out, "%s: %s in %s", jobs.Dir, things(d.Submission.Shards, "shard"), things(d.Submission.Tasks, "task"))
		if o.Running > 0 {
			fmt.Fprintf(t.out, ", at most %s at a time", count(o.Running))
		}
		fmt.Fprintln(t.out)
	}
	if target.Name == batch.Slurm {
		var done batch.Submitted
		if done, err = jobs.Submit(ctx, t.commandLine()); done.Finish == nil {
			return err
		}
		describe()
		fmt.Fprintf(t.out, "job %s is the array, job %s checks and reports after it\n", done.Array.ID, done.Finish.ID)
	} else {
		describe()
		if err := jobs.Call(ctx, t.out, t.err); err != nil {
			return err
		}
	}
	fmt.Fprintf(t.out, "watch its progress with\n    gridsweep status%s%s --watch\n", workspace.Typed(d.Names()...),
		s.Flags())
	return err // of jobs.Submit, if it could not record the jobs that it submitted
}

// flags returns the flags as arguments of the command that submits the missing runs again.
func (o *submitOptions) flags() []string {
	var all []string
	if o.to != batch.Slurm {
		all = append(all, "--to", o.to)
	}
	all = append(all, "--shards", strconv.Itoa(o.shards))
	if o.Running > 0 {
		all = append(all, "--max-running", strconv.Itoa(o.Running))
	}
	for _, flag := range []struct{ name, value string }{
		{"--time", o.time}, {"--mem", o.memory}, {"--partition", o.Partition},
		{"--image", o.Image}, {"--volume", o.Volume}, {"--traces-volume", o.TracesVolume},
	} {
		if flag.value != "" {
			all = append(all, flag.name, flag.value)
		}
	}
	if o.CPUs > 1 {
		all = append(all, "--workers", strconv.Itoa(o.CPUs))
	}
	if o.timeout > 0 {
		all = append(all, "--run-timeout", o.timeout.String())
	}
	return all
}

// printShards prints the runs and predicted work of each study in each shard.
func (t *terminal) printShards(d *workspace.Division) {
	writer := t.table()
	header := table.Row{"shard", "task"}
	total := make([]float64, len(d.Studies))
	for i, study := range d.Studies {
		header = append(header, study.Name, "predicted")
		_, total[i] = d.Wanted(i, 0, d.Submission.Shards)
	}
	writer.AppendHeader(header)
	for task := range d.Submission.Tasks {
		from, to := d.Submission.Task(task)
		for shard := from; shard < to; shard++ {
			row := table.Row{shard + 1, task}
			for i := range d.Studies {
				runs, work := d.Wanted(i, shard, shard+1)
				row = append(row, things(runs, "run"), workInWords(d, work, total[i]))
			}
			writer.AppendRow(row)
		}
	}
	writer.Render()
	fmt.Fprintf(t.out, "%s in %s; nothing was written or submitted\n",
		things(d.Submission.Shards, "shard"), things(d.Submission.Tasks, "task"))
}

// workInWords returns the work of a shard as a time on one processor or, if that cannot be
// predicted, as a percentage of the study's.
func workInWords(d *workspace.Division, work, total float64) string {
	switch {
	case work == 0:
		return ""
	case d.IsSeconds:
		return timeText(work)
	default:
		return fmt.Sprintf("%.1f %%", 100*work/total)
	}
}

// noteAtWork notes that other processes are executing runs of the studies, which may be among those
// that are submitted.
func (t *terminal) noteAtWork(studies []*workspace.Study) error {
	for _, study := range studies {
		processes, err := pipeline.Heartbeats(study.Running())
		if err != nil {
			return err
		}
		if alive := len(pipeline.Living(processes, time.Now())); alive > 0 {
			t.note("%s: %s at work already; their unfinished runs are submitted too", study.Name,
				english.Plural(alive, "process is", "processes are"))
		}
	}
	return nil
}

// noteQueued names the jobs of earlier submissions in the folder that are still in the queue. By
// the name of the array it finds those that a killed submit did not record. Errors of the queue are
// ignored.
func (t *terminal) noteQueued(ctx context.Context, dir, name string) {
	for cluster, ids := range batch.ByCluster(batch.QueuedFor(ctx, dir, name)) {
		scancel := "scancel "
		if cluster != "" {
			scancel += "--clusters=" + cluster + " "
		}
		t.note("%s %s of this plan %s in the queue already; %s%s takes %s back", english.PluralWord(len(ids), "job", ""),
			english.WordSeries(ids, "and"), english.PluralWord(len(ids), "is", "are"), scancel, strings.Join(ids, " "),
			english.PluralWord(len(ids), "it", "them"))
	}
}

// noteTooLong notes how many tasks are predicted to take longer than the time limit.
func (t *terminal) noteTooLong(d *workspace.Division, o submitOptions) {
	if o.Time.Seconds == 0 || !d.IsSeconds {
		return
	}
	tooLong, longest, most := d.TooLong(float64(o.Time.Seconds), o.CPUs)
	if tooLong == 0 {
		return
	}
	advice := "more --shards"
	if d.Submission.Shards > d.Submission.Tasks { // the array has its largest number of tasks
		advice = "a longer --time or more --workers"
	}
	t.note("%s predicted to take more than --time %s, task %d the longest, %s: give %s; afterwards, "+
		"submit --missing runs what the limit cut off",
		english.Plural(tooLong, "task is", "tasks are"), o.time, longest, timeText(most), advice)
}
