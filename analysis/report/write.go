// Writing of pages.

package report

import (
	"bytes"
	"context"
	_ "embed" // the templates
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"

	"gridsweep/analysis/tabulate"
	"gridsweep/results"
)

//go:embed page.html
var pageText string

//go:embed assumptions.html
var assumptionsText string

//go:embed statistics.html
var statisticsText string

//go:embed rules.html
var rulesText string // docs/explanation/statistics.md as HTML; make docs writes it

//go:embed badge.html
var badgeText string // a template of all pages

//go:embed style.css
var styleText string

//go:embed script.js
var scriptText string

// The file names of a page in the folder of its paper.
const (
	PageFile        = "report.html"
	AssumptionsFile = "assumptions.html" // the verdicts on each claim under alternative assumptions
	StatisticsFile  = "statistics.html"  // the rules of statistics and verdicts
)

// Write writes the page to out/<page.Name>/report.html and beside it StatisticsFile, to which it
// links, and AssumptionsFile if claims were judged under alternative assumptions, each atomically;
// else it removes an earlier AssumptionsFile. It returns an error if a figure cannot be drawn or a
// file cannot be written or removed, and that of ctx when ctx is done.
func Write(ctx context.Context, out string, page Page) error {
	content, assumptions, err := HTML(ctx, page)
	if err != nil {
		return err
	}
	dir := filepath.Join(out, page.Name)
	beside := filepath.Join(dir, AssumptionsFile)
	if assumptions != nil {
		err = results.WriteFile(beside, assumptions)
	} else if err = os.Remove(beside); errors.Is(err, fs.ErrNotExist) {
		err = nil // no earlier page had one
	}
	if err != nil {
		return err
	}
	rules, err := render("statistics", statisticsText, struct {
		Heading string
		Style   template.CSS
		Rules   template.HTML
	}{page.Heading(), template.CSS(styleText), template.HTML(rulesText)})
	if err != nil {
		return err
	}
	if err := results.WriteFile(filepath.Join(dir, StatisticsFile), rules); err != nil {
		return err
	}
	return results.WriteFile(filepath.Join(dir, PageFile), content)
}

// HTML returns the page and the content of AssumptionsFile as documents, the latter nil if no claim
// was judged under alternative assumptions. The error is that a figure cannot be drawn, or that of
// ctx when ctx is done.
func HTML(ctx context.Context, page Page) (content, assumptions []byte, err error) {
	view, err := newPageView(ctx, page)
	if err != nil {
		return nil, nil, err
	}
	if len(view.Judged()) > 0 {
		if assumptions, err = render("assumptions", assumptionsText, view); err != nil {
			return nil, nil, err
		}
	}
	content, err = render("page", pageText, view)
	return content, assumptions, err
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
	t, err := template.New(name).Funcs(template.FuncMap{
		"badge": badgeOf, "badgeUnder": badgeUnder, "withCommas": withCommas, "estimate": tabulate.Estimate,
		"explain": tabulate.Explain, "gaps": gapsOf, "linked": linkIn, "margin": marginOf, "onPublished": onPublished,
		"shortened": shortened,
	}).Parse(badgeText + text)
	if err != nil {
		panic(fmt.Sprintf("report: template %s: %v", name, err)) // a bug: the template is embedded
	}
	var content bytes.Buffer
	if err := t.Execute(&content, data); err != nil {
		return nil, fmt.Errorf("write report: %w", err)
	}
	return content.Bytes(), nil
}
