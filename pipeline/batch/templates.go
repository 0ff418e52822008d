// The schedulers to which a sweep can be submitted, each described by the templates of its files.

package batch

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"text/template"
	"unicode"
)

// templates has a folder for each scheduler, whose files are templates of the files of a
// submission: array.* is the array job, finish.* the job after it, and submit.sh submits both.
// Slurm has no submit.sh, since Submit submits its jobs. report.tmpl is what the finish job does in
// a shell.
//
//go:embed templates
var templates embed.FS

// Target is a scheduler to which a sweep can be submitted.
type Target struct {
	Name string // as the flag --to takes it
	// MostTasks is the most tasks of an array by default; 0 for no limit. MaxArraySize returns that
	// of a Slurm cluster.
	MostTasks int
	Container bool // tasks run in the container image of the program

	files fs.FS
}

// Slurm is the name of the target to which Submit submits.
const Slurm = "slurm"

// targets lists the schedulers that are built in. Limits are those of max_aj_tasks of Grid Engine
// (sge_conf(5)), max_array_size of PBS, MAX_JOB_ARRAY_SIZE of LSF, "Array jobs" of AWS Batch, and
// the completions of a Kubernetes Job with many parallel pods.
var targets = []Target{
	{Name: Slurm},
	{Name: "gridengine", MostTasks: 75000},
	{Name: "pbs", MostTasks: 10000},
	{Name: "lsf", MostTasks: 1000},
	{Name: "kubernetes", MostTasks: 10000, Container: true},
	{Name: "aws-batch", MostTasks: 10000, Container: true},
}

// TargetNames returns the names of the schedulers that are built in.
func TargetNames() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.Name
	}
	return names
}

// FindTarget returns the scheduler of a name, or the one that the templates in a folder describe.
func FindTarget(name string) (Target, error) {
	for _, t := range targets {
		if t.Name == name {
			files, err := fs.Sub(templates, path.Join("templates", name))
			t.files = files
			return t, err
		}
	}
	if !strings.ContainsAny(name, `/\`) {
		return Target{}, fmt.Errorf("%s: write %s, or the path of a folder with templates, such as ./%s", name,
			strings.Join(TargetNames(), ", "), name)
	}
	t := Target{Name: name, files: os.DirFS(name)}
	if _, err := os.Stat(name); err != nil {
		return t, fmt.Errorf("the folder of templates: %w", err)
	}
	for _, pattern := range []string{"array.*", "submit.sh"} {
		if found, err := fs.Glob(t.files, pattern); err != nil || len(found) == 0 {
			return t, fmt.Errorf("%s: has no file %s; docs/how-to/cluster.md describes the templates", name, pattern)
		}
	}
	return t, nil
}

// File is a file of a submission.
type File struct{ Name, Text string }

// Files returns the files of a submission in the order of their names. It returns an error for a
// name that they cannot contain, or for a template that cannot be filled.
func (t Target) Files(s Scripts) ([]File, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(t.files, ".")
	if err != nil {
		return nil, fmt.Errorf("read the templates of %s: %w", t.Name, err)
	}
	var files []File
	for _, entry := range entries {
		if entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		values := s
		if strings.HasPrefix(entry.Name(), "finish.") {
			values.Time, values.Memory = s.Time.atLeast(finishSeconds), s.Memory.atLeast(finishMemory)
		}
		text, err := t.fill(entry.Name(), values)
		if err != nil {
			return nil, fmt.Errorf("template %s of %s: %w", entry.Name(), t.Name, err)
		}
		files = append(files, File{entry.Name(), text})
	}
	return files, nil
}

// check returns an error for a text with a line break or control character.
func (s Scripts) check() error {
	for _, text := range []string{
		s.Name, s.Folder, s.Logs, s.Run.String(), s.Check.String(), s.Status.String(), s.Report.String(), s.Rest.String(),
		s.Traces, s.Image, s.Volume, s.TracesVolume, s.Partition,
	} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Errorf("%q has a line break or control character, which cannot stand in a batch script: use another "+
				"name", text)
		}
	}
	return nil
}

func (t Target) fill(name string, s Scripts) (string, error) {
	parsed, err := template.New(name).Option("missingkey=error").Funcs(functions).ParseFS(templates,
		"templates/report.tmpl")
	if err == nil {
		parsed, err = parsed.ParseFS(t.files, name)
	}
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if err := parsed.ExecuteTemplate(&text, name, s); err != nil {
		for errors.Unwrap(err) != nil { // to the error of the function that refuses a name
			err = errors.Unwrap(err)
		}
		return "", err
	}
	return text.String(), nil
}

// functions are those of the templates.
var functions = template.FuncMap{
	"word": sbatchWord, "shown": shown, "plain": plainPath, "json": jsonText, "arguments": arguments,
}

// sbatchWord quotes the value of an option in an #SBATCH line, in which # begins a comment and
// quotes are those of a shell. sbatch takes no backslash.
func sbatchWord(text string) (string, error) {
	switch {
	case strings.Contains(text, `\`):
		return "", fmt.Errorf("folder %s: sbatch does not take a backslash in the name of a folder: use another", text)
	case strings.ContainsAny(text, " #'\""):
		return shellString(text), nil
	default:
		return text, nil
	}
}

// shellString quotes a text for a shell.
func shellString(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Quote returns a text as one word of a POSIX shell.
func Quote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+%@", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return shellString(text)
}

// shown quotes a text or a command for a shell, also where it need not be.
func shown(text any) string { return shellString(fmt.Sprint(text)) }

// plainPath returns a path, or an error if it has characters that a scheduler may take for its own.
func plainPath(text string) (string, error) {
	special := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("'\"\\#$%*?;,&|<>()[]{}`:", r) }
	if i := strings.IndexFunc(text, special); i >= 0 {
		return "", fmt.Errorf("folder %s: the scheduler may not take the character %q in the name of a folder: use another",
			text, []rune(text[i:])[0])
	}
	return text, nil
}

func jsonText(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

// arguments returns the words of a command after the program, and then some more.
func arguments(c Command, more ...string) []string { return slices.Concat(c[min(1, len(c)):], more) }
