package results

// Frames, the tables of rows that a snapshot returns, and their columns.

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"gridsweep/model"
)

// Frame is rows of one table in columns, ordered by run id and, within a run, as the model made
// them.
type Frame struct {
	columns []*Column
	runs    []string // ids of the runs, ascending
	starts  []int    // runs[i] has rows [starts[i], starts[i+1])
}

// Len returns the number of rows.
func (f *Frame) Len() int { return f.starts[len(f.runs)] }

// Runs returns the ids of the runs in the frame, ascending. A run may have no rows in a long table.
func (f *Frame) Runs() []string { return f.runs }

// Columns returns the columns: the run id first, then the others in the order of the query.
func (f *Frame) Columns() []*Column { return f.columns }

// Column returns the named column, or nil where the frame has none.
func (f *Frame) Column(name string) *Column {
	for _, c := range f.columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Rows returns the half-open interval [from, to) of a run's rows; empty where the frame has none.
func (f *Frame) Rows(runID string) (from, to int) {
	i := sort.SearchStrings(f.runs, runID)
	if i == len(f.runs) || f.runs[i] != runID {
		return 0, 0
	}
	return f.starts[i], f.starts[i+1]
}

// Column is one column of a Frame: what it means and its values.
type Column struct {
	model.Column

	bits       []uint64    // of the number, or the code of the text
	nulls      []bool      // as long as bits where the column is nullable, else nil
	dictionary *dictionary // of a column of text, else nil
}

// dictionary holds the different texts of a column; the code of a text is its index. The texts are
// copies, since those of Arrow would keep whole files in memory.
type dictionary struct {
	values []string
	codes  map[string]uint64
	latest uint64 // the code that was returned last
}

// code returns the code of a text, which it adds if it is new.
func (d *dictionary) code(text parquet.ByteArray) uint64 {
	if d.latest < uint64(len(d.values)) && d.values[d.latest] == string(text) {
		return d.latest // as in all rows of a run
	}
	code, found := d.codes[string(text)]
	if !found {
		code = uint64(len(d.values))
		value := string(text)
		d.values = append(d.values, value)
		d.codes[value] = code
	}
	d.latest = code
	return code
}

func newColumn(c model.Column) *Column {
	column := &Column{Column: c}
	if c.Kind == model.KindString {
		column.dictionary = &dictionary{codes: map[string]uint64{}}
	}
	return column
}

// As returns the column under its alias, as a column of its own with the same values.
func (c *Column) As(alias string) *Column {
	second := *c
	second.Name, second.Alias, second.Doc = alias, "", "the same as "+c.Name+": "+c.Doc
	return &second
}

// InSeconds returns a column of numbers in another unit of time as a column of its own, with _s
// after its name and values in seconds; nil of a column that is none.
func (c *Column) InSeconds() *Column {
	factor := model.UnitSeconds(c.Unit)
	if factor <= 1 {
		return nil
	}
	second := *c
	second.Name, second.Alias, second.Unit, second.Doc = c.Name+"_s", "", "s", c.Name+" in seconds: "+c.Doc
	second.Kind, second.bits = model.KindFloat, make([]uint64, len(c.bits))
	for i := range c.bits {
		if x, ok := c.Number(i); ok {
			second.bits[i] = math.Float64bits(x * float64(factor))
		}
	}
	return &second
}

// Value returns the value in row i.
func (c *Column) Value(i int) model.Value {
	if c.nulls != nil && c.nulls[i] {
		return model.NullValue(c.Kind)
	}
	switch c.Kind {
	case model.KindBool:
		return model.BoolValue(c.bits[i] != 0)
	case model.KindFloat:
		return model.FloatValue(math.Float64frombits(c.bits[i]))
	case model.KindString:
		return model.StringValue(c.dictionary.values[c.bits[i]])
	case model.KindSeconds:
		return model.SecondsValue(model.Seconds(c.bits[i]))
	default:
		return model.IntValue(int64(c.bits[i]))
	}
}

// Number returns the value in row i as a float64: a duration in seconds, a bool as 0 or 1. It is
// not ok for null and text.
func (c *Column) Number(i int) (x float64, ok bool) { return c.Value(i).Number() }

// same reports whether row i equals row j of other, which shares its dictionary.
func (c *Column) same(i int, other *Column, j int) bool {
	return c.bits[i] == other.bits[j] && (c.nulls == nil || c.nulls[i] == other.nulls[j])
}

// appendRows appends the rows [from, to) of other, which shares its dictionary.
func (c *Column) appendRows(other *Column, from, to int) {
	c.bits = append(c.bits, other.bits[from:to]...)
	if other.nulls != nil {
		c.nulls = append(c.nulls, other.nulls[from:to]...)
	}
}

// empty returns a column without rows that shares its dictionary.
func (c *Column) empty() *Column { return &Column{Column: c.Column, dictionary: c.dictionary} }

var errShort = errors.New("the file ends too early")

// readChunk appends the values of the i-th column of a row group.
func (c *Column) readChunk(group *file.RowGroupReader, i int) error {
	chunk, err := group.Column(i)
	if err == nil {
		err = c.readValues(chunk, int(group.NumRows()))
	}
	if err != nil {
		return fmt.Errorf("column %s: %w", c.Name, err)
	}
	return nil
}

func (c *Column) readValues(chunk file.ColumnChunkReader, rows int) error {
	switch r := chunk.(type) {
	case *file.BooleanColumnChunkReader:
		return readBatches(c, r.ReadBatch, rows, func(b bool) uint64 {
			if b {
				return 1
			}
			return 0
		})
	case *file.Int64ColumnChunkReader:
		return readBatches(c, r.ReadBatch, rows, func(i int64) uint64 { return uint64(i) })
	case *file.Float64ColumnChunkReader:
		return readBatches(c, r.ReadBatch, rows, math.Float64bits)
	case *file.ByteArrayColumnChunkReader:
		return readBatches(c, r.ReadBatch, rows, c.dictionary.code)
	default:
		panic("results: a column of a type that checkSchema refuses")
	}
}

// readBatches appends the values of so many rows to c. Arrow returns the values that are not null
// and, for a nullable column, a definition level for each row: 1 where there is a value.
func readBatches[T any](
	c *Column, read func(n int64, values []T, levels, _ []int16) (int64, int, error), rows int, bits func(T) uint64,
) error {
	size := min(rows, 4096)
	values := make([]T, size)
	var levels []int16
	if c.Nullable {
		levels = make([]int16, size)
	}
	for rows > 0 {
		total, n, err := read(int64(min(rows, size)), values, levels, nil)
		if err != nil {
			return err
		}
		if total == 0 || !c.Nullable && n != int(total) {
			return errShort
		}
		next := 0
		for i := range int(total) {
			null := c.Nullable && levels[i] == 0
			if c.Nullable {
				c.nulls = append(c.nulls, null)
			}
			if null {
				c.bits = append(c.bits, 0)
				continue
			}
			c.bits = append(c.bits, bits(values[next]))
			next++
		}
		rows -= int(total)
	}
	return nil
}
