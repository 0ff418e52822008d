// The batch schedulers and the environment variables in which each has the number of a task.

package batch

import (
	"cmp"
	"fmt"
	"os"
)

// scheduler is the environment variables of a scheduler in which a task of an array finds its
// number.
type scheduler struct {
	name   string // name as people write it
	word   string // before a job's name in logs
	array  string // how an array of N tasks is submitted
	index  string // the variable of the task's number
	noTask string // value of index outside of arrays, if it is set there
	base   int    // the number of the first task
	// The variables of the array's first and last number, of the step between them and of the
	// number of its tasks; empty where the scheduler has none.
	first, last, step, size string

	job        string // the variable with the scheduler's name of the job
	arrayJob   string // that of the job of all tasks, where it is another
	taskName   string // format of a task's name by array job and task; empty where job has it
	needsIndex bool   // job counts only where index is set, since other programs set job too
}

// schedulers lists the known schedulers in the order in which errors name them. The variables are
// from sbatch(1) of Slurm; qsub(1B) of PBS Professional and OpenPBS; qsub(1B) of Torque, which has
// another name for the index; submit(1) of Grid Engine; "Environment variables set for job
// execution" of LSF; "AWS Batch job environment variables"; "Job completion mode" of Kubernetes;
// and parallel(1) of GNU parallel.
func schedulers() []scheduler {
	return []scheduler{
		{
			name: "Slurm", word: "slurm", array: "sbatch --array=0-(N-1)",
			index: "SLURM_ARRAY_TASK_ID",
			first: "SLURM_ARRAY_TASK_MIN", last: "SLURM_ARRAY_TASK_MAX", step: "SLURM_ARRAY_TASK_STEP",
			size: "SLURM_ARRAY_TASK_COUNT",
			job:  "SLURM_JOB_ID", arrayJob: "SLURM_ARRAY_JOB_ID", taskName: "%s_%s",
		},
		{
			name: "PBS Professional or OpenPBS", word: "pbs", array: "qsub -J 1-N",
			index: "PBS_ARRAY_INDEX", base: 1,
			job: "PBS_JOBID",
		},
		{
			name: "Torque", word: "pbs", array: "qsub -t 1-N",
			index: "PBS_ARRAYID", base: 1,
			job: "PBS_JOBID",
		},
		{
			name: "Grid Engine", word: "sge", array: "qsub -t 1-N",
			index: "SGE_TASK_ID", noTask: "undefined", base: 1,
			first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST", step: "SGE_TASK_STEPSIZE",
			job: "JOB_ID", taskName: "%s.%s", needsIndex: true,
		},
		{
			name: "LSF", word: "lsf", array: `bsub -J "name[1-N]"`,
			index: "LSB_JOBINDEX", noTask: "0", base: 1,
			last: "LSB_JOBINDEX_END", step: "LSB_JOBINDEX_STEP",
			job: "LSB_JOBID", taskName: "%s[%s]",
		},
		{
			name: "AWS Batch", word: "aws-batch", array: "aws batch submit-job --array-properties size=N",
			index: "AWS_BATCH_JOB_ARRAY_INDEX", size: "AWS_BATCH_JOB_ARRAY_SIZE",
			job: "AWS_BATCH_JOB_ID",
		},
		{
			name: "Kubernetes", word: "kubernetes", array: "a Job with completionMode: Indexed and completions: N",
			index: "JOB_COMPLETION_INDEX",
			// the name of the pod, which Kubernetes makes of the Job's name and the index
			job: "HOSTNAME", needsIndex: true,
		},
		{
			name: "GNU parallel", word: "parallel", array: "seq N | parallel",
			index: "PARALLEL_SEQ", base: 1,
			job: "PARALLEL_SEQ",
		},
	}
}

// taskNumber returns the text of the task's number, and whether this process is a task of an array.
func (s scheduler) taskNumber() (text string, isTask bool) {
	text = os.Getenv(s.index)
	return text, text != "" && text != s.noTask
}

// jobName returns the scheduler's name of the job, or of the task of an array; empty outside of its
// jobs.
func (s scheduler) jobName() string {
	if s.needsIndex && os.Getenv(s.index) == "" {
		return ""
	}
	array := os.Getenv(cmp.Or(s.arrayJob, s.job))
	if task, isTask := s.taskNumber(); isTask && array != "" && s.taskName != "" {
		return fmt.Sprintf(s.taskName, array, task)
	}
	return os.Getenv(s.job)
}
