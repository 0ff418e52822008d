package batch

import (
	"fmt"
	"strings"
	"text/template"
	"unicode"
)

// Scripts are the two jobs of a submission: the array, and the job after it that says what is
// missing and reports.
type Scripts struct {
	Name      string // of the array; the other's has FinishSuffix after it
	Folder    string // where the commands run, an absolute path
	Logs      string // folder of what the jobs print, an absolute path
	Tasks     int    // of the array
	Running   int    // of these at a time at most; 0 is as many as the cluster has room for
	CPUs      int    // of a task
	Time      TimeLimit
	Memory    Memory
	Partition string // empty for the cluster's default

	// Exports are variables as a shell sets them, NAME=value, that hold in both jobs.
	Exports []string
	// Commands as lines for a shell: what a task does; what says whether all is done, with exit
	// code 1 if not and another one where it cannot tell; what makes the tables, and the page; what
	// people run for what is missing.
	Run, Status, Analyze, Report, Rest string
}

// Text returns the two batch scripts. It is an error where a name cannot stand in one.
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
	last := s
	last.Time, last.Memory = s.Time.atLeast(finishSeconds), s.Memory.atLeast(finishMemory)
	return s.fill(arrayScript), last.fill(finishScript), nil
}

// FinishSuffix stands after the name of the array in that of the job after it.
const FinishSuffix = "-finish"

// What the last job gets at least, however little a task does: it waits for files that come late,
// and reads what all tasks wrote. Nodes that are said to have 2 GB have a little less than 2G.
const (
	finishSeconds = 30 * 60
	finishMemory  = 2000 << 20
)

func (s Scripts) fill(text string) string {
	var script strings.Builder
	functions := template.FuncMap{"word": sbatchWord, "shown": shellString}
	if err := template.Must(template.New("").Funcs(functions).Parse(text)).Execute(&script, s); err != nil {
		panic(err) // the templates are ours and fit Scripts
	}
	return script.String()
}

// LogPattern returns the folder of logs within a pattern for names of files, in which % is special.
func (s Scripts) LogPattern() string { return strings.ReplaceAll(s.Logs, "%", "%%") }

// Last returns the number of the last task.
func (s Scripts) Last() int { return s.Tasks - 1 }

// sbatchWord quotes the value of an option in a #SBATCH line, where # begins a comment and quotes
// are as in a shell.
func sbatchWord(text string) string {
	if strings.ContainsAny(text, " #'\"") {
		return shellString(text)
	}
	return text
}

// shellString returns the text between quotes of a shell.
func shellString(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// limits are the lines that both scripts have.
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

// arrayScript hands over to the program by exec, so that the signal before the time limit, which
// only the process of the script gets (B:), reaches the program itself.
const arrayScript = `#!/bin/bash
#SBATCH --job-name={{.Name}}
#SBATCH --array=0-{{.Last}}{{with .Running}}%{{.}}{{end}}
#SBATCH --output={{word (print .LogPattern "/%A_%a.log")}}
#SBATCH --open-mode=append
` + limitLines + `#SBATCH --signal=B:USR1@{{.Time.Notice}}
#SBATCH --requeue
` + exportLines + `exec {{.Run}}
`

// finishScript reports nothing where the status cannot tell what is done, since what would be
// reported is not what was submitted.
const finishScript = `#!/bin/bash
#SBATCH --job-name={{.Name}}` + FinishSuffix + `
#SBATCH --output={{word (print .LogPattern "/finish_%j.log")}}
#SBATCH --open-mode=append
` + limitLines + `#SBATCH --requeue
` + exportLines + `
{{.Status}}
complete=$?
if [ $complete -gt 1 ]; then
	echo "whether what was submitted is done cannot be told (exit code $complete); nothing was analyzed or reported"
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
