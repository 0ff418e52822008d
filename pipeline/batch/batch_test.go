// The task of an array job by the environment of each scheduler: numbers, counts and names of jobs
// are compared with texts and values of its documentation, and environments of no task, of two
// schedulers or of another array are refused.

package batch

import (
	"os"
	"strings"
	"testing"
)

// TestMain runs the tests without the variables of a batch job that runs them.
func TestMain(m *testing.M) {
	for _, name := range variablesOfSchedulers() {
		os.Unsetenv(name)
	}
	os.Exit(m.Run())
}

func variablesOfSchedulers() (names []string) {
	for _, s := range schedulers() {
		for _, name := range []string{s.index, s.first, s.last, s.step, s.size, s.job, s.arrayJob} {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// setEnvironment sets variables written as "A=1 B=2", and none else of a scheduler.
func setEnvironment(t *testing.T, variables string) {
	t.Helper()
	for _, name := range variablesOfSchedulers() {
		t.Setenv(name, "")
	}
	for _, word := range strings.Fields(variables) {
		name, value, found := strings.Cut(word, "=")
		if !found {
			t.Fatalf("%s: want NAME=VALUE", word)
		}
		t.Setenv(name, value)
	}
}

const slurmArray = "SLURM_JOB_ID=124 SLURM_ARRAY_JOB_ID=123 SLURM_ARRAY_TASK_STEP=1 "

func TestTaskOfEachScheduler(t *testing.T) {
	for _, c := range []struct {
		variables    string
		count        int // n of --shard env/n, 0 for env
		job          string
		index, tasks int
	}{
		{slurmArray + "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=19 SLURM_ARRAY_TASK_COUNT=20",
			0, "slurm 123_0", 0, 20},
		{slurmArray + "SLURM_ARRAY_TASK_ID=19 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=19 SLURM_ARRAY_TASK_COUNT=20",
			20, "slurm 123_19", 19, 20},
		// Tasks 3 and 7 of 20, submitted again.
		{slurmArray + "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=2",
			20, "slurm 123_7", 7, 20},
		{slurmArray + "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=0 SLURM_ARRAY_TASK_COUNT=1",
			0, "slurm 123_0", 0, 1},
		{"PBS_JOBID=123[20].server PBS_ARRAY_INDEX=20 PBS_ARRAY_ID=123[].server", 20, "pbs 123[20].server", 19, 20},
		{"PBS_JOBID=123[1].server PBS_ARRAYID=1", 20, "pbs 123[1].server", 0, 20},
		{"JOB_ID=123 SGE_TASK_ID=20 SGE_TASK_FIRST=1 SGE_TASK_LAST=20 SGE_TASK_STEPSIZE=1", 0, "sge 123.20", 19, 20},
		{"JOB_ID=123 SGE_TASK_ID=7 SGE_TASK_FIRST=3 SGE_TASK_LAST=7 SGE_TASK_STEPSIZE=4", 20, "sge 123.7", 6, 20},
		{"LSB_JOBID=123 LSB_JOBINDEX=1 LSB_JOBINDEX_END=20 LSB_JOBINDEX_STEP=1", 0, "lsf 123[1]", 0, 20},
		{"LSB_JOBID=123 LSB_JOBINDEX=20", 20, "lsf 123[20]", 19, 20},
		{"AWS_BATCH_JOB_ID=6c2e:3 AWS_BATCH_JOB_ARRAY_INDEX=3 AWS_BATCH_JOB_ARRAY_SIZE=20", 0, "aws-batch 6c2e:3", 3, 20},
		{"AWS_BATCH_JOB_ID=6c2e:3 AWS_BATCH_JOB_ARRAY_INDEX=3", 20, "aws-batch 6c2e:3", 3, 20},
		{"HOSTNAME=sweep-3-x7k2p JOB_COMPLETION_INDEX=3", 20, "kubernetes sweep-3-x7k2p", 3, 20},
		// Beside a job of one scheduler that is no array, a task of another.
		{"JOB_ID=5 SGE_TASK_ID=undefined SGE_TASK_FIRST=undefined LSB_JOBINDEX=0 PBS_ARRAYID=2", 20, "sge 5", 1, 20},
	} {
		setEnvironment(t, c.variables)
		task, err := Find()
		if err != nil {
			t.Errorf("%s: %v", c.variables, err)
			continue
		}
		index, tasks, err := task.Shard(c.count)
		if err != nil || JobName() != c.job || index != c.index || tasks != c.tasks {
			t.Errorf("%s: %s is %d of %d, error %v, want %s as %d of %d",
				c.variables, JobName(), index, tasks, err, c.job, c.index, c.tasks)
		}
	}
}

func TestFindErrors(t *testing.T) {
	for _, c := range []struct{ variables, want string }{
		{"HOME=/root HOSTNAME=laptop JOB_ID=3",
			"there is no array job here: none of SLURM_ARRAY_TASK_ID of Slurm, PBS_ARRAY_INDEX of "},
		{"SLURM_JOB_ID=123", "the job slurm 123 is no task of an array: "},
		{"JOB_ID=123 SGE_TASK_ID=undefined", "the job sge 123 is no task of an array: "},
		{"LSB_JOBID=123 LSB_JOBINDEX=0", "the job lsf 123 is no task of an array: "},
		{"LSB_JOBID=123 LSB_JOBINDEX=", "the job lsf 123 is no task of an array: "},
		{"SLURM_ARRAY_TASK_ID=3 PBS_ARRAY_INDEX=2",
			"SLURM_ARRAY_TASK_ID of Slurm and PBS_ARRAY_INDEX of PBS Professional or OpenPBS: unset the one that does not"},
		{"SLURM_ARRAY_TASK_ID=three", "SLURM_ARRAY_TASK_ID=three is not a whole number"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MAX=x", "SLURM_ARRAY_TASK_MAX=x is not a whole number"},
		{"SLURM_ARRAY_TASK_ID=-1", "SLURM_ARRAY_TASK_ID=-1: number the tasks from 0: sbatch --array=0-(N-1)"},
		{"PBS_ARRAY_INDEX=0", "PBS_ARRAY_INDEX=0: number the tasks from 1: qsub -J 1-N"},
		{"PBS_ARRAYID=0", "PBS_ARRAYID=0: number the tasks from 1: qsub -t 1-N"},
		{"JOB_COMPLETION_INDEX=99999999999999999999", "is not a whole number"},
	} {
		setEnvironment(t, c.variables)
		if _, err := Find(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.variables, err, c.want)
		}
	}
}

func TestShardErrors(t *testing.T) {
	for _, c := range []struct {
		variables string
		count     int
		want      string
	}{
		{"SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=20 SLURM_ARRAY_TASK_COUNT=20", 0,
			"SLURM_ARRAY_TASK_MIN=1, but the first of all tasks is number 0; write the number of tasks, env/N"},
		{"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_STEP=2 " +
			"SLURM_ARRAY_TASK_COUNT=5",
			0, "SLURM_ARRAY_TASK_STEP=2: an array with gaps is not all tasks; write the number of tasks, env/N"},
		{"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_COUNT=2", 0,
			"SLURM_ARRAY_TASK_COUNT=2, but the tasks up to SLURM_ARRAY_TASK_MAX=8 are 9"},
		{"SLURM_ARRAY_TASK_ID=0", 0, "SLURM_ARRAY_TASK_MAX is not set"},
		// An array from 1 would leave out the first shard, so all its tasks refuse, not only the
		// last.
		{"SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=20 SLURM_ARRAY_TASK_COUNT=20", 20,
			"SLURM_ARRAY_TASK_MAX=20, but the last of 20 tasks is number 19: sbatch --array=0-(N-1)"},
		{"SLURM_ARRAY_TASK_ID=20", 20, "SLURM_ARRAY_TASK_ID=20, but the last of 20 tasks is number 19"},
		{"PBS_ARRAY_INDEX=3", 0, "PBS Professional or OpenPBS sets no variable with the number of tasks; write"},
		{"PBS_ARRAY_INDEX=21", 20, "PBS_ARRAY_INDEX=21, but the last of 20 tasks is number 20: qsub -J 1-N"},
		{"PBS_ARRAYID=3", 0, "Torque sets no variable with the number of tasks"},
		{"PBS_ARRAYID=21", 20, "PBS_ARRAYID=21, but the last of 20 tasks is number 20: qsub -t 1-N"},
		{"SGE_TASK_ID=3 SGE_TASK_FIRST=3 SGE_TASK_LAST=20 SGE_TASK_STEPSIZE=1", 0, "SGE_TASK_FIRST=3, but the first of all"},
		{"SGE_TASK_ID=1 SGE_TASK_FIRST=1 SGE_TASK_LAST=20 SGE_TASK_STEPSIZE=2", 0, "SGE_TASK_STEPSIZE=2: an array with gaps"},
		{"SGE_TASK_ID=1 SGE_TASK_FIRST=1 SGE_TASK_LAST=21 SGE_TASK_STEPSIZE=1", 20, "SGE_TASK_LAST=21, but the last of 20 "},
		{"LSB_JOBINDEX=3", 0, "LSB_JOBINDEX_END is not set"},
		{"LSB_JOBINDEX=3 LSB_JOBINDEX_END=20 LSB_JOBINDEX_STEP=2", 0, "LSB_JOBINDEX_STEP=2: an array with gaps"},
		{"LSB_JOBINDEX=21 LSB_JOBINDEX_END=21", 20, "LSB_JOBINDEX_END=21, but the last of 20 tasks is number 20"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=3", 0, "AWS_BATCH_JOB_ARRAY_SIZE is not set; write"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=3 AWS_BATCH_JOB_ARRAY_SIZE=30", 20,
			"AWS_BATCH_JOB_ARRAY_SIZE=30, but there is work for 20 "},
		{"JOB_COMPLETION_INDEX=3", 0, "Kubernetes sets no variable with the number of tasks"},
		{"PARALLEL_SEQ=3", 0, "GNU parallel sets no variable with the number of tasks"},
		{"PARALLEL_SEQ=21", 20, "PARALLEL_SEQ=21, but the last of 20 tasks is number 20: seq N | parallel"},
		{"JOB_COMPLETION_INDEX=20", 20, "JOB_COMPLETION_INDEX=20, but the last of 20 tasks is number 19: a Job with"},
	} {
		setEnvironment(t, c.variables)
		task, err := Find()
		if err != nil {
			t.Errorf("%s: %v", c.variables, err)
			continue
		}
		if index, tasks, err := task.Shard(c.count); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with N %d: %d of %d, error %v, want %q", c.variables, c.count, index, tasks, err, c.want)
		}
	}
}

func TestJobName(t *testing.T) {
	for variables, want := range map[string]string{
		"":                         "",
		"HOSTNAME=laptop JOB_ID=3": "",
		"SLURM_JOB_ID=7":           "slurm 7",
		"PBS_JOBID=7.server":       "pbs 7.server",
		"LSB_JOBID=7":              "lsf 7",
		"AWS_BATCH_JOB_ID=6c2e":    "aws-batch 6c2e",
		"PARALLEL_SEQ=3":           "parallel 3",
	} {
		setEnvironment(t, variables)
		if have := JobName(); have != want {
			t.Errorf("%q: job %q, want %q", variables, have, want)
		}
	}
}
