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

// Digest returns a hash of the content of the runs in ids, or of all runs where ids is nil: of the
// rows of all tables but the timings. It depends on nothing else: not on files, workers, shards,
// order or runs that were run twice. The error names a run that is not there, a file that is
// damaged, foreign or missing, or two files whose rows of one run differ; it is ErrEmpty where ids
// is nil and the dataset has no run.
func (s *Snapshot) Digest(ctx context.Context, ids map[string]bool) (string, error) {
	runs := slices.Sorted(maps.Keys(ids))
	if ids == nil {
		runs = slices.AppendSeq(runs, maps.Keys(s.finished))
		runs = slices.AppendSeq(runs, maps.Keys(s.lacking))
		slices.Sort(runs)
		runs = slices.Compact(runs)
		if len(runs) == 0 {
			return "", ErrEmpty
		}
	}
	for _, id := range runs {
		if !s.has(id, nil) {
			return "", fmt.Errorf("digest the dataset: run %s is not in it", id)
		}
	}
	s.use |= Digests
	for _, table := range s.dataset.model.Tables {
		err := s.each(ctx, ids, func(e entry) error {
			if s.sumOf[tableFileID{e.commit.name(), table.Name}] {
				return nil
			}
			return s.load(e, table.Name, nil)
		})
		if err != nil {
			return "", fmt.Errorf("digest the dataset: %w", err)
		}
	}
	digest := sha256.New()
	for _, id := range runs {
		content, err := s.contentOf(id)
		if err != nil {
			return "", fmt.Errorf("digest the dataset: %w", err)
		}
		digest.Write([]byte(id))
		digest.Write(content[:])
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// rowSum is a hash of the rows that a run has in a table.
type rowSum struct {
	sum
	path     string // of the file where they were found first
	conflict error  // of another file with other rows; nil where there is none
}

// addSums adds the rows of a file, which are at the spans of columns, to what a digest needs.
func (s *Snapshot) addSums(table string, p *part, columns []*Column, spans []span) {
	sums := s.sums[table]
	if sums == nil {
		sums = map[string]rowSum{}
		s.sums[table] = sums
	}
	ordered := make([]*Column, len(p.columns))
	for i, want := range p.columns {
		ordered[i] = columns[slices.IndexFunc(columns, func(c *Column) bool { return c.Name == want.Name })]
	}
	head := appendHead(nil, table, p.columns)
	var text []byte
	for _, at := range spans {
		text = append(text[:0], head...)
		for row := at.from; row < at.to; row++ {
			for _, column := range ordered {
				text = column.appendCanonical(text, row)
			}
		}
		rows := sha256.Sum256(text)
		known, found := sums[at.id]
		switch {
		case !found:
			sums[at.id] = rowSum{sum: rows, path: p.path}
		case known.sum != rows && known.conflict == nil:
			known.conflict = unequal(span{id: at.id, path: known.path}, at, "in table "+table)
			sums[at.id] = known
		}
	}
}

// contentOf returns a hash of the rows that a run has in all tables, which were read.
func (s *Snapshot) contentOf(id string) (content sum, err error) {
	for _, table := range s.dataset.model.Tables {
		rows, found := s.sums[table.Name][id]
		if rows.conflict != nil {
			return content, rows.conflict
		}
		if found {
			content = sha256.Sum256(append(content[:], rows.sum[:]...))
		}
	}
	return content, nil
}

// appendHead appends what makes tables with equal rows different: the names and kinds of their
// columns.
func appendHead(text []byte, table string, columns []model.Column) []byte {
	text = appendText(text, table)
	text = binary.AppendUvarint(text, uint64(len(columns)))
	for _, c := range columns {
		text = append(appendText(text, c.Name), byte(c.Kind))
	}
	return text
}

// appendCanonical appends the one form of the value in row i; no value's form is the beginning of
// another's.
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
