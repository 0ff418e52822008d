// The code blocks of README.md and docs are executed, and console blocks equal what their commands
// print; -update writes them.

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codeBlock is a code block of a page.
type codeBlock struct {
	line     int    // of the opening fence, from 1
	language string // as the fence names it
	marker   string // the comment on the line before the fence, without <!-- and -->
	text     string
}

// at returns the position of the block, for messages.
func (s codeBlock) at(page string) string {
	return fmt.Sprintf("%s:%d", filepath.ToSlash(page), s.line)
}

// markedAs returns the text of the marker after a word such as "file:", and whether it has the
// word.
func (s codeBlock) markedAs(word string) (string, bool) {
	rest, is := strings.CutPrefix(s.marker, word)
	return strings.TrimSpace(rest), is
}

var (
	fence   = regexp.MustCompile("^( *)```(\\w*)$")
	comment = regexp.MustCompile(`^ *<!-- (.*) -->$`)
)

// codeBlocks returns the code blocks of a page. A comment "first: COMMAND" on its own line is a
// block too, which prepares later blocks and is hidden from readers.
func codeBlocks(page string) []codeBlock {
	var all []codeBlock
	var open *codeBlock
	var indent, marker string
	for i, line := range strings.Split(page, "\n") {
		match := fence.FindStringSubmatch(line)
		switch {
		case open != nil && match != nil && match[2] == "":
			all, open, marker = append(all, *open), nil, ""
		case open != nil:
			open.text += strings.TrimPrefix(line, indent) + "\n"
		case match != nil:
			indent, open = match[1], &codeBlock{line: i + 1, language: match[2], marker: marker}
		default:
			marker = ""
			if found := comment.FindStringSubmatch(line); found != nil {
				marker = found[1]
				if command, is := strings.CutPrefix(marker, "first: "); is {
					all = append(all, codeBlock{line: i + 1, language: "sh", text: command})
				}
			}
		}
	}
	return all
}

// pageOfDocs returns the text of a page, by its path from the root of the repository.
func pageOfDocs(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// filesOfDocs returns the blocks of a page that are marked as files, by file name.
func filesOfDocs(t *testing.T, path string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, s := range codeBlocks(pageOfDocs(t, path)) {
		if name, is := s.markedAs("file:"); is {
			files[name] = s.text
		}
	}
	return files
}

// The code blocks of README.md and docs are executed, each page in its own folder, and print what
// the page shows. A marker before a block changes this:
//
//	<!-- file: NAME -->      the block is a file, which later blocks of the page use
//	<!-- from: PATH -->      the block is a part of a file that other tests compile and run;
//	                         later blocks of the page use a file in Python
//	<!-- needs: PROGRAM -->  it is executed where the machine has the program
//	<!-- exits 1 -->         its command ends with this exit code
//	<!-- not run: REASON --> it needs something that tests do not have
//
// With -update pages are rewritten with the output of their commands.
func TestDocsOfCommandsAreCurrent(t *testing.T) {
	ran := 0
	for _, path := range append(pagesOfDocs(t), filepath.Join(root, "README.md")) {
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		if strings.HasPrefix(name, "docs/reference/parameters/") || len(codeBlocks(pageOfDocs(t, name))) == 0 {
			continue
		}
		ran++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reader := pageReader{page: name, text: pageOfDocs(t, name), dir: t.TempDir()}
			for _, s := range codeBlocks(reader.text) {
				reader.read(t, s)
			}
			if *update && !t.Failed() {
				if err := os.WriteFile(path, []byte(reader.text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if ran < 12 {
		t.Errorf("found %d pages, want at least 12: have they moved?", ran)
	}
}

// pageReader executes a page, block by block.
type pageReader struct {
	page, text, dir string
}

func (r *pageReader) read(t *testing.T, s codeBlock) {
	t.Helper()
	if reason, is := s.markedAs("not run:"); is {
		if len(reason) < 10 {
			t.Errorf("%s: the marker gives no reason", s.at(r.page))
		}
		return
	}
	if program, is := s.markedAs("needs:"); is {
		if _, err := exec.LookPath(program); err != nil {
			return
		}
	}
	if file, is := s.markedAs("file:"); is {
		path := filepath.Join(r.dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(s.text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	switch s.language {
	case "console":
		r.readConsole(t, s)
	case "sh", "bash":
		if out, err := r.shell(t, "set -e\n"+s.text); err != nil {
			t.Errorf("%s: %v\n%s", s.at(r.page), err, out)
		}
	case "go":
		r.readPart(t, s)
	case "python", "sql":
		if file, is := s.markedAs("from:"); is {
			r.readPart(t, s)
			path := filepath.Join(r.dir, filepath.Base(file))
			if err := os.WriteFile(path, []byte(pageOfDocs(t, file)), 0o666); err != nil {
				t.Fatal(err)
			}
			return
		}
		if testing.Short() || os.Getenv("GRIDSWEEP_PYTHON") == "" {
			return // the commands above it are executed
		}
		program := s.text
		if s.language == "sql" {
			program = "import duckdb\nassert duckdb.sql('''" + program + "''').fetchall()"
		}
		env := []string{"PYTHONPATH=" + pythonPackage(t), "PYTHONDONTWRITEBYTECODE=1"}
		output(t, r.dir, env, os.Getenv("GRIDSWEEP_PYTHON"), "-c", program)
	case "r":
		r.readR(t, s)
	}
}

// readR executes a block in R where it is installed with the package reticulate, which takes the
// libraries of Python.
func (r *pageReader) readR(t *testing.T, s codeBlock) {
	t.Helper()
	if testing.Short() || os.Getenv("GRIDSWEEP_PYTHON") == "" {
		return
	}
	if exec.Command("Rscript", "-e", "library(reticulate)").Run() != nil {
		return
	}
	env := []string{"RETICULATE_PYTHON=" + os.Getenv("GRIDSWEEP_PYTHON")}
	output(t, r.dir, env, "Rscript", "-e", s.text)
}

// readConsole executes each command after a dollar sign and compares its output with the lines
// below.
func (r *pageReader) readConsole(t *testing.T, s codeBlock) {
	t.Helper()
	current := ""
	for _, session := range strings.Split("\n"+s.text, "\n$ ")[1:] {
		session = strings.TrimSuffix(session, "\n")
		command, want, _ := strings.Cut(session+"\n", "\n")
		have, err := r.shell(t, command)
		code := 0
		if exit, is := err.(*exec.ExitError); is {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		wantCode := 0
		fmt.Sscanf(s.marker, "exits %d", &wantCode)
		if code != wantCode {
			t.Errorf("%s: %s: exit code %d, want %d\n%s", s.at(r.page), command, code, wantCode, have)
		}
		if want = strings.TrimSuffix(want, "\n"); !shows(want, have) {
			if *update && !strings.Contains(want, "...") {
				want = have
			} else {
				t.Errorf("%s: %s\nprints\n%s\nbut the page shows\n%s\nmake docs updates pages",
					s.at(r.page), command, have, want)
			}
		}
		current += "$ " + command + "\n"
		if want != "" {
			current += want + "\n"
		}
	}
	r.text = strings.Replace(r.text, "```console\n"+s.text+"```", "```console\n"+current+"```", 1)
}

// varies finds what differs between runs and machines: durations, rates, the verdicts on measured
// times, and lines that show progress, which fast commands do not print.
var varies = regexp.MustCompile(`\b[\d.]+(ms|s|m[\d.]+s)\b|\b[\d.,]+k? runs/(s|min|h)\b|on \d+ workers?|` +
	`\d+ of \d+ sentences? of the paper reproduced, [^.(]*|` +
	`(?m)^\S+: [\d,]+ of [\d,]+ \w+ \(\d+ %\).*\n|^\S+: [\d,]+ jobs in .*\n`)

// constant returns a text with everything that varies replaced or removed.
func constant(text string) string {
	return varies.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasSuffix(found, "\n") {
			return ""
		}
		return "T"
	})
}

// shows reports whether a page shows what a command prints, except for what varies. A line "..." on
// the page stands for any lines.
func shows(page, printed string) bool {
	pattern := regexp.QuoteMeta(constant(page))
	pattern = regexp.MustCompile(`(?m)^\\.\\.\\.$`).ReplaceAllLiteralString(pattern, `(?:.*\n)*?.*`)
	return regexp.MustCompile(`^` + pattern + `$`).MatchString(constant(printed))
}

// shell executes a command line in the folder of the page and returns its output and messages,
// without spaces at the ends of lines.
func (r *pageReader) shell(t *testing.T, command string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "sh", "-c", command)
	c.Dir = r.dir
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GRIDSWEEP_TRACES=") })
	c.Env = append(c.Env, "HOME="+filepath.Join(r.dir, ".home"), "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	lines := strings.Split(out.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n"), err
}

// readPart checks that the file of the marker contains the block, at any indentation.
func (r *pageReader) readPart(t *testing.T, s codeBlock) {
	t.Helper()
	file, is := s.markedAs("from:")
	if !is {
		t.Errorf("%s: a block of code needs a marker from: or file:", s.at(r.page))
		return
	}
	unindented := regexp.MustCompile(`(?m)^[ \t]+`)
	have := unindented.ReplaceAllString(pageOfDocs(t, file), "")
	if !strings.Contains(have, unindented.ReplaceAllString(s.text, "")) {
		t.Errorf("%s: %s does not contain the block", s.at(r.page), file)
	}
}
