// The batch scripts of a submission: their whole texts are compared, with and without limits, and
// odd names of folders are quoted or refused.

package batch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// commands returns scripts in which only the commands are set.
func commands() Scripts {
	return Scripts{
		Name: "gridsweep-0123", Folder: "/home/ada/sweeps", Logs: "/home/ada/sweeps/out/submitted/0123/logs",
		Tasks: 5, CPUs: 1,
		Run:    Command{"/opt/gridsweep", "run", "mine.yaml"},
		Status: Command{"/opt/gridsweep", "status", "mine.yaml", "--complete"},
		Report: Command{"/opt/gridsweep", "report", "mine.yaml"},
		Rest:   Command{"gridsweep", "submit", "mine.yaml", "--set", "name=it's", "--missing"},
	}
}

// slurmScripts returns the files of a submission to Slurm.
func slurmScripts(s Scripts) (array, finish string, err error) {
	target, err := FindTarget(Slurm)
	if err != nil {
		return "", "", err
	}
	files, err := target.Files(s)
	if err != nil {
		return "", "", err
	}
	return files[0].Text, files[1].Text, nil
}

func TestScripts(t *testing.T) {
	s := commands()
	s.Running, s.CPUs, s.Partition = 2, 4, "short,long"
	s.Traces = "/home/ada/my traces"
	var err error
	if s.Time, err = ParseTime("5"); err != nil {
		t.Fatal(err)
	}
	if s.Memory, err = ParseMemory("1G"); err != nil {
		t.Fatal(err)
	}
	array, finish, err := slurmScripts(s)
	if err != nil {
		t.Fatal(err)
	}
	const wantArray = `#!/bin/bash
#SBATCH --job-name=gridsweep-0123
#SBATCH --array=0-4%2
#SBATCH --output=/home/ada/sweeps/out/submitted/0123/logs/%A_%a.log
#SBATCH --open-mode=append
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --time=5
#SBATCH --mem=1G
#SBATCH --partition=short,long
#SBATCH --chdir=/home/ada/sweeps
#SBATCH --signal=B:USR1@30
#SBATCH --requeue
export GRIDSWEEP_TRACES='/home/ada/my traces'
exec /opt/gridsweep run mine.yaml
`
	const wantFinish = `#!/bin/bash
#SBATCH --job-name=gridsweep-0123-finish
#SBATCH --output=/home/ada/sweeps/out/submitted/0123/logs/finish_%j.log
#SBATCH --open-mode=append
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --time=00:30:00
#SBATCH --mem=2000M
#SBATCH --partition=short,long
#SBATCH --chdir=/home/ada/sweeps
#SBATCH --requeue
export GRIDSWEEP_TRACES='/home/ada/my traces'

/opt/gridsweep status mine.yaml --complete
complete=$?
if [ $complete -gt 1 ]; then
	echo "the status of the submission is unknown (exit code $complete); nothing was reported"
	exit 1
fi
/opt/gridsweep report mine.yaml
reported=$?
if [ $complete -ne 0 ]; then
	echo 'not all is done; see /home/ada/sweeps/out/submitted/0123/logs'
	echo 'submit the rest with'
	echo '    gridsweep submit mine.yaml --set '\''name=it'\''\'\'''\''s'\'' --missing'
	exit 1
fi
[ $reported -eq 0 ]
`
	if diff := cmp.Diff(wantArray, array); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantFinish, finish); diff != "" {
		t.Error(diff)
	}
}

// The finish job has half an hour and 2 GB, or the limits of the tasks if these are higher or
// missing.
func TestLimitsOfTheFinishJob(t *testing.T) {
	for _, c := range []struct{ time, memory, want string }{
		{"29:59", "1999M", "#SBATCH --time=00:30:00\n#SBATCH --mem=2000M\n"},
		{"30", "2000M", "#SBATCH --time=30\n#SBATCH --mem=2000M\n"},
		{"2h", "16G", "#SBATCH --time=02:00:00\n#SBATCH --mem=16G\n"},
		{"UNLIMITED", "0", "#SBATCH --time=UNLIMITED\n#SBATCH --mem=0\n"},
	} {
		s := commands()
		var err error
		if s.Time, err = ParseTime(c.time); err != nil {
			t.Fatal(err)
		}
		if s.Memory, err = ParseMemory(c.memory); err != nil {
			t.Fatal(err)
		}
		if _, finish, err := slurmScripts(s); err != nil || !strings.Contains(finish, c.want) {
			t.Errorf("%s and %s: error %v, want\n%s in\n%s", c.time, c.memory, err, c.want, finish)
		}
	}
}

// Options that are not set are left to the cluster.
func TestScriptsWithoutLimits(t *testing.T) {
	array, finish, err := slurmScripts(commands())
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{array, finish} {
		for _, option := range []string{"--time", "--mem", "--partition", "--array=0-4%"} {
			if strings.Contains(script, option) {
				t.Errorf("%s is set in\n%s", option, script)
			}
		}
	}
}

func TestScriptsOfOddFolders(t *testing.T) {
	s := commands()
	s.Folder, s.Logs = "/home/ada/50% #1", "/home/ada/it's/logs%"
	array, _, err := slurmScripts(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"#SBATCH --chdir='/home/ada/50% #1'\n", `#SBATCH --output='/home/ada/it'\''s/logs%%/%A_%a.log'` + "\n",
	} {
		if !strings.Contains(array, want) {
			t.Errorf("want %s in\n%s", want, array)
		}
	}
	s.Folder = "/home/ada/#1" // where Slurm would begin a comment
	if array, _, err = slurmScripts(s); err != nil || !strings.Contains(array, "#SBATCH --chdir='/home/ada/#1'\n") {
		t.Errorf("%v\n%s", err, array)
	}
	for _, odd := range []func(*Scripts){
		func(s *Scripts) { s.Folder = "/home/ada\n#SBATCH --exclusive" },
		func(s *Scripts) { s.Logs = `/home/ada\logs` },
		func(s *Scripts) { s.Run = Command{"gridsweep", "run", "a\x00b"} },
		func(s *Scripts) { s.Rest = Command{"gridsweep", "submit", "a\nb"} },
	} {
		s := commands()
		odd(&s)
		if _, _, err := slurmScripts(s); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}
