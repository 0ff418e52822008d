package batch

// The batch scripts of a submission: that of the array job and that of the finish job.

import (
	"fmt"
	"strings"
	"text/template"
	"unicode"
)

// Scripts are the batch scripts of a submission's two jobs: the array job, and the finish job after
// it, which lists missing runs and makes the report.
type Scripts struct {
	Name      string // of the array job; that of the finish job has FinishSuffix after it
	Folder    string // working directory of the commands, an absolute path
	Logs      string // folder of the jobs' output, an absolute path
	Tasks     int    // of the array
	Running   int    // tasks that run at a time at most; 0 is no limit
	CPUs      int    // of a task
	Time      TimeLimit
	Memory    Memory
	Partition string // empty for the cluster's default

	// Exports are environment variables of both jobs, as NAME=value for a shell.
	Exports []string

	// Commands as lines for a shell.
	Run     string // of a task
	Status  string // exit code 0: all runs are done; 1: some are not; else unknown
	Analyze string
	Report  string
	Rest    string // for the user, submits the missing runs
}

// Text returns the two batch scripts. It returns an error for a name that they cannot contain.
func (s Scripts) Text() (array, finish string, err error) {
	texts := []string{s.Name, s.Folder, s.Logs, s.Run, s.Status, s.Analyze, s.Report, s.Rest}
	for _, text := range append(texts, s.Exports...) {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return "", "", fmt.Errorf("%q has a line break or control character, which cannot stand in a batch script: "+
				"use another name", text)
		}
	}
	for _, path := range []string{s.Folder, s.Logs} {
		if strings.Contains(path, `\`) {
			return "", "", fmt.Errorf("folder %s: sbatch does not take a backslash in the name of a folder: use another", path)
		}
	}
	finishing := s
	finishing.Time, finishing.Memory = s.Time.atLeast(finishSeconds), s.Memory.atLeast(finishMemory)
	return s.fill(arrayScript), finishing.fill(finishScript), nil
}

// FinishSuffix is what the name of the finish job has after that of the array job.
const FinishSuffix = "-finish"

// The least time and memory of the finish job, which waits for delayed files and reads what all
// tasks wrote. Nodes with nominally 2 GB have a little less than 2G.
const (
	finishSeconds = 30 * 60
	finishMemory  = 2000 << 20
)

func (s Scripts) fill(text string) string {
	var script strings.Builder
	functions := template.FuncMap{"word": sbatchWord, "shown": shellString}
	if err := template.Must(template.New("").Funcs(functions).Parse(text)).Execute(&script, s); err != nil {
		panic(err) // a bug: the templates fit Scripts
	}
	return script.String()
}

// LogPattern returns the folder of logs for a pattern of file names, in which % is special.
func (s Scripts) LogPattern() string { return strings.ReplaceAll(s.Logs, "%", "%%") }

// Last returns the number of the last task, from 0.
func (s Scripts) Last() int { return s.Tasks - 1 }

// sbatchWord quotes the value of an option in an #SBATCH line, in which # begins a comment and
// quotes are those of a shell.
func sbatchWord(text string) string {
	if strings.ContainsAny(text, " #'\"") {
		return shellString(text)
	}
	return text
}

// shellString quotes a text for a shell.
func shellString(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// limitLines are in both scripts.
const limitLines = `#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.CPUs}}
{{- with .Time.Text}}
#SBATCH --time={{.}}
{{- end}}
{{- with .Memory.Text}}
#SBATCH --mem={{.}}
{{- end}}
{{- with .Partition}}
#SBATCH --partition={{.}}
{{- end}}
#SBATCH --chdir={{word .Folder}}
`

const exportLines = `{{range .Exports}}export {{.}}
{{end}}`

// arrayScript replaces the shell by the program (exec), so that the program gets the signal before
// the time limit: Slurm sends it to the process of the batch shell only (B:).
const arrayScript = `#!/bin/bash
#SBATCH --job-name={{.Name}}
#SBATCH --array=0-{{.Last}}{{with .Running}}%{{.}}{{end}}
#SBATCH --output={{word (print .LogPattern "/%A_%a.log")}}
#SBATCH --open-mode=append
` + limitLines + `#SBATCH --signal=B:USR1@{{.Time.Notice}}
#SBATCH --requeue
` + exportLines + `exec {{.Run}}
`

// finishScript makes no report if the status is unknown: the plan is not the one that was
// submitted.
const finishScript = `#!/bin/bash
#SBATCH --job-name={{.Name}}` + FinishSuffix + `
#SBATCH --output={{word (print .LogPattern "/finish_%j.log")}}
#SBATCH --open-mode=append
` + limitLines + `#SBATCH --requeue
` + exportLines + `
{{.Status}}
complete=$?
if [ $complete -gt 1 ]; then
	echo "the status of the submission is unknown (exit code $complete); nothing was analyzed or reported"
	exit 1
fi
{{.Analyze}}
analyzed=$?
{{.Report}}
reported=$?
if [ $complete -ne 0 ]; then
	echo {{shown (print "not all is done; see " .Logs)}}
	echo 'submit the rest with'
	echo {{shown (print "    " .Rest)}}
	exit 1
fi
[ $analyzed -eq 0 ] && [ $reported -eq 0 ]
`
