// Generated pages of parameters equal the models, aliases of columns and statistics are documented,
// the package for Python has the statistics, and the commands in documentation and help exist.

package cli

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dustin/go-humanize/english"

	stats "gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/studies"
	"gridsweep/results"
)

// update makes tests rewrite generated documentation and golden digests; make docs sets it.
var update = flag.Bool("update", false, "rewrite generated documentation and golden digests")

// The reference of results lists the second name of each column whose name is a keyword.
func TestDocsListColumnAliases(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "reference", "results.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range studies.All() {
		for _, c := range m.Tables[0].Columns {
			start, end := fmt.Sprintf("| `%s` | `%s` | ", m.Name, c.Name), fmt.Sprintf(" | `%s` |", c.Alias)
			isRow := func(line string) bool { return strings.HasPrefix(line, start) && strings.HasSuffix(line, end) }
			if c.Alias != "" && !slices.ContainsFunc(strings.Split(string(page), "\n"), isRow) {
				t.Errorf("docs/reference/results.md, Column aliases: no row %s…%s", start, end)
			}
		}
	}
}

// The reference of study files lists all statistics, in the order in which messages list them, and
// with whiskers the locations.
func TestDocsListStatistics(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "reference", "study-files.md"))
	if err != nil {
		t.Fatal(err)
	}
	var words, locations []string
	for _, s := range stats.All() {
		word := fmt.Sprintf("`%s`", s)
		if words = append(words, word); s.Measures() == stats.Location {
			locations = append(locations, word)
		}
	}
	if row := "| `stat` | " + strings.Join(words, ", ") + " |"; !strings.Contains(string(page), row) {
		t.Errorf("docs/reference/study-files.md, Queries: no row %s", row)
	}
	text := "`sd` goes with the statistics " + english.WordSeries(locations, "and")
	if !strings.Contains(string(page), text) {
		t.Errorf("docs/reference/study-files.md, Figures: whiskers do not say: %s", text)
	}
}

// The package for Python compares levels by the statistics of the replications' differences.
func TestPythonHasPairwiseStatistics(t *testing.T) {
	var entries, words strings.Builder
	for _, s := range stats.All() {
		if s.IsPairwise() {
			fmt.Fprintf(&entries, "    \"%s\": (%[1]s, _%[1]s_interval),\n", s)
			fmt.Fprintf(&words, ", \"%s\"", s)
		}
	}
	for file, want := range map[string]string{
		"_statistics.py": "]] = {\n" + entries.String() + "}\n",
		"_compare.py":    "    statistic: Literal[" + strings.TrimPrefix(words.String(), ", ") + "]",
	} {
		code, err := os.ReadFile(filepath.Join(root, "results", "python", "gridsweep", file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(code), want) {
			t.Errorf("results/python/gridsweep/%s: not the pairwise statistics:\n%s", file, want)
		}
	}
}

// The pages under docs/reference/parameters equal the tags of the models.
func TestDocsAreCurrent(t *testing.T) {
	folder := filepath.Join(root, "docs", "reference", "parameters")
	want := map[string]string{}
	for _, name := range configs.List() {
		study, err := configs.Load(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := (&terminal{models: studies.All()}).modelOf(study)
		if err != nil {
			t.Fatal(err)
		}
		want[m.Name+".md"] = reference(m)
	}
	if *update {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, text := range want {
		if have, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(have) != text {
			t.Errorf("docs/reference/parameters/%s differs from the model (%v): make docs", name, err)
		}
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if want[file.Name()] == "" {
			t.Errorf("docs/reference/parameters/%s belongs to no model: remove it", file.Name())
		}
	}
}

// The commands in README.md, in docs and in examples of the help exist with their flags.
func TestCommandsInDocsExist(t *testing.T) {
	var lines []string
	for _, page := range append(pagesOfDocs(t), filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range codeBlocks(string(text)) {
			if slices.Contains([]string{"sh", "bash", "console"}, block.language) {
				lines = append(lines, strings.Split(block.text, "\n")...)
			}
		}
		for line := range strings.Lines(prose(t, page)) {
			if strings.HasPrefix(line, "    ") {
				lines = append(lines, line)
			}
		}
	}
	program := newRoot(&terminal{})
	for _, c := range append(program.Commands(), program) {
		lines = append(lines, strings.Split(c.Example, "\n")...)
	}
	found := 0
	for _, line := range lines {
		line = strings.TrimPrefix(strings.Replace(line, "go run ./cmd/", "", 1), "$ ")
		words := strings.Fields(strings.Split(line, " #")[0])
		if len(words) == 0 || words[0] != "gridsweep" {
			continue
		}
		if end := slices.IndexFunc(words, func(w string) bool { return w == "|" || w == ">" || w == "&&" }); end > 0 {
			words = words[:end]
		}
		found++
		var help strings.Builder
		err := execute(t.Context(), append(words[1:], "--help"), nil, &help, &help)
		if err != nil || !strings.Contains(help.String(), "Usage:\n  "+words[0]+" "+words[1]) {
			t.Errorf("%s: %v\n%s", strings.TrimSpace(line), err, help.String())
		}
	}
	if found < 25 {
		t.Errorf("found %d commands, want at least 25: has their notation changed?", found)
	}
}

// pagesOfDocs returns the paths of all Markdown files in docs.
func pagesOfDocs(t *testing.T) []string {
	t.Helper()
	var pages []string
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// reference returns the page of a model in Markdown.
func reference(m *model.Model) string {
	var page strings.Builder
	fmt.Fprintf(&page, "# Parameters and columns of %s\n\n", m.Name)
	fmt.Fprintf(&page, "%s. %s.\n\n", m.Title, m.Paper)
	page.WriteString("This page is made from the model's code by `make docs`. [Study files](../study-files.md) set\n" +
		"parameters and show columns; [results](../results.md) says where the tables lie and which columns every\n" +
		"study has.\n\n")
	page.WriteString("Units are those of [UCUM](https://ucum.org): `1` is a pure number, `{job}` a number of jobs, " +
		"`mo` a month.\n\n")
	page.WriteString("## Parameters\n\n")
	row(&page, "name", "symbol", "type", "unit", "range", "default", "meaning")
	row(&page, "---", "---", "---", "---", "---", "---", "---")
	for _, p := range m.Parameters {
		row(&page, code(p.Name), p.Symbol, p.Type.String(), p.Unit, code(p.Range), code(p.Default.String()),
			p.Meaning())
	}
	for _, table := range m.Tables {
		fmt.Fprintf(&page, "\n## Columns of `%s`\n\n%s.", table.Name, sentence(table.Doc))
		if table.Name == model.RunsTable {
			page.WriteString(" The parameters above are columns too.")
		}
		if table.Optional {
			fmt.Fprintf(&page, " Written only with `--table %s`.", table.Name)
		}
		page.WriteString("\n\n")
		row(&page, "name", "symbol", "type", "unit", "meaning")
		row(&page, "---", "---", "---", "---", "---")
		for _, c := range table.Columns {
			meaning := c.Meaning()
			if c.Key {
				meaning = "(key) " + meaning
			}
			if c.Nullable {
				meaning += " (nullable)"
			}
			row(&page, code(c.Name), c.Symbol, c.Type.String(), c.Unit, meaning)
		}
		for _, c := range inSeconds(m, table) {
			row(&page, code(c.Name), c.Symbol, c.Type.String(), c.Unit, c.Doc)
		}
	}
	return page.String()
}

// inSeconds returns the columns that repeat others of a table in seconds, whose comments are short
// and say where they are.
func inSeconds(m *model.Model, table model.Table) []model.Column {
	columns := table.Columns
	if table.Name == model.RunsTable {
		columns = m.RunsColumns()
	}
	added, areStored := results.ColumnsInSeconds(columns)
	if !areStored && table.Name != model.RunsTable {
		return nil
	}
	for i := range added {
		added[i].Doc, _, _ = strings.Cut(added[i].Doc, ": ")
		if !areStored {
			added[i].Doc += " (in cells.parquet only)"
		}
		if added[i].Nullable {
			added[i].Doc += " (nullable)"
		}
	}
	return added
}

func row(page *strings.Builder, cells ...string) {
	for _, cell := range cells {
		page.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
	}
	page.WriteString("|\n")
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
