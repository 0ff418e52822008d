// Published numbers: CSV files with one number of the paper on each line.

package configs

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The columns after the dimensions in a file of published numbers, and an optional last one.
var publishedColumns = []string{"metric", "value", "page"}

const noteColumn = "note"

// byteOrderMark is what Excel and some editors write before the first line of a file.
const byteOrderMark = "\ufeff"

// Published returns the published numbers of a file that the study names, such as "A.2.csv", in the
// order of the file; nil for any other name. The study's own folder comes before that of a study
// that it extends.
func (s *Study) Published(name string) []PublishedCell { return s.published[name] }

// PublishedFiles returns the names of the files of published numbers that the study's tables and
// figures name, each once.
func (s *Study) PublishedFiles() []string {
	var names []string
	named := map[string]bool{}
	for _, use := range s.publishedUses() {
		if !named[use.name.Value] {
			named[use.name.Value] = true
			names = append(names, use.name.Value)
		}
	}
	return names
}

// MeanOf returns the number of runs behind each mean of the file, from the first table that shows
// the file; 0 if none does.
func (s *Study) MeanOf(name string) int {
	for _, t := range s.Tables {
		if t.Published.Value == name {
			return t.MeanOf
		}
	}
	return 0
}

// readPublished reads the files that the study's own tables and figures name, from the folder
// beside the study file. A file that is missing there is taken from a study that it extends.
func (l *loader) readPublished(s *Study, inherited map[string][]PublishedCell) Problems {
	s.published = map[string][]PublishedCell{}
	folder := s.from.beside("published")
	names := folder.names()
	here := map[string]bool{}
	for _, name := range names {
		here[name] = true
	}
	var problems Problems
	for _, use := range s.publishedUses() {
		name := use.name.Value
		if _, known := s.published[name]; known || inherited[name] != nil && !here[name] {
			continue
		}
		if !here[name] {
			s.Report(&problems, use.name.Pos, use.key, "no file %s in %s; %s", name, folder.shown(), Suggest(name, names))
			continue
		}
		s.published[name] = nil // so that its problems are reported once
		file := s.from.beside("published/" + name)
		content, err := l.open(file)
		if err != nil {
			s.Report(&problems, use.name.Pos, use.key, "%v", err)
			continue
		}
		s.sources.add(file, content)
		cells, wrong := readCells(l.ctx, file.shown(), content, s.sources)
		problems.Add(wrong...)
		s.published[name] = cells
	}
	return problems
}

// publishedUse is a key of a study that names a file of published numbers.
type publishedUse struct {
	name Text
	key  string
}

func (s *Study) publishedUses() []publishedUse {
	var uses []publishedUse
	for _, t := range s.Tables {
		if t.Published.Value != "" {
			uses = append(uses, publishedUse{t.Published, below(below("tables", t.Name.Value), "published")})
		}
	}
	for _, f := range s.Figures {
		for _, name := range f.Published {
			uses = append(uses, publishedUse{name, below(below("figures", f.Name.Value), "published")})
		}
	}
	return uses
}

// cellReader reads the lines of one file of published numbers.
type cellReader struct {
	csv        *csv.Reader
	file       string
	sources    sources
	dimensions []string
	others     []string       // the columns that follow them
	lines      map[string]int // of the cells so far, by their labels and metric
	problems   Problems
	reported   int // how often wrong was called; problems has equal ones once
}

// readCells returns the cells of a file: a line of column names, "dimension…,metric,value,page" and
// optionally "note", then one cell on each line. Lines that start with # are comments.
func readCells(ctx context.Context, file string, content []byte, sources sources) ([]PublishedCell, Problems) {
	content = bytes.TrimPrefix(content, []byte(byteOrderMark))
	r := &cellReader{csv: csv.NewReader(bytes.NewReader(content)), file: file, sources: sources, lines: map[string]int{}}
	r.csv.Comment = '#'
	r.csv.FieldsPerRecord = -1
	if bad := invalidUTF8(content); bad >= 0 {
		r.wrong(1+bytes.Count(content[:bad], []byte("\n")), 0, "byte %#x is not UTF-8; save the file as UTF-8", content[bad])
		return nil, r.problems
	}
	if !r.header() {
		return nil, r.problems
	}
	var cells []PublishedCell
	for {
		record, ok := r.next()
		if !ok || ctx.Err() != nil {
			break
		}
		if cell, ok := r.cell(record); ok {
			cells = append(cells, cell)
		}
	}
	if len(cells) == 0 && len(r.problems) == 0 {
		r.wrong(0, 0, "has no cells; one a line, as %s", strings.Join(slices.Concat(r.dimensions, r.others), ","))
	}
	return cells, r.problems
}

func (r *cellReader) wrong(line, column int, format string, args ...any) {
	r.reported++
	r.problems.addAt(r.sources, Pos{File: r.file, Line: line, Column: column}, "", format, args...)
}

// wrongField reports a problem at a field of the line that was read last.
func (r *cellReader) wrongField(i int, format string, args ...any) {
	pos := Pos{}
	if !r.problems.IsFull() {
		pos = r.pos(i)
	}
	r.wrong(pos.Line, pos.Column, format, args...)
}

// pos returns the start of a field in the line that was read last. Its column is in characters;
// that of package csv is in bytes.
func (r *cellReader) pos(i int) Pos {
	line, column := r.csv.FieldPos(i)
	if lines := r.sources[r.file].lines; line <= len(lines) && column-1 <= len(lines[line-1]) {
		column = 1 + utf8.RuneCountInString(lines[line-1][:column-1])
	}
	return Pos{File: r.file, Line: line, Column: column}
}

// next returns the next line that has fields.
func (r *cellReader) next() ([]string, bool) {
	record, err := r.csv.Read()
	if err == nil {
		return record, true
	}
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		r.wrong(syntax.Line, 0, "not CSV: %v; quote a label that has a comma or quote", syntax.Err)
	} // any other error is the end, since the lines are in memory
	return nil, false
}

// header reads the names of the columns.
func (r *cellReader) header() bool {
	record, ok := r.next()
	if !ok {
		if len(r.problems) == 0 {
			r.wrong(0, 0, "is empty; it starts with the names of the dimensions, then metric,value,page")
		}
		return false
	}
	r.others = publishedColumns
	if record[len(record)-1] == noteColumn {
		r.others = append(slices.Clone(publishedColumns), noteColumn)
	}
	n := len(record) - len(r.others)
	if n < 0 || !slices.Equal(record[n:], r.others) {
		r.wrongField(0, "the columns are %s; want the dimensions, then metric,value,page, and note if a number has one",
			Shortened(strings.Join(record, ",")))
		return false
	}
	r.dimensions = record[:n]
	if n > mostWords {
		r.wrongField(0, "%d dimensions; at most %d", n, mostWords)
		return false
	}
	for i, d := range r.dimensions {
		taken := slices.Concat(r.others, r.dimensions[:i])
		if d == "" || strings.TrimSpace(d) != d || slices.Contains(taken, d) {
			r.wrongField(i, "%q cannot be a dimension: it is empty, has spaces around it or comes twice", Shortened(d))
		}
	}
	return len(r.problems) == 0
}

// cell returns the cell of a line, and whether the line has no problem.
func (r *cellReader) cell(record []string) (PublishedCell, bool) {
	metric := len(r.dimensions) // index of its column; value, page and perhaps a note follow
	value := metric + 1
	if len(record) != metric+len(r.others) {
		r.wrongField(0, "%d fields; want %d: %s", len(record), metric+len(r.others),
			strings.Join(slices.Concat(r.dimensions, r.others), ","))
		return PublishedCell{}, false
	}
	before := r.reported
	for i, field := range record {
		if field == "" && i <= value || strings.TrimSpace(field) != field {
			r.wrongField(i, "%q is empty or has spaces around it", Shortened(field))
		} else if i == value && !isNumber(withoutPercent(field)) {
			r.wrongField(i, "%q is not a number%s", Shortened(field), plainNumber(field))
		}
	}
	c := PublishedCell{
		Metric: record[metric], Printed: withoutPercent(record[value]), Page: record[value+1], Pos: r.pos(value),
	}
	c.IsPercent = c.Printed != record[value]
	if len(r.others) > len(publishedColumns) {
		c.Note = record[len(record)-1]
	}
	c.Value, _ = strconv.ParseFloat(c.Printed, 64) // the error is reported already
	var same strings.Builder
	for i, d := range r.dimensions {
		c.Levels = append(c.Levels, LevelOf{Dimension: d, Level: record[i]})
		c.At = append(c.At, r.pos(i))
		fmt.Fprintf(&same, "%q ", CanonicalLabel(record[i]))
	}
	same.WriteString(c.Metric)
	if line, twice := r.lines[same.String()]; twice {
		r.wrongField(0, "this cell comes twice; the first is on line %d", line)
	} else {
		r.lines[same.String()] = c.Pos.Line
	}
	return c, r.reported == before
}

// withoutPercent returns a number that is written with a percent sign without it, and any other
// text as it is.
func withoutPercent(text string) string {
	number, isPercent := strings.CutSuffix(text, "%")
	if number = strings.TrimSpace(number); isPercent && isNumber(number) && !strings.ContainsAny(number, "eE") {
		return number
	}
	return text
}

// plainNumber says how to write a number that is written as in print, such as with − or thousands
// separators; empty for other text.
func plainNumber(text string) string {
	plain := strings.NewReplacer("\u2212", "-", "\u2013", "-", "\u00a0", "", "\u202f", "", " ", "", "'", "").Replace(text)
	if whole, fraction, found := strings.Cut(plain, ","); found && len(fraction) != 3 && !strings.Contains(fraction, ",") {
		plain = whole + "." + fraction // a decimal comma
	}
	plain = strings.ReplaceAll(plain, ",", "")
	if !isNumber(withoutPercent(plain)) {
		return ""
	}
	return "; write " + plain
}
