// The digest of a dataset: the SHA-256 of its rows, whatever their order and their batches.

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

// ErrEmpty is the error of a digest of a dataset without runs.
var ErrEmpty = errors.New("no run is in the dataset")

// Digest returns the SHA-256 of the rows of all tables but the timings, for the runs in ids or for
// all runs where ids is nil. It depends on nothing else: not on files, workers, shards or order,
// nor on how often a run was run. The error names a run that is not in the dataset, a file that is
// damaged, foreign or missing, or two files whose rows of one run differ. It is ErrEmpty where ids
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
	for _, table := range s.dataset.model.Tables {
		if err := s.sumTable(ctx, table.Name, ids); err != nil {
			return "", err
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

// rowSum is the SHA-256 of the rows of a run in a table.
type rowSum struct {
	sum      [sha256.Size]byte
	path     string // path of the first file with the rows
	conflict error  // if another file has different rows of the run
}

// sumTable computes the hashes of the rows of a table, for the runs in ids or for all runs where
// ids is nil.
func (s *Snapshot) sumTable(ctx context.Context, table string, ids map[string]bool) error {
	s.use |= Digests // so that take computes them
	err := s.each(ctx, ids, func(b committed) error {
		if s.summed[fileID{b.name(), table}] {
			return nil
		}
		return s.load(b, table, nil)
	})
	if err != nil {
		return fmt.Errorf("digest the dataset: %w", err)
	}
	return nil
}

// Sums returns the SHA-256 of the rows that each run in ids has in a table. Runs that were written
// without the table, or that the dataset does not have, have none. Its errors are those of Read.
func (s *Snapshot) Sums(ctx context.Context, table string, ids map[string]bool) (map[string]string, error) {
	if err := s.sumTable(ctx, table, ids); err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for id := range ids {
		rows, found := s.sums[table][id]
		if rows.conflict != nil {
			return nil, fmt.Errorf("digest the dataset: %w", rows.conflict)
		}
		if found {
			sums[id] = hex.EncodeToString(rows.sum[:])
		}
	}
	return sums, nil
}

// addSums adds the hashes of a file's rows, which are at the spans of columns.
func (s *Snapshot) addSums(table string, f *dataFile, columns []*Column, spans []span) {
	sums := s.sums[table]
	if sums == nil {
		sums = map[string]rowSum{}
		s.sums[table] = sums
	}
	ordered := make([]*Column, len(f.columns))
	for i, want := range f.columns {
		ordered[i] = columns[slices.IndexFunc(columns, func(c *Column) bool { return c.Name == want.Name })]
	}
	head := appendHead(nil, table, f.columns)
	var text []byte
	for _, at := range spans {
		text = append(text[:0], head...)
		for row := at.from; row < at.to; row++ {
			for _, column := range ordered {
				text = column.appendCanonical(text, row)
			}
		}
		hash := sha256.Sum256(text)
		known, found := sums[at.id]
		switch {
		case !found:
			sums[at.id] = rowSum{sum: hash, path: f.path}
		case known.sum != hash && known.conflict == nil:
			known.conflict = unequal(span{id: at.id, path: known.path}, at, "in table "+table)
			sums[at.id] = known
		}
	}
}

// contentOf returns the hash of a run's rows in all tables, which have been read.
func (s *Snapshot) contentOf(id string) (content [sha256.Size]byte, err error) {
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

// appendHead appends the names and types of a table's columns, so that equal rows of two tables
// have different hashes.
func appendHead(text []byte, table string, columns []model.Column) []byte {
	text = appendText(text, table)
	text = binary.AppendUvarint(text, uint64(len(columns)))
	for _, c := range columns {
		text = append(appendText(text, c.Name), byte(c.Type))
	}
	return text
}

// appendCanonical appends the canonical form of the value in row i. No form is a prefix of another.
func (c *Column) appendCanonical(text []byte, i int) []byte {
	switch {
	case c.nulls != nil && c.nulls[i]:
		return append(text, 0)
	case c.dictionary != nil:
		return appendText(append(text, 1), c.dictionary.values[c.bits[i]])
	default:
		return binary.LittleEndian.AppendUint64(append(text, 1), c.bits[i])
	}
}

func appendText(text []byte, s string) []byte {
	return append(binary.AppendUvarint(text, uint64(len(s))), s...)
}
