// Batches of finished runs, encoded as Parquet and written into a dataset.

package results

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"gridsweep/model"
)

// Run is one finished run. The rows of its lazy tables can be made only once, so it is written
// once.
type Run struct {
	ID          string // model.Model.RunID of the point, seed and replication
	Seed        int64
	Replication int
	Point       model.Point
	Outcome     model.Outcome
	Timings     []Timing
}

// Timing is the wall-clock time that a section of a run took.
type Timing struct {
	Machine  string
	Measured bool // the run was alone and without memo; otherwise its time depends on other runs
	Section  string
	Seconds  float64
	Items    int64
}

// ValueError is a value of a run that cannot be stored: a metric that is not a finite number (an
// undefined one is null), or text that is not UTF-8.
type ValueError struct{ Column, Problem string }

// Error names the column and says what is wrong with the value.
func (e *ValueError) Error() string { return fmt.Sprintf("column %s is %s", e.Column, e.Problem) }

// Check returns an error with a *ValueError that names the first value of the outcome that cannot
// be stored. It leaves out lazy tables, whose rows Encode makes and checks.
func Check(m *model.Model, outcome model.Outcome) error {
	for i, table := range m.Tables {
		if table.Lazy {
			continue
		}
		n := 0
		for row := range outcome.Rows(i) {
			for c, column := range table.Columns {
				if err := checkValue(column, row[c]); err != nil {
					return fmt.Errorf("table %s, row %d: %w", table.Name, n, err)
				}
			}
			n++
		}
	}
	return nil
}

// Trim returns the outcome without the optional tables that this dataset does not write.
func (d *Dataset) Trim(outcome model.Outcome) model.Outcome {
	for i, table := range d.model.Tables {
		if !d.writes(table) {
			outcome = outcome.Without(i)
		}
	}
	return outcome
}

// WritesLazily reports whether this dataset writes a table whose rows are made while they are
// written.
func (d *Dataset) WritesLazily() bool {
	return slices.ContainsFunc(d.model.Tables, func(t model.Table) bool { return t.Lazy && d.writes(t) })
}

// writes reports whether this dataset writes the table.
func (d *Dataset) writes(table model.Table) bool { return !table.Optional || d.optional[table.Name] }

// checkValue returns a *ValueError for a value that cannot be stored. It panics on a value of
// another type than its column's, or a null where the column has none, which is a bug of the
// program.
func checkValue(c model.Column, v model.Value) error {
	switch {
	case v.Type() != c.Type || v.IsNull() && !c.Nullable:
		panic(fmt.Sprintf("results: column %s of type %s cannot hold a %s (null: %t)", c.Name, c.Type, v.Type(), v.IsNull()))
	case v.IsNull():
		return nil
	case c.Type == model.TypeFloat && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)):
		return &ValueError{c.Name, fmt.Sprintf("%v, which is not a finite number", v.Float())}
	case c.Type == model.TypeString && !utf8.ValidString(v.Text()):
		return &ValueError{c.Name, fmt.Sprintf("%q, which is not valid UTF-8", v.Text())}
	default:
		return nil
	}
}

// Batch is runs that are encoded and not yet in the dataset. Make one with Encode.
type Batch struct {
	dataset *Dataset
	files   []encodedFile // the commit file is the last
}

// WriteBatch adds finished runs to the dataset. The error is one of Encode, which adds none, or of
// Batch.Write.
func (d *Dataset) WriteBatch(runs []Run, p Provenance) error {
	batch, err := d.Encode(runs, p)
	if err != nil {
		return err
	}
	return batch.Write()
}

// Write adds the runs of the batch to the dataset. The error names the file that cannot be written;
// then none of the runs is in the dataset, unless the commit file got its name and the error came
// after that, such as from syncing its folder.
func (b *Batch) Write() error {
	if len(b.files) == 0 {
		return nil // of no runs
	}
	return whileCleared(func() error {
		staged := stagedBatch{dataset: b.dataset}
		defer staged.discard()
		for _, f := range b.files {
			if err := staged.add(f); err != nil {
				return err
			}
		}
		return staged.commit()
	})
}

// Encode makes a batch of finished runs and writes no file. Equal runs, in any order, and equal
// provenance make equal files. The rows of lazy tables are made and encoded one by one. The error
// names the run that cannot be stored, with a *ValueError.
func (d *Dataset) Encode(runs []Run, p Provenance) (*Batch, error) {
	batch := &Batch{dataset: d}
	if len(runs) == 0 {
		return batch, nil
	}
	runs = slices.SortedFunc(slices.Values(runs), func(a, b Run) int { return cmp.Compare(a.ID, b.ID) })
	for i, run := range runs {
		if i > 0 && run.ID == runs[i-1].ID {
			return nil, fmt.Errorf("store run %s: it is in the batch twice", run.ID)
		}
	}
	provenance, err := d.provenance(p)
	if err != nil {
		return nil, err
	}
	var at position
	writes := func(table string) bool {
		i := d.model.Table(table)
		return i < 0 || d.writes(d.model.Tables[i]) // the timings are no table of the model
	}
	err = d.makeFiles(provenance, writes, func(table string, metadata map[string]string) (encodedFile, error) {
		columns, err := d.columnsOf(table)
		if err != nil {
			return encodedFile{}, err
		}
		rows := timingRows(runs)
		if table != TimingsTable {
			rows = outcomeRows(runs, d.model.Table(table), &at)
		}
		f, err := encodeFile(table, columns, rows, metadata)
		if value, found := errors.AsType[*ValueError](err); found && table != TimingsTable {
			err = fmt.Errorf("store run %s: table %s, row %d: %w", at.run, table, at.row, value)
		}
		batch.files = append(batch.files, f)
		return f, err
	})
	if err != nil {
		return nil, err
	}
	return batch, nil
}

// makeFiles makes the data files of a batch one by one, the commit file as the last. Metadata are
// the provenance, what the file belongs to and, of a commit file, the SHA-256 of the others. The
// files of long tables name the timings of the batch, which no other batch has. So no two batches
// share a data file, and removing a batch may remove all of its files.
func (d *Dataset) makeFiles(
	provenance map[string]string, writes func(table string) bool,
	makeFile func(table string, metadata map[string]string) (encodedFile, error),
) error {
	sums := map[string]string{}
	var timings map[string]string
	for _, table := range append(d.longTables(), model.RunsTable) {
		named := timings // nil for the timings, which are made first
		if table == model.RunsTable {
			named = sums
		} else if !writes(table) {
			continue // an optional table
		}
		f, err := makeFile(table, d.identify(provenance, table, named))
		if err != nil {
			return err
		}
		sums[table] = f.sum
		if table == TimingsTable {
			timings = map[string]string{table: f.sum}
		}
	}
	return nil
}

// encodedFile is one table of a batch, encoded. The file is named by the SHA-256 of its bytes.
type encodedFile struct {
	table, sum string
	data       []byte
}

func encodeFile(
	table string, columns []model.Column, rows iter.Seq[[]model.Value], metadata map[string]string,
) (encodedFile, error) {
	var data bytes.Buffer
	stored := storedColumns(columns)
	metadata[keyColumns] = describe(stored)
	if err := encode(&data, stored, storedRows(columns, rows), metadata); err != nil {
		return encodedFile{}, fmt.Errorf("encode table %s: %w", table, err)
	}
	return encodedFile{table, sumOf(data.Bytes()), data.Bytes()}, nil
}

// storedRows returns rows of columns as rows of their storedColumns; the slice is reused.
func storedRows(columns []model.Column, rows iter.Seq[[]model.Value]) iter.Seq[[]model.Value] {
	if len(storedColumns(columns)) == len(columns) {
		return rows
	}
	var others []int // columns in another unit of time
	for i, c := range columns {
		if _, ok := inSeconds(c); ok {
			others = append(others, i)
		}
	}
	return func(yield func([]model.Value) bool) {
		var all []model.Value
		for row := range rows {
			all = append(all[:0], row...)
			for _, i := range others {
				all = append(all, secondsOf(row[i], columns[i].Unit))
			}
			if !yield(all) {
				return
			}
		}
	}
}

func (d *Dataset) path(table, sum string) string {
	return filepath.Join(d.dir, table, sum+dataExtension)
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// position is a row of a table: the run and the number of the row in it.
type position struct {
	run string
	row int64
}

// outcomeRows yields the rows of a table of outcomes, by its index, and keeps at up to date; the
// slice is reused.
func outcomeRows(runs []Run, table int, at *position) iter.Seq[[]model.Value] {
	return func(yield func([]model.Value) bool) {
		var row []model.Value
		for _, run := range runs {
			*at = position{run: run.ID}
			for values := range run.Outcome.Rows(table) {
				row = append(row[:0], model.StringValue(run.ID))
				if table == 0 {
					row = append(row, model.IntValue(run.Seed), model.IntValue(int64(run.Replication)))
					row = append(row, run.Point...)
				} else {
					row = append(row, model.IntValue(at.row))
				}
				row = append(row, values...)
				if !yield(row) {
					return
				}
				at.row++
			}
		}
	}
}

// timingRows yields the rows of the timings; the slice is reused.
func timingRows(runs []Run) iter.Seq[[]model.Value] {
	return func(yield func([]model.Value) bool) {
		var row []model.Value
		for _, run := range runs {
			for _, t := range run.Timings {
				perItem := model.NullValue(model.TypeFloat)
				if t.Items > 0 {
					perItem = model.FloatValue(t.Seconds / float64(t.Items))
				}
				row = append(row[:0], model.StringValue(run.ID), model.StringValue(t.Machine), model.BoolValue(t.Measured),
					model.StringValue(t.Section), model.FloatValue(t.Seconds), model.IntValue(t.Items), perItem)
				if !yield(row) {
					return
				}
			}
		}
	}
}

// WriteTable writes a table of any columns as one Parquet file, whole or not at all. The file has
// this metadata, the units and meanings of the columns, and the order of their levels. The
// slice that rows yields may be reused. When ctx is done, WriteTable returns its error.
func WriteTable(
	ctx context.Context, path string, columns []model.Column, rows iter.Seq[[]model.Value], metadata map[string]string,
) error {
	untilDone := func(yield func([]model.Value) bool) {
		for row := range rows {
			if ctx.Err() != nil || !yield(row) {
				return
			}
		}
	}
	described := map[string]string{keyColumns: describe(columns)}
	maps.Copy(described, metadata)
	described[keyArrow] = arrowSchema(columns, described)
	var data bytes.Buffer
	if err := encode(&data, columns, untilDone, described); err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return WriteFile(path, data.Bytes())
}

// rowsPerGroup bounds the memory of the writer. Readers such as DuckDB read the row groups of a
// file in parallel.
const rowsPerGroup = 1 << 17

// encode writes rows as a Parquet file; equal rows and metadata give equal bytes.
func encode(w io.Writer, columns []model.Column, rows iter.Seq[[]model.Value], metadata map[string]string) error {
	options := []parquet.WriterOption{
		parquetSchema(columns), parquet.MaxRowsPerRowGroup(rowsPerGroup),
		parquet.DataPageStatistics(false), // the column index has them too
	}
	for key, value := range metadata {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	writer := parquet.NewWriter(w, options...)
	record := make(parquet.Row, len(columns))
	for row := range rows {
		for i, c := range columns {
			if err := checkValue(c, row[i]); err != nil {
				return err
			}
			record[i] = parquetValue(row[i], c.Nullable, i)
		}
		if _, err := writer.WriteRows([]parquet.Row{record}); err != nil {
			return err
		}
	}
	return writer.Close()
}

// parquetValue sets the definition level to 1 for a value of a nullable column, else to 0.
func parquetValue(v model.Value, nullable bool, column int) parquet.Value {
	var value parquet.Value
	switch {
	case v.IsNull():
		return value.Level(0, 0, column)
	case v.Type() == model.TypeBool:
		value = parquet.BooleanValue(v.Bool())
	case v.Type() == model.TypeFloat:
		value = parquet.DoubleValue(v.Float())
	case v.Type() == model.TypeString:
		value = parquet.ByteArrayValue([]byte(v.Text()))
	default:
		value = parquet.Int64Value(v.Int())
	}
	if nullable {
		return value.Level(0, 1, column)
	}
	return value.Level(0, 0, column)
}
