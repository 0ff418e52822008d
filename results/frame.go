// Frames, the tables of rows that a snapshot returns, and their columns.

package results

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/parquet-go/parquet-go"

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

	bits       []uint64    // by row: the bits of the number, or the code of the text
	nulls      []bool      // as long as bits where the column is nullable, else nil
	dictionary *dictionary // texts of a column of text, else nil
}

// dictionary holds the different texts of a column; the code of a text is its index. The texts are
// copies, since those of a page would keep all of it in memory.
type dictionary struct {
	values []string
	codes  map[string]uint64
	latest uint64 // the code that was returned last
}

// code returns the code of a text, which it adds if it is new.
func (d *dictionary) code(text []byte) uint64 {
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
	if c.Type == model.TypeString {
		column.dictionary = &dictionary{codes: map[string]uint64{}}
	}
	return column
}

// As returns the column under its alias, as a column of its own with the same values.
func (c *Column) As(alias string) *Column {
	renamed := *c
	renamed.Name, renamed.Alias, renamed.Doc = alias, "", "the same as "+c.Name+": "+c.Doc
	return &renamed
}

// InSeconds returns a column of numbers in another unit of time as a column of its own, with _s
// after its name and values in seconds. It returns nil for a column in seconds or of no time.
func (c *Column) InSeconds() *Column {
	column, ok := inSeconds(c.Column)
	if !ok {
		return nil
	}
	converted := &Column{Column: column, bits: make([]uint64, len(c.bits)), nulls: c.nulls}
	for i := range c.bits {
		if v := secondsOf(c.Value(i), c.Unit); !v.IsNull() {
			converted.bits[i] = math.Float64bits(v.Float())
		}
	}
	return converted
}

// Value returns the value in row i.
func (c *Column) Value(i int) model.Value {
	if c.nulls != nil && c.nulls[i] {
		return model.NullValue(c.Type)
	}
	switch c.Type {
	case model.TypeBool:
		return model.BoolValue(c.bits[i] != 0)
	case model.TypeFloat:
		return model.FloatValue(math.Float64frombits(c.bits[i]))
	case model.TypeString:
		return model.StringValue(c.dictionary.values[c.bits[i]])
	case model.TypeSeconds:
		return model.SecondsValue(model.Seconds(c.bits[i]))
	default:
		return model.IntValue(int64(c.bits[i]))
	}
}

// Number returns the value in row i as a float64: a duration in seconds, a bool as 0 or 1. For null
// and text ok is false.
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

var errRows = errors.New("a column has more or fewer values than its file says")

// readChunk appends the values of a leaf of the schema in a row group.
func (c *Column) readChunk(group parquet.RowGroup, leaf int) error {
	err := c.readPages(group.ColumnChunks()[leaf].Pages(), int(group.NumRows()))
	if err != nil {
		return fmt.Errorf("column %s: %w", c.Name, err)
	}
	return nil
}

// readPages appends the values of all pages, which have so many rows, and closes them.
func (c *Column) readPages(pages parquet.Pages, rows int) (err error) {
	defer func() { err = errors.Join(err, pages.Close()) }()
	values := make([]parquet.Value, min(rows, 1024))
	for rows > 0 {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return errRows
		}
		if err != nil {
			return err
		}
		reader := page.Values()
		for err == nil {
			var n int
			n, err = reader.ReadValues(values)
			rows -= n
			if rows < 0 {
				return errRows
			}
			c.appendValues(values[:n])
		}
		if err != io.EOF {
			return err
		}
		parquet.Release(page)
	}
	return nil
}

func (c *Column) appendValues(values []parquet.Value) {
	for i := range values {
		v := &values[i]
		if c.Nullable {
			c.nulls = append(c.nulls, v.IsNull())
		}
		c.bits = append(c.bits, c.bitsOf(v))
	}
}

// bitsOf returns what bits has for a value; 0 for null.
func (c *Column) bitsOf(v *parquet.Value) uint64 {
	switch {
	case v.IsNull():
		return 0
	case c.Type == model.TypeString:
		return c.dictionary.code(v.ByteArray())
	case c.Type == model.TypeFloat:
		return math.Float64bits(v.Double())
	case c.Type == model.TypeBool && v.Boolean():
		return 1
	case c.Type == model.TypeBool:
		return 0
	default:
		return uint64(v.Int64())
	}
}
