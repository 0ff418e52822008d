package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/model"
)

// update rewrites what tests compare with: generated documentation and golden digests. make docs sets it.
var update = flag.Bool("update", false, "rewrite generated documentation and golden digests")

// The pages under docs/parameters are made from the models' own tags.
func TestDocsAreCurrent(t *testing.T) {
	folder := filepath.Join(root, "docs", "parameters")
	want := map[string]string{}
	for _, name := range configs.List() {
		study, err := configs.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := modelOf(study)
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
			t.Errorf("docs/parameters/%s is not what the model says (%v): make docs", name, err)
		}
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if want[file.Name()] == "" {
			t.Errorf("docs/parameters/%s is of no model: remove it", file.Name())
		}
	}
}

// reference returns the page of a model in Markdown.
func reference(m *model.Model) string {
	var page strings.Builder
	fmt.Fprintf(&page, "# Parameters and columns of %s\n\n", m.Name)
	fmt.Fprintf(&page, "%s. %s.\n\n", m.Title, m.Paper)
	page.WriteString("This page is made from the model's code by `make docs`. [Study files](../study-files.md) set\n" +
		"parameters and show columns; [results](../results.md) says where the tables lie and which columns every\n" +
		"study has.\n\n")
	page.WriteString("## Parameters\n\n")
	row(&page, "name", "symbol", "kind", "unit", "range", "default", "meaning")
	row(&page, "---", "---", "---", "---", "---", "---", "---")
	for _, p := range m.Parameters {
		row(&page, code(p.Name), p.Symbol, p.Kind.String(), p.Unit, code(p.Range), code(p.Default.String()), p.Doc)
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
		row(&page, "name", "symbol", "kind", "unit", "meaning")
		row(&page, "---", "---", "---", "---", "---")
		for _, c := range table.Columns {
			meaning := c.Doc
			if c.Key {
				meaning = "(key) " + meaning
			}
			if c.Nullable {
				meaning += " (nullable)"
			}
			row(&page, code(c.Name), c.Symbol, c.Kind.String(), c.Unit, meaning)
		}
	}
	return page.String()
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
