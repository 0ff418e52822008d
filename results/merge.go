package results

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"gridsweep/model"
)

// merge writes one part with the runs of a group and reads it back; a dry run only says what it
// would be. It holds one table of it at a time. The error is errVanished where another process has
// removed a part of the group.
func (c *compaction) merge(ctx context.Context, group []stored) (stored, error) {
	if c.options.DryRun {
		first := group[0]
		made := stored{name: first.name + group[1].name, files: first.files, tables: first.tables, source: first.source}
		for _, s := range group {
			made.values += s.values
		}
		return made, nil
	}
	sources, err := c.sources(group)
	if err != nil {
		return stored{}, err
	}
	written := newPart{dataset: c.Dataset}
	defer written.discard()
	if err := c.mergeTables(ctx, group, sources, &written); err != nil {
		return stored{}, err
	}
	// Another process that compacts may be ahead, and its merged part may even have been merged
	// again.
	for _, s := range sources {
		if gone(s.commit.path) {
			return stored{}, fmt.Errorf("%s %w", s.commit.path, errVanished)
		}
	}
	if err := written.commit(); err != nil {
		return stored{}, err
	}
	return c.readBack(written.name())
}

// mergeTables adds the files of the part that the group becomes, the commit as the last.
func (c *compaction) mergeTables(ctx context.Context, group []stored, sources []source, to *newPart) error {
	provenance, err := joinProvenances(sources)
	if err != nil {
		return err
	}
	sums := map[string]string{}
	var owned map[string]string
	for _, table := range append(c.tables(), model.RunsTable) {
		names := owned
		if table == model.RunsTable {
			names = sums
		} else if group[0].files[table] == "" {
			continue // an optional table
		}
		metadata := c.identify(provenance, table, names)
		if table == model.RunsTable || table == TimingsTable {
			// Not the commit alone: else a part with the same rows as one of its group would share
			// that one's files.
			metadata[keyReplaces] = replacing(group)
		}
		f, err := c.mergeTable(ctx, table, sources, metadata)
		if err == nil {
			err = to.add(f)
		}
		if err != nil {
			return err
		}
		sums[table] = f.sum
		if table == TimingsTable {
			owned = owner(f)
		}
	}
	return nil
}

// mergeTable encodes the rows of the sources in a table.
func (c *compaction) mergeTable(
	ctx context.Context, table string, sources []source, metadata map[string]string,
) (tableFile, error) {
	columns, err := c.columnsOf(table)
	if err != nil {
		return tableFile{}, err
	}
	rows := newCollected(table, newColumns(columns))
	for _, s := range sources {
		if err := ctx.Err(); err != nil {
			return tableFile{}, err
		}
		p, err := c.openTable(s.commit, table, columns)
		if err == nil {
			err = rows.addPart(s.runs, p)
		}
		if err != nil {
			return tableFile{}, err
		}
		c.step(1)
	}
	frame, err := rows.frame()
	if err != nil {
		return tableFile{}, err
	}
	return encodeFrame(table, columns, frame, metadata)
}

// readBack returns the part that was written, verified.
func (c *compaction) readBack(name string) (stored, error) {
	made, err := c.look(name + partExtension)
	if errors.Is(err, errMissing) {
		// While we stood still, others wrote the same part, merged it again and removed its tables.
		return stored{}, errors.Join(fmt.Errorf("%s %w", name, errVanished), removeFile(c.path(model.RunsTable, name)))
	}
	return made, err
}

// source is a part without its rows: its runs and the commit.
type source struct {
	commit *part
	runs   []string
}

func (d *Dataset) openSource(name string) (source, error) {
	commit, err := d.openCommit(name)
	if err != nil {
		return source{}, err
	}
	runs, err := commit.runs()
	delete(commit.metadata, keyColumns) // kilobytes, the same in each
	return source{&part{path: commit.path, metadata: commit.metadata}, runs}, err
}

func (c *compaction) sources(group []stored) ([]source, error) {
	sources := make([]source, len(group))
	for i, s := range group {
		var err error
		if sources[i], err = c.openSource(s.name + partExtension); err != nil {
			return nil, err
		}
	}
	return sources, nil
}

// openTable opens the file of any table of a part.
func (d *Dataset) openTable(commit *part, table string, columns []model.Column) (*part, error) {
	if table == model.RunsTable {
		return d.openCommit(commit.name())
	}
	return d.openNamed(commit, table, columns)
}

// encodeFrame encodes a whole table and makes sure that it reads back to the same rows: the ones
// that it came from are about to be removed.
func encodeFrame(table string, columns []model.Column, frame *Frame, metadata map[string]string) (tableFile, error) {
	f, err := encodeFile(table, columns, frame.rows(), metadata)
	if err != nil {
		return f, err
	}
	reader, err := openParquet(f.data)
	if err == nil {
		err = checkSchema(reader, columns)
	}
	if err != nil {
		return f, fmt.Errorf("encode table %s: %w", table, err)
	}
	again := make([]*Column, len(columns))
	for i, column := range frame.columns {
		again[i] = column.empty()
	}
	p := &part{path: "table " + table, reader: reader, columns: columns}
	if err := p.read(again); err != nil {
		return f, err
	}
	for i, column := range frame.columns {
		if !slices.Equal(column.bits, again[i].bits) || !slices.Equal(column.nulls, again[i].nulls) {
			return f, fmt.Errorf("encode table %s: column %s reads back otherwise than it was written", table, column.Name)
		}
	}
	return f, nil
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
