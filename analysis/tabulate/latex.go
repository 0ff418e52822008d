// Tables as LaTeX.

package tabulate

import (
	"cmp"
	"strconv"
	"strings"

	"gridsweep/analysis"
)

// LaTeX returns the table as a float for a document that uses the packages booktabs and graphicx. A
// published number stands under ours, in italics, with a dagger if it is outside.
func LaTeX(t analysis.Table) string {
	t = AsShown(t)
	var b strings.Builder
	b.WriteString("% needs \\usepackage{booktabs,graphicx}\n\\begin{table}[htbp]\n\\centering\n\\footnotesize\n")
	b.WriteString("\\caption{" + latex(captionOf(t)) + "}\n\\label{tab:" + FileName(t.Name) + "}\n")
	b.WriteString("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n")
	alignment := strings.Repeat("l", len(t.RowDimensions)) + strings.Repeat("r", len(t.Columns))
	b.WriteString("\\begin{tabular}{" + alignment + "}\n")
	b.WriteString("\\toprule\n" + latexHeads(t) + "\\midrule\n")
	digits := Digits(t)
	_, most := Replications(t)
	for _, row := range t.Rows {
		b.WriteString(latexRow(row, digits, most))
	}
	b.WriteString("\\bottomrule\n\\end{tabular}}\n")
	for _, note := range Notes(t) {
		b.WriteString("\\par\\smallskip " + latex(note) + "\n")
	}
	b.WriteString("\\end{table}\n")
	return b.String()
}

func captionOf(t analysis.Table) string {
	caption := strings.TrimSuffix(cmp.Or(t.Title, "Table "+t.Name), ".") + "."
	for _, axis := range t.Values {
		caption += " " + strings.TrimSuffix(Title(axis), ".") + "."
	}
	caption += " Ours " + Legend(t)
	if t.Source != "" {
		caption += "; (published) in italics, † " + markCondition(t)
	}
	return caption + "."
}

// latexHeads returns a line for each dimension across; the last also names the row dimensions.
func latexHeads(t analysis.Table) string {
	rowNames := make([]string, len(t.RowDimensions))
	for i, name := range t.RowDimensions {
		rowNames[i] = latex(name)
	}
	heads := Heads(t)
	if len(heads) == 0 {
		heads = [][]Span{{{Label: columnLabel(t, nil), Columns: len(t.Columns)}}}
	}
	var b strings.Builder
	for level, spans := range heads {
		last := level == len(heads)-1
		cells := make([]string, len(t.RowDimensions), len(t.RowDimensions)+len(spans))
		if last {
			copy(cells, rowNames)
		}
		rules, column := "", len(t.RowDimensions)+1
		for _, span := range spans {
			cells = append(cells, "\\multicolumn{"+strconv.Itoa(span.Columns)+"}{c}{"+latex(span.Label)+"}")
			rules += "\\cmidrule(lr){" + strconv.Itoa(column) + "-" + strconv.Itoa(column+span.Columns-1) + "}"
			column += span.Columns
		}
		b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
		if !last {
			b.WriteString(rules + "\n")
		}
	}
	return b.String()
}

// latexRow returns a line with our numbers and, if any is published, a second line with those.
func latexRow(row analysis.Row, digits func(*analysis.Cell) int, most int) string {
	ours, published, compared := []string{}, []string{}, false
	for _, label := range row.Labels {
		ours, published = append(ours, latex(label)), append(published, "")
	}
	for _, cell := range row.Cells {
		if cell == nil {
			ours, published = append(ours, latex(Missing)), append(published, "")
			continue
		}
		number, replications := Ours(cell, digits(cell), most)
		ours = append(ours, latex(strings.TrimSpace(number+" "+replications)))
		if cell.Published == nil {
			published = append(published, "")
			continue
		}
		compared = true
		mark := ""
		if cell.Verdict == analysis.AgreeOutside {
			mark = "$^\\dagger$"
		}
		published = append(published, "\\textit{"+latex(Printed(cell.Published))+"}"+mark)
	}
	if !compared {
		return strings.Join(ours, " & ") + " \\\\\n"
	}
	return strings.Join(ours, " & ") + " \\\\*\n" + strings.Join(published, " & ") + " \\\\\n"
}

var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`,
	`^`, `\textasciicircum{}`, `~`, `\textasciitilde{}`, `<`, `\textless{}`, `>`, `\textgreater{}`, `|`, `\textbar{}`,
	`[`, `{[}`, `]`, `{]}`, `*`, `{*}`, `"`, `\textquotedbl{}`,
	`–`, `--`, `—`, `---`, `−`, `$-$`, `±`, `$\pm$`, `×`, `$\times$`, `·`, `$\cdot$`, `≤`, `$\le$`, `≥`, `$\ge$`,
	`†`, `$\dagger$`, `‡`, `$^\ddagger$`, `→`, `$\to$`, `∈`, `$\in$`, `Σ`, `$\Sigma$`, `…`, `\dots{}`,
	`α`, `$\alpha$`, `β`, `$\beta$`, `δ`, `$\delta$`, `ε`, `$\epsilon$`, `θ`, `$\theta$`, `λ`, `$\lambda$`,
	`⁻`, `\textsuperscript{-}`, `⁰`, `\textsuperscript{0}`, `¹`, `\textsuperscript{1}`, `²`, `\textsuperscript{2}`,
	`³`, `\textsuperscript{3}`, `⁴`, `\textsuperscript{4}`, `⁵`, `\textsuperscript{5}`, `⁶`, `\textsuperscript{6}`,
	`⁷`, `\textsuperscript{7}`, `⁸`, `\textsuperscript{8}`, `⁹`, `\textsuperscript{9}`,
	`μ`, `$\mu$`, `ρ`, `$\rho$`, `σ`, `$\sigma$`, `τ`, `$\tau$`, `ω`, `$\omega$`, `Δ`, `$\Delta$`,
)

// latex escapes text. Other letters stay as they are and need a document in UTF-8.
func latex(text string) string { return latexEscapes.Replace(plain(text)) }
