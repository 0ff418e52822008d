package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gridsweep/pipeline/traces"
)

// manFolder is where make man has the pages written.
var manFolder = flag.String("man", "", "write the man pages into this folder")

// The man pages are made from the commands, whose help has their words, and from the documentation: a page for each
// command, with each of its flags.
func TestManPages(t *testing.T) {
	pages := manPages(t)
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		page := pages[manName(c)+".1"]
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"} {
			isOurs := !strings.HasPrefix(c.CommandPath(), "gridsweep completion") // whose examples cobra has in its text
			if !strings.Contains(page, "\n.SH "+section+"\n") && (isOurs || section != "EXAMPLES") {
				t.Errorf("%s.1 has no section %s", manName(c), section)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name := roff("--" + f.Name); !strings.Contains(page, name) {
				t.Errorf("%s.1 does not have --%s", manName(c), f.Name)
			}
		})
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				check(below)
			}
		}
	}
	check(newManRoot())
	main := pages["gridsweep.1"]
	for _, want := range []string{traces.FolderVariable, "XDG_CACHE_HOME", `out/STUDY/runs/*.parquet`, `gridsweep\-reproduce`} {
		if !strings.Contains(main, want) {
			t.Errorf("gridsweep.1 does not have %s", want)
		}
	}
	for _, code := range []int{0, exitFailed, exitUsage, exitClaim, exitInterrupted} {
		if !strings.Contains(main, fmt.Sprintf("\n.TP\n.B %d\n", code)) {
			t.Errorf("gridsweep.1 does not have the exit code %d", code)
		}
	}
	if *manFolder == "" {
		return
	}
	if err := os.MkdirAll(*manFolder, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, page := range pages {
		if err := os.WriteFile(filepath.Join(*manFolder, name), []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// overstrike is how bold letters are printed: twice.
var overstrike = regexp.MustCompile(".\b")

// Where there are readers of man pages, they find nothing to warn of.
func TestManPagesAreSet(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for name, page := range manPages(t) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	readers := 0
	for _, reader := range [][]string{
		{"groff", "-man", "-ww", "-Tascii", "-P-c"}, {"mandoc", "-Tascii", "-W", "warning"},
	} {
		program, err := exec.LookPath(reader[0])
		if err != nil {
			continue
		}
		readers++
		var set, said strings.Builder
		c := exec.Command(program, append(reader[1:], files...)...)
		c.Stdout, c.Stderr = &set, &said
		err = c.Run()
		text := overstrike.ReplaceAllString(set.String(), "")
		if err != nil || said.Len() > 0 || strings.Count(text, "\nEXIT STATUS\n") < len(files) {
			t.Errorf("%s: %v\n%s", reader[0], err, said.String())
		}
	}
	if readers == 0 {
		t.Skip("there is neither groff nor mandoc")
	}
}

// newManRoot returns the program with the commands that cobra adds when it is run.
func newManRoot() *cobra.Command {
	root := newRoot(&terminal{})
	root.InitDefaultCompletionCmd()
	return root
}

// manPages returns the pages of all commands: name of the file → text.
func manPages(t *testing.T) map[string]string {
	t.Helper()
	date := documented(t, "CHANGELOG.md", regexp.MustCompile(`(?m)^## \[`+regexp.QuoteMeta(version)+`\] - (.*)$`))
	codes := documented(t, "docs/design.md", regexp.MustCompile(`(?s)## Exit codes\n\n(.*?)\. `))
	files := documented(t, "docs/results.md", regexp.MustCompile(`(?s)\| path \| what it is \|\n\| --- \| --- \|\n(.*?)\n\n`))
	pages := map[string]string{}
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		page := manPage(c, date)
		page.section("EXIT STATUS")
		for _, code := range strings.Split(strings.Join(strings.Fields(codes), " "), "; ") {
			number, meaning, _ := strings.Cut(code, " ")
			page.item(number, meaning)
		}
		if !c.HasParent() {
			page.section("ENVIRONMENT")
			page.item(traces.FolderVariable, "folder in which traces are looked for before all others")
			page.item("XDG_CACHE_HOME", "the user's cache, in whose folder gridsweep/traces traces are kept; ~/.cache where it is not set")
			page.section("FILES")
			for _, line := range strings.Split(files, "\n") {
				cells := strings.Split(strings.Trim(line, "| "), " | ")
				page.item(strings.ReplaceAll(cells[0], "`", ""), cells[1])
			}
		}
		page.seeAlso(c)
		pages[manName(c)+".1"] = page.String()
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				add(below)
			}
		}
	}
	add(newManRoot())
	return pages
}

// documented returns what the documentation says where the pattern's group is.
func documented(t *testing.T, file string, pattern *regexp.Regexp) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	match := pattern.FindSubmatch(text)
	if match == nil {
		t.Fatalf("%s does not have %s", file, pattern)
	}
	return string(match[1])
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page is a man page in the making. Its texts may have Markdown's code and links.
type page struct{ strings.Builder }

// manPage returns what the help says of a command.
func manPage(c *cobra.Command, date string) *page {
	p := &page{}
	const straight = ".nh\n.ad l\n" // names stay whole, and right edges ragged
	fmt.Fprintf(p, ".TH %s 1 %q %q gridsweep\n%s", roff(strings.ToUpper(manName(c))), date, "gridsweep "+version, straight)
	p.section("NAME")
	fmt.Fprintf(p, "%s \\- %s\n", roff(manName(c)), roff(strings.ToLower(c.Short[:1])+c.Short[1:]))
	p.section("SYNOPSIS")
	arguments := strings.TrimSpace(strings.TrimPrefix(c.UseLine(), c.CommandPath()))
	if c.HasAvailableSubCommands() {
		arguments = "COMMAND ..."
	}
	fmt.Fprintf(p, ".B %s\n%s\n", roff(c.CommandPath()), roff(arguments))
	p.section("DESCRIPTION")
	p.text(cmp.Or(c.Long, c.Short+"."))
	if c.HasAvailableSubCommands() {
		p.section("COMMANDS")
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				p.item(manName(below)+"(1)", below.Short)
			}
		}
	}
	p.section("OPTIONS")
	c.InitDefaultHelpFlag()
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		one := pflag.NewFlagSet("", pflag.ContinueOnError)
		one.AddFlag(f)
		head, usage, _ := strings.Cut(strings.TrimSpace(one.FlagUsages()), "   ") // as the help has it, default and all
		name, value, _ := strings.Cut(head+" ", "--"+f.Name+" ")
		fmt.Fprintf(p, ".TP\n\\fB%s\\fR \\fI%s\\fR\n%s\n", roff(name+"--"+f.Name), roff(strings.TrimSpace(value)), roff(strings.TrimSpace(usage)))
	})
	if c.Example != "" {
		p.section("EXAMPLES")
		p.text(c.Example)
	}
	return p
}

func (p *page) section(name string) { fmt.Fprintf(p, ".SH %s\n", name) }

func (p *page) item(head, text string) {
	fmt.Fprintf(p, ".TP\n.B %s\n%s\n", roff(head), roff(plainText(text)))
}

// text writes paragraphs, of which the lines that are indented stay as they are.
func (p *page) text(text string) {
	isExample, isNew := false, false // a section starts a paragraph by itself
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		indented := strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
		switch blank := strings.TrimSpace(line) == ""; {
		case indented && !isExample:
			if isNew {
				p.WriteString(".PP\n")
			}
			p.WriteString(".EX\n")
		case isExample && !indented && !blank:
			p.WriteString(".EE\n")
			isNew = true
		}
		switch {
		case strings.TrimSpace(line) == "":
			isNew = true
			continue
		case indented:
			isExample = true
			fmt.Fprintln(p, roff(strings.TrimSpace(line)))
			continue
		case isNew:
			p.WriteString(".PP\n")
		}
		isExample, isNew = false, false
		fmt.Fprintln(p, roff(strings.TrimLeft(line, "# ")))
	}
	if isExample {
		p.WriteString(".EE\n")
	}
}

// seeAlso names the pages of the commands above and below.
func (p *page) seeAlso(c *cobra.Command) {
	p.section("SEE ALSO")
	var names []string
	if c.HasParent() {
		names = append(names, manName(c.Parent()))
	}
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			names = append(names, manName(below))
		}
	}
	for i, name := range names {
		comma := ","
		if i == len(names)-1 {
			comma = ""
		}
		fmt.Fprintf(p, ".BR %s (1)%s\n", roff(name), comma)
	}
}

// plainText takes Markdown's links and code marks out of a text.
func plainText(text string) string {
	return strings.ReplaceAll(pageLink.ReplaceAllString(text, "$1"), "`", "")
}

// roff returns text in which troff finds no request and no escape, in ASCII.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	var ascii strings.Builder
	for _, r := range text {
		if r < 0x80 {
			ascii.WriteRune(r)
		} else {
			fmt.Fprintf(&ascii, `\[u%04X]`, r)
		}
	}
	return ascii.String()
}
