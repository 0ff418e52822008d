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

	"gridsweep/model"
)

// ErrEmpty is the error of a digest of all runs where there is none.
var ErrEmpty = errors.New("no run is in the dataset")

// sum is a SHA-256.
type sum = [sha256.Size]byte

// Digest returns a hash of the content of the runs in ids, or of all runs where ids is nil: of the rows of all
// tables but the timings. It depends on nothing else: not on files, workers, shards, order or runs that were run
// twice. Runs that other processes commit meanwhile may be left out. The error names a run that is not there, a file that is damaged, foreign or missing, or two files whose
// rows of one run differ; it is ErrEmpty where ids is nil and the dataset has no run.
func (d *Dataset) Digest(ctx context.Context, ids map[string]bool) (string, error) {
	content := map[string]sum{} // of each run, over the tables so far
	for i, table := range d.model.Tables {
		sums, err := d.tableSums(ctx, table.Name, ids)
		if err != nil {
			return "", fmt.Errorf("digest the dataset: %w", err)
		}
		for id, s := range sums {
			before, found := content[id]
			if !found && i > 0 {
				continue // committed since the table of runs was read
			}
			content[id] = sha256.Sum256(append(before[:], s[:]...))
		}
	}
	runs := slices.Sorted(maps.Keys(ids))
	if ids == nil {
		runs = slices.Sorted(maps.Keys(content))
		if len(runs) == 0 {
			return "", ErrEmpty
		}
	}
	digest := sha256.New()
	for _, id := range runs {
		s, found := content[id]
		if !found {
			return "", fmt.Errorf("digest the dataset: run %s is not in it", id)
		}
		digest.Write([]byte(id))
		digest.Write(s[:])
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// tableSums returns a hash of the rows of each run in a table.
func (d *Dataset) tableSums(ctx context.Context, table string, ids map[string]bool) (map[string]sum, error) {
	type entry struct {
		sum  sum
		span span
	}
	entries := map[string]entry{}
	var text []byte
	err := d.parts(ctx, table, func(runs []string, p *part) error {
		columns := make([]*Column, len(p.columns))
		for i, c := range p.columns {
			columns[i] = newColumn(c)
		}
		if err := p.read(columns); err != nil {
			return err
		}
		spans, err := spansOf(columns[0], runs, p.path)
		if err != nil {
			return err
		}
		head := appendHead(nil, table, p.columns)
		for _, s := range spans {
			if ids != nil && !ids[s.id] {
				continue
			}
			text = append(text[:0], head...)
			for row := s.from; row < s.to; row++ {
				for _, c := range columns {
					text = c.appendCanonical(text, row)
				}
			}
			now := entry{sha256.Sum256(text), s}
			if before, again := entries[s.id]; again && before.sum != now.sum {
				return unequal(before.span, now.span, "in table "+table)
			}
			entries[s.id] = now
		}
		return nil
	})
	sums := make(map[string]sum, len(entries))
	for id, e := range entries {
		sums[id] = e.sum
	}
	return sums, err
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
