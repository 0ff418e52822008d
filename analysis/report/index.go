// The index of pages: each paper with the sentences and pictures of its first section, which show
// the published numbers against ours, and the verdicts on claims under alternative assumptions.

package report

import (
	"cmp"
	"context"
	_ "embed" // the template
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/results"
)

//go:embed index.html
var indexText string

// IndexFile is the name of the index, beside the folders of the papers.
const IndexFile = "index.html"

// Matrix is the verdicts on the claims of a study under alternative assumptions, each alone.
type Matrix struct {
	Study string // heading of the study
	Rows  []MatrixRow
}

// MatrixRow is the verdicts under an alternative assumption, or those of the study in the first
// row.
type MatrixRow struct {
	Assumption string
	// Verdicts has a sign for each claim that was judged under some alternative, in the order of
	// the page.
	Verdicts string
}

// matrixOf returns the verdicts on the claims of a study; nil if none was judged under a single
// alternative assumption.
func matrixOf(study Study) *Matrix {
	judged := slices.DeleteFunc(slices.Clone(study.Result.Claims), func(c analysis.Claim) bool {
		return len(c.Tried()) == 0
	})
	names, _ := alternativesOf(judged)
	if len(names) == 0 {
		return nil
	}
	own := make([]string, len(judged))
	signs := map[string][]string{} // by alternative
	for _, name := range names {
		signs[name] = slices.Repeat([]string{badgeOf(analysis.NotRun).Sign}, len(judged))
	}
	for i, claim := range judged {
		own[i] = badgeOf(claim.Ours.Verdict).Sign
		for _, j := range claim.Tried() {
			if j.Alternatives() == 1 {
				signs[alternativeName(j)][i] = badgeUnder(j).Sign
			}
		}
	}
	matrix := &Matrix{study.Heading(), []MatrixRow{{"the study’s own", strings.Join(own, "")}}}
	for _, name := range names {
		matrix.Rows = append(matrix.Rows, MatrixRow{name, strings.Join(signs[name], "")})
	}
	return matrix
}

// WriteIndex writes out/index.html, which links to the pages of out, atomically. It returns an
// error if a figure cannot be drawn or the file cannot be written, and that of ctx when ctx is
// done.
func WriteIndex(ctx context.Context, out string, entries []Entry) error {
	view, ids, styles := indexView{}, anchors{}, &draw.Styles{}
	for _, entry := range entries {
		paper := paperView{Entry: entry}
		var err error
		if paper.Pictures, err = newPictures(ctx, entry.Numbers, entry.Name, ids, styles); err != nil {
			return err
		}
		for _, matrix := range entry.Matrices {
			paper.Strips = append(paper.Strips, newStripsView(matrix))
		}
		view.Papers = append(view.Papers, paper)
	}
	view.Style = template.CSS(styleText + styles.Sheet())
	content, err := render("index", indexText, view)
	if err != nil {
		return err
	}
	return results.WriteFile(filepath.Join(out, IndexFile), content)
}

type indexView struct {
	Style  template.CSS
	Papers []paperView
}

// paperView is a paper as the template shows it.
type paperView struct {
	Entry
	Pictures []figureView
	Strips   []stripsView
}

// stripsView is a matrix with a strip for each row, in which each claim that is reproduced, not
// reproduced or inconclusive has a mark.
type stripsView struct {
	Study  string
	Claims int
	Rows   []stripView
}

type stripView struct {
	Assumption string
	Claims     int
	Counts     string // counts of verdicts, as signs
	Words      string // the counts in words, the alternative text
	Marks      []marksView
}

// marksView is the marks of one verdict as an SVG path in the colour of a class.
type marksView struct{ Class, Path string }

func newStripsView(matrix Matrix) stripsView {
	view := stripsView{Study: matrix.Study}
	for _, row := range matrix.Rows {
		verdicts := strings.Split(row.Verdicts, "")
		view.Claims = len(verdicts)
		strip := stripView{Assumption: row.Assumption, Claims: len(verdicts)}
		var counts, words []string
		for _, mark := range []struct {
			verdict     analysis.Verdict
			top, height int // of a mark, in a strip of height 12
		}{{analysis.Reproduced, 0, 5}, {analysis.Inconclusive, 5, 2}, {analysis.NotReproduced, 7, 5}} {
			badge := badgeOf(mark.verdict)
			path, count, from := "", 0, 0
			for alike := range analysis.Neighbours(verdicts, func(a, b string) bool { return a == b }) {
				n := len(alike)
				if alike[0] == badge.Sign {
					path += fmt.Sprintf("M%d %dh%dv%dh%dz", from, mark.top, n, mark.height, -n)
					count += n
				}
				from += n
			}
			if count > 0 {
				counts = append(counts, fmt.Sprintf("%d %s", count, badge.Sign))
				words = append(words, fmt.Sprintf("%d %s", count, badge.Word))
				strip.Marks = append(strip.Marks, marksView{badge.Class, path})
			}
		}
		strip.Counts = strings.Join(counts, " ")
		strip.Words = row.Assumption + ": " + cmp.Or(strings.Join(words, ", "), "no claim judged")
		view.Rows = append(view.Rows, strip)
	}
	return view
}
