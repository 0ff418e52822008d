// The page for its template: sections and studies.

package report

import (
	"cmp"
	"context"
	"html/template"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/tabulate"
)

// pageView is a page as the template shows it.
type pageView struct {
	Page
	Style                            template.CSS
	Script                           template.JS
	Verdicts, Agreement, OnPublished string // sentences of the summary
	Sections                         []section
	Failures                         []section    // the sections that list failed runs and warnings
	Views                            []*studyView // views of the studies
}

// Judged returns the claims of all studies that were judged under alternative assumptions.
func (v *pageView) Judged() []claimView {
	var judged []claimView
	for _, s := range v.Views {
		for _, claim := range s.Claims {
			if len(claim.Tried()) > 0 {
				judged = append(judged, claim)
			}
		}
	}
	return judged
}

// section is what the page shows under one heading, with an anchor.
type section struct {
	ID, Heading string
	Template    string // name of the template that shows it; ID is made from it
	Study       *studyView
	Items       []item // listed in the contents
	isShown     bool
}

type item struct{ ID, Label string }

// studyView is a study as the template shows it.
type studyView struct {
	Study
	Page        Page
	Claims      []claimView
	Groups      []claimGroup // the claims by section of the paper
	Verdicts    []verdictCount
	Overview    *overview
	Legend      *legend // the most frequent one of tables; nil if each has its own
	Tables      []tableView
	Figures     []figureView
	Assumptions *assumptionsView
	Open        []openView      // the choices that the paper leaves open
	Universes   []universesView // of large designs
	Files       []file          // files beside the page
	Links       experimentLinks
}

// file is a file or folder beside the page.
type file struct{ Path, Holds string }

// anchors has the ids of a page's elements, which are unique.
type anchors map[string]bool

// id returns a new id for an element, made from its name.
func (a anchors) id(element, name string) string {
	id := element + "-" + strings.ToLower(tabulate.FileName(name))
	for n := 2; a[id]; n++ {
		id = element + "-" + strings.ToLower(tabulate.FileName(name)) + "-" + strconv.Itoa(n)
	}
	a[id] = true
	return id
}

func newPageView(ctx context.Context, page Page) (*pageView, error) {
	entry := page.Entry()
	view := &pageView{
		Page: page, Script: template.JS(scriptText),
		Verdicts: entry.Claims.String(), Agreement: entry.Agreement(), OnPublished: publishedSummary(page.Studies),
	}
	ids, styles := anchors{}, &draw.Styles{}
	for i := range page.Studies {
		s, err := newStudyView(ctx, page, i, ids, styles)
		if err != nil {
			return nil, err
		}
		view.Views = append(view.Views, s)
	}
	view.Style = template.CSS(styleText + styles.Sheet())
	for i := range sectionCount { // the same sections of several studies stand together
		for _, s := range view.Views {
			found := s.sections()[i]
			if !found.isShown {
				continue
			}
			found.ID = ids.id(found.Template, s.Name)
			if len(view.Views) > 1 {
				found.Heading += ": " + s.Heading()
			}
			view.Sections = append(view.Sections, found)
			if found.Template == "failures" {
				view.Failures = append(view.Failures, found)
			}
		}
	}
	return view, nil
}

const sectionCount = 12

// sections returns the sections of the page for a study in their order.
func (s *studyView) sections() [sectionCount]section {
	var groups, tables, figures []item
	for _, g := range s.Groups {
		groups = append(groups, item{g.ID, g.Heading})
	}
	for _, t := range s.Tables {
		tables = append(tables, item{t.ID, t.Name})
	}
	for _, f := range s.Figures {
		figures = append(figures, item{f.ID, f.Name})
	}
	newSection := func(template, heading string, isShown bool, items []item) section {
		return section{Heading: heading, Template: template, Study: s, Items: items, isShown: isShown}
	}
	return [sectionCount]section{
		newSection("overview", "Main conclusions and agreement", s.Overview != nil, nil),
		newSection("assumptions", "Claims under alternative assumptions", s.Assumptions != nil, nil),
		newSection("tried", "Universes and the published numbers", len(s.Universes) > 0, nil),
		newSection("claims", "Claims by section of the paper", len(groups) > 0, groups),
		newSection("unjudged", "Statements without a verdict", len(s.Result.Unjudged) > 0, nil),
		newSection("tables", "Tables", len(tables) > 0, tables),
		newSection("figures", "Figures", len(figures) > 0, figures),
		newSection("parameters", "Parameters", true, nil),
		newSection("experiments", "Experiments", true, nil),
		newSection("looks", "Replications until targets are reached", s.Looks != nil && len(s.Looks.Targets) > 0, nil),
		newSection("failures", "Failed runs and warnings", len(s.Failures)+len(s.Warnings) > 0, nil),
		newSection("provenance", "Provenance", true, nil),
	}
}

// FailureCounts returns the numbers of failed runs and warnings in words.
func (s *studyView) FailureCounts() string {
	var counts []string
	if n := len(s.Failures); n > 0 {
		counts = append(counts, english.Plural(n, "failed run", ""))
	}
	if n := len(s.Warnings); n > 0 {
		counts = append(counts, english.Plural(n, "warning", ""))
	}
	return strings.Join(counts, " and ")
}

// Purposes returns the experiments of the study, neighbours with the same Doc together.
func (s Study) Purposes() [][]Experiment {
	isSame := func(a, b Experiment) bool { return a.Doc == b.Doc }
	return slices.Collect(analysis.Neighbours(s.Experiments, isSame))
}

// Heading returns the title of the study, or its name if it has no title.
func (s Study) Heading() string { return cmp.Or(s.Title, s.Name) }

// newStudyView returns the study with an index on the page for the template.
func newStudyView(ctx context.Context, page Page, index int, ids anchors, styles *draw.Styles) (*studyView, error) {
	study := page.Studies[index]
	s := &studyView{Study: study, Page: page, Links: newExperimentLinks(study.Experiments, ids)}
	var counts Counts
	for _, claim := range study.Result.Claims {
		s.Claims = append(s.Claims, newClaimView(index, claim, study, s.Links, ids))
		counts.count(claim.Ours.Verdict)
	}
	s.Verdicts = counts.present()
	nameSentences(s.Claims)
	s.Groups, s.Assumptions = grouped(s.Claims, ids), newAssumptionsView(s.Claims, study.Looks)
	s.Open = newOpenViews(study.Result.Assumptions, s.Claims)
	var err error
	if s.Overview, err = newOverview(ctx, study, s.Claims, ids, styles); err != nil {
		return nil, err
	}
	if s.Universes, err = newUniversesViews(ctx, study.Result, ids, styles); err != nil {
		return nil, err
	}
	shown := summaryOf(study.Result)
	for _, table := range study.Result.Tables {
		s.Tables = append(s.Tables, newTableView(table, study.Directory, shown, s.Links, ids))
	}
	s.Legend = mergeLegends(s.Tables)
	appearances := draw.AppearancesOf(study.Result.Figures)
	for _, figure := range study.Result.Figures {
		f, err := newFigureView(ctx, figure, appearances, study.Directory, ids, styles)
		if err != nil {
			return nil, err
		}
		s.Figures = append(s.Figures, f)
	}
	for _, f := range []file{
		{"runs", "one row for each run, as Parquet; a folder beside it for each further table"},
		{"cells.parquet", "every cell with its labels and all columns: open this in a notebook"},
		{"tables", "the tables above as CSV, Markdown and LaTeX"},
		{"figures", "the figures above as SVG, PNG, PDF and EPS"},
		{"figures.json", "the numbers of the figures"},
		{"claims.json", "the claims with their verdicts and evidence"},
		{"plan.json", "what was planned"},
	} {
		s.Files = append(s.Files, file{path.Join(study.Directory, f.Path), f.Holds})
	}
	return s, nil
}

// filesOf returns links to files in a folder of the study, named by their extensions.
func filesOf(directory, folder string, names []string) []file {
	var files []file
	for _, name := range names {
		ending := strings.TrimPrefix(path.Ext(name), ".")
		files = append(files, file{path.Join(directory, folder, name), strings.ToUpper(ending)})
	}
	return files
}
