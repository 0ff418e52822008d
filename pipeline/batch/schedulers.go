package batch

// The batch schedulers and the environment variables in which each has the number of a task.

// scheduler is the environment variables of a scheduler in which a task of an array finds its
// number.
type scheduler struct {
	name  string // name as people write it
	word  string // before a job's name in logs
	array string // how an array of N tasks is submitted
	index string // the variable of the task's number
	never string // a value of that outside of arrays, besides not being set
	base  int    // the number of the first task
	// The variables of the array's first and last number, of the step between them and of the
	// number of its tasks; empty where the scheduler has none.
	first, last, step, size string
	// the scheduler's name of the job, empty outside of its jobs
	job func(Lookup) string
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
			job: func(lookup Lookup) string {
				array, task := value(lookup, "SLURM_ARRAY_JOB_ID"), value(lookup, "SLURM_ARRAY_TASK_ID")
				if array != "" && task != "" {
					return array + "_" + task
				}
				return value(lookup, "SLURM_JOB_ID")
			},
		},
		{
			name: "PBS Professional or OpenPBS", word: "pbs", array: "qsub -J 1-N",
			index: "PBS_ARRAY_INDEX", base: 1,
			job: variable("PBS_JOBID"),
		},
		{
			name: "Torque", word: "pbs", array: "qsub -t 1-N",
			index: "PBS_ARRAYID", base: 1,
			job: variable("PBS_JOBID"),
		},
		{
			name: "Grid Engine", word: "sge", array: "qsub -t 1-N",
			index: "SGE_TASK_ID", never: "undefined", base: 1,
			first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST", step: "SGE_TASK_STEPSIZE",
			job: func(lookup Lookup) string {
				switch job, task := value(lookup, "JOB_ID"), value(lookup, "SGE_TASK_ID"); {
				case task == "":
					return "" // other programs have a JOB_ID too
				case job == "" || task == "undefined":
					return job
				default:
					return job + "." + task
				}
			},
		},
		{
			name: "LSF", word: "lsf", array: `bsub -J "name[1-N]"`,
			index: "LSB_JOBINDEX", never: "0", base: 1,
			last: "LSB_JOBINDEX_END", step: "LSB_JOBINDEX_STEP",
			job: func(lookup Lookup) string {
				job, task := value(lookup, "LSB_JOBID"), value(lookup, "LSB_JOBINDEX")
				if job != "" && task != "" && task != "0" {
					return job + "[" + task + "]"
				}
				return job
			},
		},
		{
			name: "AWS Batch", word: "aws-batch", array: "aws batch submit-job --array-properties size=N",
			index: "AWS_BATCH_JOB_ARRAY_INDEX", size: "AWS_BATCH_JOB_ARRAY_SIZE",
			job: variable("AWS_BATCH_JOB_ID"),
		},
		{
			name: "Kubernetes", word: "kubernetes", array: "a Job with completionMode: Indexed and completions: N",
			index: "JOB_COMPLETION_INDEX",
			job: func(lookup Lookup) string {
				if value(lookup, "JOB_COMPLETION_INDEX") == "" {
					return ""
				}
				// of a pod; those of an indexed Job are named by Job and index
				return value(lookup, "HOSTNAME")
			},
		},
		{
			name: "GNU parallel", word: "parallel", array: "seq N | parallel",
			index: "PARALLEL_SEQ", base: 1,
			job: variable("PARALLEL_SEQ"),
		},
	}
}

// taskNumber returns the text of the task's number, and whether this process is a task of an array.
func (s scheduler) taskNumber(lookup Lookup) (text string, isTask bool) {
	text = value(lookup, s.index)
	return text, text != "" && text != s.never
}

// variable returns the job of a scheduler that has its name in one variable.
func variable(name string) func(Lookup) string {
	return func(lookup Lookup) string { return value(lookup, name) }
}

// value returns a variable's value, empty where it is not set.
func value(lookup Lookup, name string) string {
	text, _ := lookup(name)
	return text
}
