// The submit files in docs/how-to/cluster.md: with the variables that each scheduler sets, every
// task finds its own shard, and every command has flags that exist.

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

// clusterExample is a submit file in docs/how-to/cluster.md: its section, a pattern for the number
// of tasks, and the variables that the scheduler sets for a task, counted from 0.
type clusterExample struct {
	section, tasks string
	variables      func(task, tasks int) map[string]string
}

var clusterExamples = []clusterExample{
	{"Slurm by hand", `(?m)^#SBATCH --array=0-(\d+)%`, func(task, tasks int) map[string]string {
		return map[string]string{"SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": fmt.Sprint(task),
			"SLURM_ARRAY_TASK_MIN": "0",
			"SLURM_ARRAY_TASK_MAX": fmt.Sprint(tasks - 1), "SLURM_ARRAY_TASK_STEP": "1",
			"SLURM_ARRAY_TASK_COUNT": fmt.Sprint(tasks)}
	}},
	{"Torque", `(?m)^#PBS -t 1-(\d+)%5$`, func(task, _ int) map[string]string {
		return map[string]string{"PBS_ARRAYID": fmt.Sprint(task + 1), "PBS_JOBID": fmt.Sprintf("7[%d].server", task+1)}
	}},
}

// Each task of each example finds its own shard by the variables of its scheduler, and the command
// exists with its flags.
func TestClusterExamples(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "how-to", "cluster.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clusterExamples {
		_, section, found := strings.Cut(string(text), "\n### "+c.section+"\n")
		if !found {
			t.Errorf("there is no section %s", c.section)
			continue
		}
		section, _, _ = strings.Cut(section, "\n### ")
		tasks := regexp.MustCompile(c.tasks).FindStringSubmatch(section)
		command := commandOf(section)
		if tasks == nil || len(command) < 3 || command[0] != "gridsweep" || command[1] != "run" {
			t.Errorf("%s: tasks %v, command %q", c.section, tasks, command)
			continue
		}
		number, _ := strconv.Atoi(tasks[1])
		if c.section == "Slurm by hand" {
			number++ // the pattern finds the number of the last task, from 0
		}
		var help strings.Builder
		if err := execute(t.Context(), append(command[1:], "--help"), nil, &help, &help); err != nil {
			t.Errorf("%s: %q: %v", c.section, command, err)
		}
		shard := command[slices.Index(command, "--shard")+1]
		for task := range number {
			t.Run(fmt.Sprint(c.section, task), func(t *testing.T) {
				for name, value := range c.variables(task, number) {
					t.Setenv(name, value)
				}
				have, err := workspace.Portion{Shard: shard}.Parse(0)
				if want := (sweeps.Shard{Index: task + 1, Count: number}); have != want || err != nil {
					t.Errorf("task %d of %d runs shard %s, error %v, want %s", task, number, have, err, want)
				}
			})
		}
	}
}

// commandOf returns the words of the command in a section's submit file: the last line of a script.
func commandOf(section string) []string {
	block := regexp.MustCompile("(?s)```bash\n(.*?)```").FindStringSubmatch(section)
	if block == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(block[1]), "\n")
	return strings.Fields(strings.TrimPrefix(lines[len(lines)-1], "exec "))
}
