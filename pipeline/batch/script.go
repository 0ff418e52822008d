// The values in the files of a submission: the array job, and the finish job after it.

package batch

import "strings"

// Scripts are what the templates of a scheduler are filled with: limits and commands of the array
// job, and of the finish job after it, which lists missing runs and makes the report.
type Scripts struct {
	Name      string // name of the array job
	Folder    string // working directory of the commands, an absolute path
	Logs      string // folder of the jobs' output, an absolute path
	Tasks     int    // number of tasks of the array
	Running   int    // tasks that run at a time at most; 0 is no limit
	CPUs      int    // processors of a task
	Time      TimeLimit
	Memory    Memory
	Partition string // partition or queue; empty for the cluster's default
	Traces    string // GRIDSWEEP_TRACES of both jobs; empty for none

	// Of schedulers of containers.
	Image        string // container image of the program
	Volume       string // volume that is mounted at /results, the working directory
	TracesVolume string // volume that is mounted at /traces; empty for none

	Run    Command // command of a task
	Check  Command // command with exit code 0 if the plan is the submitted one
	Status Command // command with exit code 0: all runs are done; 1: some are not; else unknown
	Report Command // command that writes the files of the analysis and the page
	Rest   Command // command for the user that submits the missing runs
}

// Command is a program and its arguments. In templates it is a line for a shell.
type Command []string

// String returns the command as a line for a POSIX shell.
func (c Command) String() string {
	words := make([]string, len(c))
	for i, word := range c {
		words[i] = Quote(word)
	}
	return strings.Join(words, " ")
}

// MarshalText returns the line.
func (c Command) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// finishSuffix is what the name of the finish job has after that of the array job.
const finishSuffix = "-finish"

// FinishName returns the name of the finish job.
func (s Scripts) FinishName() string { return s.Name + finishSuffix }

// The least time and memory of the finish job, which waits for delayed files and reads what all
// tasks wrote. Nodes with nominally 2 GB have a little less than 2G.
const (
	finishSeconds = 30 * 60
	finishMemory  = 2000 << 20
)

// LogPattern returns the folder of logs for a pattern of file names of Slurm, in which % is
// special.
func (s Scripts) LogPattern() string { return strings.ReplaceAll(s.Logs, "%", "%%") }

// Last returns the number of the last task, from 0.
func (s Scripts) Last() int { return s.Tasks - 1 }
