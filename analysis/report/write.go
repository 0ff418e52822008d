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

//go:embed script.js
var scriptText string

// The file names of a page in the folder of its paper, and of the index beside these folders.
const (
	PageFile  = "report.html"
	IndexFile = "index.html"
)

// Write writes the page to out/<page.Name>/report.html, atomically. It returns an error if a figure
// cannot be drawn or the file cannot be written, and that of ctx when ctx is done.
func Write(ctx context.Context, out string, page Page) error {
	content, err := HTML(ctx, page)
	if err != nil {
		return err
	}
	return results.WriteFile(filepath.Join(out, page.Name, PageFile), content)
}

// HTML returns the page as a document, an error if a figure cannot be drawn, or that of ctx when
// ctx is done.
func HTML(ctx context.Context, page Page) ([]byte, error) {
	view, err := newPageView(ctx, page)
	if err != nil {
		return nil, err
	}
	return render("page", pageText, view)
}

// WriteIndex writes out/index.html, which links to the pages of out, atomically.
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

// shortened returns the first digits of a checksum, which tell it from others.
func shortened(checksum string) string {
	const digits = 12
	if len(checksum) <= digits {
		return checksum
	}
	return checksum[:digits] + "…"
}

func render(name, text string, data any) ([]byte, error) {
	t, err := template.New(name).Funcs(template.FuncMap{"shortened": shortened}).Parse(text)
	if err != nil {
		panic(fmt.Sprintf("report: template %s: %v", name, err)) // a bug: the template is embedded
	}
	var content bytes.Buffer
	if err := t.Execute(&content, data); err != nil {
		return nil, fmt.Errorf("write report: %w", err)
	}
	return content.Bytes(), nil
}
