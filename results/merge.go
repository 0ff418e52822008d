// The merge of several batches into one, for Compact.

package results

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"gridsweep/model"
)

// merge writes one batch with the runs of a group and reads it back; a dry run only computes what
// it would be. It holds one table at a time. The error is errVanished where another process has
// removed a batch of the group.
func (c *compaction) merge(ctx context.Context, group []inspected) (inspected, error) {
	if c.options.DryRun {
		first := group[0]
		// a sum that no other batch has; the files only say which tables there are
		merged := inspected{sum: first.sum + group[1].sum, files: first.files, contents: first.contents}
		for _, b := range group {
			merged.values += b.values
		}
		return merged, nil
	}
	sources := make([]committed, len(group))
	for i, b := range group {
		var err error
		if sources[i], _, err = c.openCommitted(b.sum + dataExtension); err != nil {
			return inspected{}, err
		}
		delete(sources[i].metadata, keyColumns) // kilobytes, the same in each
	}
	staged := stagedBatch{dataset: c.Dataset}
	defer staged.discard()
	if err := c.mergeTables(ctx, group, sources, &staged); err != nil {
		return inspected{}, err
	}
	// Another process may have merged the same batches meanwhile, and its batch once more.
	for _, s := range sources {
		if isGone(s.path) {
			return inspected{}, fmt.Errorf("%s %w", s.path, errVanished)
		}
	}
	if err := staged.commit(); err != nil {
		return inspected{}, err
	}
	return c.readBack(staged.sum())
}

// mergeTables stages the data files of the merged batch, and its commit file as the last.
func (c *compaction) mergeTables(
	ctx context.Context, group []inspected, sources []committed, staged *stagedBatch,
) error {
	provenance, err := joinProvenances(sources)
	if err != nil {
		return err
	}
	replaced := make([]string, len(group))
	for i, b := range group {
		replaced[i] = b.sum
	}
	writes := func(table string) bool { return group[0].files[table] != "" }
	return c.makeFiles(provenance, writes, func(table string, metadata map[string]string) (encodedFile, error) {
		if table == model.RunsTable || table == TimingsTable {
			// The timings too: otherwise a merged batch with the same rows as one of its group
			// would share data files with that.
			metadata[keyReplaces] = mustJSON(replaced)
		}
		f, err := c.mergeTable(ctx, table, sources, metadata)
		if err == nil {
			err = staged.add(f)
		}
		return f, err
	})
}

// mergeTable encodes the rows of the sources in a table.
func (c *compaction) mergeTable(
	ctx context.Context, table string, sources []committed, metadata map[string]string,
) (encodedFile, error) {
	columns, err := c.columnsOf(table)
	if err != nil {
		return encodedFile{}, err
	}
	rows := newCollected(table, newColumns(columns))
	for _, s := range sources {
		if err := ctx.Err(); err != nil {
			return encodedFile{}, err
		}
		f, err := c.openTable(s, table, columns)
		if err == nil {
			err = rows.addFile(s.runs, f)
		}
		if err != nil {
			return encodedFile{}, err
		}
		c.step(1)
	}
	frame, err := rows.frame()
	if err != nil {
		return encodedFile{}, err
	}
	return encodeFrame(table, columns, frame, metadata)
}

// readBack returns the batch that was written, verified.
func (c *compaction) readBack(sum string) (inspected, error) {
	merged, err := c.inspect(sum + dataExtension)
	if errors.Is(err, errMissing) {
		// While this process was suspended, others wrote the same batch, merged it once more and
		// removed its data files.
		return inspected{}, errors.Join(fmt.Errorf("%s %w", sum, errVanished), removeFile(c.path(model.RunsTable, sum)))
	}
	return merged, err
}

// encodeFrame encodes a whole table and reads it back. The rows must be equal, since the files that
// they come from are about to be removed.
func encodeFrame(table string, columns []model.Column, frame *Frame, metadata map[string]string) (encodedFile, error) {
	encoded, err := encodeFile(table, columns, frame.rows(), metadata)
	if err != nil {
		return encoded, err
	}
	reader, err := openParquet(encoded.data)
	if err == nil {
		err = checkSchema(reader, columns)
	}
	if err != nil {
		return encoded, fmt.Errorf("encode table %s: %w", table, err)
	}
	again := make([]*Column, len(columns))
	for i, column := range frame.columns {
		again[i] = column.empty()
	}
	f := &dataFile{path: "table " + table, reader: reader, columns: columns}
	if err := f.read(again); err != nil {
		return encoded, err
	}
	for i, column := range frame.columns {
		if !slices.Equal(column.bits, again[i].bits) || !slices.Equal(column.nulls, again[i].nulls) {
			return encoded, fmt.Errorf("encode table %s: column %s reads back otherwise than it was written", table, column.Name)
		}
	}
	return encoded, nil
}

// rows yields the rows of the frame; the slice is reused.
func (f *Frame) rows() iter.Seq[[]model.Value] {
	return func(yield func([]model.Value) bool) {
		row := make([]model.Value, len(f.columns))
		for i := range f.Len() {
			for c, column := range f.columns {
				row[c] = column.Value(i)
			}
			if !yield(row) {
				return
			}
		}
	}
}
