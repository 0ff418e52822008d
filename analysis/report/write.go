package report

// Writing of pages and of their index.

import (
	"bytes"
	"context"
	_ "embed" // the templates
	"fmt"
	"html/template"
	"path/filepath"

	"gridsweep/results"
)

//go:embed page.html
var pageText string

//go:embed index.html
var indexText string

//go:embed style.css
var styleText string

// The names of a page in the folder of its paper, and of the index beside these folders.
const (
	PageFile  = "report.html"
	IndexFile = "index.html"
)

// Write writes the page to out/<page.Name>/report.html, whole or not at all. It returns an error
// where a figure cannot be drawn or the file not be written, and that of ctx when it is done.
func Write(ctx context.Context, out string, page Page) error {
	content, err := HTML(ctx, page)
	if err != nil {
		return err
	}
	return results.WriteFile(filepath.Join(out, page.Name, PageFile), content)
}

// HTML returns the page as a document, or the error of ctx when it is done.
func HTML(ctx context.Context, page Page) ([]byte, error) {
	view, err := newPageView(ctx, page)
	if err != nil {
		return nil, err
	}
	return render("page", pageText, view)
}

// WriteIndex writes out/index.html, which leads to the pages of out, whole or not at all.
func WriteIndex(out string, entries []Entry) error {
	content, err := render("index", indexText, indexView{Style: template.CSS(styleText), Entries: entries})
	if err != nil {
		return err
	}
	return results.WriteFile(filepath.Join(out, IndexFile), content)
}

type indexView struct {
	Style   template.CSS
	Entries []Entry
}

func render(name, text string, data any) ([]byte, error) {
	t, err := template.New(name).Parse(text)
	if err != nil {
		panic(fmt.Sprintf("report: template %s: %v", name, err)) // it is embedded: our own bug
	}
	var content bytes.Buffer
	if err := t.Execute(&content, data); err != nil {
		return nil, fmt.Errorf("write report: %w", err)
	}
	return content.Bytes(), nil
}
