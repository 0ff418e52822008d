package results

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gridsweep/model"
)

// ErrEmpty is the error of a digest of all runs where there is none.
var ErrEmpty = errors.New("no run is in the dataset")

// sum is a SHA-256.
type sum = [sha256.Size]byte

// Digest returns a hash of the content of the runs in ids, or of all runs where ids is nil: of the rows of all
// tables but the timings. It depends on nothing else: not on files, workers, shards, order or runs that were run
// twice. Runs that other processes commit meanwhile may be left out. The error names a run that is not there, a file
// that is damaged, foreign or missing, or two files whose rows of one run differ; it is ErrEmpty where ids is nil and
// the dataset has no run.
func (d *Dataset) Digest(ctx context.Context, ids map[string]bool) (string, error) {
	c := contents{wanted: ids, index: map[string]int32{}}
	for i, table := range d.model.Tables {
		if err := c.addTable(ctx, d, i, table.Name); err != nil {
			return "", fmt.Errorf("digest the dataset: %w", err)
		}
	}
	if ids == nil && len(c.runs) == 0 {
		return "", ErrEmpty
	}
	if len(c.runs) < len(ids) {
		missing := maps.Clone(ids)
		for id := range c.index {
			delete(missing, id)
		}
		return "", fmt.Errorf("digest the dataset: run %s is not in it", slices.Min(slices.Collect(maps.Keys(missing))))
	}
	slices.SortFunc(c.runs, func(a, b *runContent) int { return strings.Compare(a.id, b.id) })
	digest := sha256.New()
	for _, run := range c.runs {
		digest.Write([]byte(run.id))
		digest.Write(run.content[:])
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// contents is what a digest is of, for the tables so far.
type contents struct {
	wanted map[string]bool  // ids of runs; nil wants all
	index  map[string]int32 // of each run in runs
	runs   []*runContent
}

// runContent is a run that was found in the table of runs.
type runContent struct {
	id      string
	content sum    // of all tables so far
	table   int    // the latest that the run was found in
	rows    sum    // of the rows in that table
	path    string // of the file where they were found first
}

// addTable adds the rows of a table to the content of its runs. A run that other processes commit after the table of
// runs was read, which is the first, is none of them.
func (c *contents) addTable(ctx context.Context, d *Dataset, table int, name string) error {
	var text []byte
	return d.parts(ctx, name, func(runs []string, p *part) error {
		columns := make([]*Column, len(p.columns))
		for i, column := range p.columns {
			columns[i] = newColumn(column)
		}
		if err := p.read(columns); err != nil {
			return err
		}
		spans, err := spansOf(columns[0], runs, p.path)
		if err != nil {
			return err
		}
		head := appendHead(nil, name, p.columns)
		for _, s := range spans {
			run := c.run(s.id, table)
			if run == nil {
				continue
			}
			text = append(text[:0], head...)
			for row := s.from; row < s.to; row++ {
				for _, column := range columns {
					text = column.appendCanonical(text, row)
				}
			}
			rows := sha256.Sum256(text)
			if run.table == table {
				if run.rows != rows {
					return unequal(span{id: s.id, path: run.path}, s, "in table "+name)
				}
				continue
			}
			run.content = sha256.Sum256(append(run.content[:], rows[:]...))
			run.table, run.rows, run.path = table, rows, p.path
		}
		return nil
	})
}

// run returns the run with an id, a new one in the table of runs; nil where it is not wanted.
func (c *contents) run(id string, table int) *runContent {
	i, found := c.index[id]
	switch {
	case found:
		return c.runs[i]
	case table > 0 || c.wanted != nil && !c.wanted[id]:
		return nil
	default:
		run := &runContent{id: id, table: -1}
		c.index[id] = int32(len(c.runs))
		c.runs = append(c.runs, run)
		return run
	}
}

// appendHead appends what makes tables with equal rows different: the names and kinds of their columns.
func appendHead(text []byte, table string, columns []model.Column) []byte {
	text = appendText(text, table)
	text = binary.AppendUvarint(text, uint64(len(columns)))
	for _, c := range columns {
		text = append(appendText(text, c.Name), byte(c.Kind))
	}
	return text
}

// appendCanonical appends the one form of the value in row i; no value's form is the beginning of another's.
func (c *Column) appendCanonical(text []byte, i int) []byte {
	switch {
	case c.nulls != nil && c.nulls[i]:
		return append(text, 0)
	case c.words != nil:
		return appendText(append(text, 1), c.words.list[c.bits[i]])
	default:
		return binary.LittleEndian.AppendUint64(append(text, 1), c.bits[i])
	}
}

func appendText(text []byte, s string) []byte {
	return append(binary.AppendUvarint(text, uint64(len(s))), s...)
}
