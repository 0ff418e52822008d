// Package columns reads and writes CSV files whose first line names their columns. It reads the
// columns in any order and among others, as people and programs write them: a byte order mark,
// blanks around fields and capitals in names do not matter. It escapes fields that a spreadsheet
// would take for formulas, and unescapes them when it reads.
package columns

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Column is a column that a file must have.
type Column struct {
	Name    string
	Aliases []string // other names for it, the likelier first
}

// Reader reads the rows of a file.
type Reader struct {
	name    string
	csv     *csv.Reader
	indices []int
	fields  []string
}

// NewReader reads the first line. Errors begin with name, the file's name; must is what the file
// must do or be, such as "begin with from,to,procs". It returns an error for a file that is empty
// or lacks a column, and the source's.
func NewReader(source io.Reader, name, must string, columns []Column) (*Reader, error) {
	text := bufio.NewReader(source)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		_, _ = text.Discard(len(mark)) // Peek has read these bytes
	}
	indices, fields := make([]int, len(columns)), make([]string, len(columns))
	r := &Reader{name: name, csv: csv.NewReader(text), indices: indices, fields: fields}
	r.csv.ReuseRecord, r.csv.TrimLeadingSpace = true, true
	head, err := r.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: is empty: it must %s", name, must)
	}
	if err != nil {
		return nil, r.wrongForm(err)
	}
	for c, column := range columns {
		if r.indices[c] = column.find(head); r.indices[c] >= 0 {
			continue
		}
		others := ""
		if len(column.Aliases) > 0 {
			others = " (other names: " + strings.Join(column.Aliases, ", ") + ")"
		}
		return nil, fmt.Errorf("%s:1: has no column %s%s; it has %s", name, column.Name, others, strings.Join(head, ", "))
	}
	return r, nil
}

// find returns the index of the column in the head, -1 where it is not there.
func (c *Column) find(head []string) int {
	for _, name := range append([]string{c.Name}, c.Aliases...) {
		for i, title := range head {
			if strings.EqualFold(strings.TrimSpace(title), name) {
				return i
			}
		}
	}
	return -1
}

// Read returns the fields of the next row, as they were before [Escape] and without the blanks
// around them, in the order of the reader's columns. They are valid until the next call. It returns
// io.EOF at the end, an error with the position where the file is no CSV, and the source's.
func (r *Reader) Read() ([]string, error) {
	record, err := r.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil, io.EOF
	}
	if err != nil {
		return nil, r.wrongForm(err)
	}
	for c, index := range r.indices {
		r.fields[c] = strings.TrimSpace(Unescape(record[index]))
	}
	return r.fields, nil
}

// WrongRow returns the error with the file and line of the row that Read returned last.
func (r *Reader) WrongRow(err error) error {
	line, _ := r.csv.FieldPos(0)
	return fmt.Errorf("%s:%d: %w", r.name, line, err)
}

// WrongField returns the error with the file, line and column of a field of the row that Read
// returned last.
func (r *Reader) WrongField(column int, err error) error {
	line, at := r.csv.FieldPos(r.indices[column])
	return fmt.Errorf("%s:%d:%d: %w", r.name, line, at, err)
}

// wrongForm returns what is wrong with the form of the file as file:line:column.
func (r *Reader) wrongForm(err error) error {
	if wrong := new(csv.ParseError); errors.As(err, &wrong) {
		return fmt.Errorf("%s:%d:%d: %w", r.name, wrong.Line, wrong.Column, wrong.Err)
	}
	return fmt.Errorf("%s: %w", r.name, err)
}
