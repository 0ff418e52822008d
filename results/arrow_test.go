// Files of this package read with Arrow's library: the schema for notebooks, and the values, as a
// second reader beside the one of the package.

package results

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/endian"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	arrowparquet "github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"gridsweep/model"
)

// levelColumns returns a column of text with levels and a column of numbers.
func levelColumns() []model.Column {
	return []model.Column{
		{Name: "label_load", Type: model.TypeString, Nullable: true, Levels: []string{"low", "high", "full"}},
		{Name: "wait", Type: model.TypeFloat, Unit: "s", Doc: "mean wait", Symbol: "W", Alias: "mean_wait"},
	}
}

// levelRows yields n rows with the levels against their order, and nulls. The level low is in the
// first two rows only.
func levelRows(n int) iter.Seq[[]model.Value] {
	return func(yield func([]model.Value) bool) {
		for i := range n {
			label := model.StringValue("high")
			switch {
			case i == 1:
				label = model.StringValue("low")
			case i%3 == 0:
				label = model.NullValue(model.TypeString)
			}
			if !yield([]model.Value{label, model.FloatValue(float64(i))}) {
				return
			}
		}
	}
}

func TestArrowSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "levels.parquet")
	metadata := map[string]string{"who": "me"}
	if err := WriteTable(t.Context(), path, levelColumns(), levelRows(rowsPerGroup+1), metadata); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := file.Lookup("ARROW:schema")
	stream, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := ipc.NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	const want = `schema:
  fields: 2
    - label_load: type=dictionary<values=utf8, indices=int32, ordered=true>, nullable
            metadata: ["kind": "string"]
    - wait: type=float64
      metadata: ["kind": "float", "unit": "s", "doc": "mean wait", "symbol": "W", "alias": "mean_wait"]
  metadata: ["gridsweep.columns": %q, "who": "me"]`
	columns, _ := file.Lookup("gridsweep.columns")
	if diff := cmp.Diff(fmt.Sprintf(want, columns), reader.Schema().String()); diff != "" {
		t.Error(diff)
	}
	if groups := file.RowGroups(); len(groups) != 2 {
		t.Fatalf("%d row groups, want 2", len(groups))
	}
	for i, group := range file.RowGroups() {
		pages := group.ColumnChunks()[0].Pages()
		page, err := pages.ReadPage()
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for k := range page.Dictionary().Len() {
			texts = append(texts, page.Dictionary().Index(int32(k)).String())
		}
		if diff := cmp.Diff([]string{"low", "high", "full"}, texts); diff != "" {
			t.Errorf("row group %d: %s", i, diff)
		}
		if err := pages.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The schema is, byte for byte, what Arrow's own writer makes.
func TestArrowSchemaIsThatOfArrow(t *testing.T) {
	names := rapid.StringMatching(`[a-zé"]{0,20}`)
	rapid.Check(t, func(t *rapid.T) {
		columns := make([]model.Column, rapid.IntRange(0, 6).Draw(t, "columns"))
		for i := range columns {
			c := &columns[i]
			c.Name, c.Unit, c.Doc = names.Draw(t, "name"), names.Draw(t, "unit"), names.Draw(t, "doc")
			c.Symbol, c.Alias = names.Draw(t, "symbol"), names.Draw(t, "alias")
			c.Nullable = rapid.Bool().Draw(t, "nullable")
			c.Type = rapid.SampledFrom([]model.Type{
				model.TypeBool, model.TypeFloat, model.TypeInt, model.TypeSeconds, model.TypeString,
			}).Draw(t, "type")
			if c.Type == model.TypeString && rapid.Bool().Draw(t, "levels") {
				c.Levels = []string{"low", "high"}
			}
		}
		metadata := rapid.MapOf(names, names).Draw(t, "metadata")
		want, got := schemaByArrow(t, columns, metadata), arrowSchema(columns, metadata)
		if got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

// schemaByArrow is arrowSchema by Arrow's library.
func schemaByArrow(t *rapid.T, columns []model.Column, metadata map[string]string) string {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		var ofType arrow.DataType
		switch {
		case c.Type == model.TypeBool:
			ofType = arrow.FixedWidthTypes.Boolean
		case c.Type == model.TypeFloat:
			ofType = arrow.PrimitiveTypes.Float64
		case c.Type != model.TypeString:
			ofType = arrow.PrimitiveTypes.Int64
		case c.Levels == nil:
			ofType = arrow.BinaryTypes.String
		default:
			ofType = &arrow.DictionaryType{
				IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String, Ordered: true,
			}
		}
		var keys, values []string
		for _, entry := range [][2]string{
			{"kind", c.Type.String()}, {"unit", c.Unit}, {"doc", c.Doc}, {"symbol", c.Symbol}, {"alias", c.Alias},
		} {
			if entry[1] != "" {
				keys, values = append(keys, entry[0]), append(values, entry[1])
			}
		}
		fields[i] = arrow.Field{
			Name: c.Name, Type: ofType, Nullable: c.Nullable, Metadata: arrow.NewMetadata(keys, values),
		}
	}
	ofFile := arrow.MetadataFrom(metadata)
	var stream bytes.Buffer
	schema := arrow.NewSchemaWithEndian(fields, &ofFile, endian.LittleEndian)
	if err := ipc.NewWriter(&stream, ipc.WithSchema(schema)).Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(stream.Bytes())
}

func TestArrowReadsTheSameValues(t *testing.T) {
	columns := []model.Column{
		{Name: "bool", Type: model.TypeBool, Nullable: true}, {Name: "required_bool", Type: model.TypeBool},
		{Name: "int", Type: model.TypeInt, Nullable: true}, {Name: "seconds", Type: model.TypeSeconds},
		{Name: "float", Type: model.TypeFloat}, {Name: "nullable_float", Type: model.TypeFloat, Nullable: true},
		{Name: "level", Type: model.TypeString, Nullable: true, Levels: []string{"low", "high"}},
		{Name: "text", Type: model.TypeString},
	}
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([][]model.Value, rowsPerGroup+100)
	for i := range rows {
		rows[i] = []model.Value{
			model.BoolValue(random.IntN(2) == 0), model.BoolValue(random.IntN(9) == 0),
			model.IntValue(int64(random.Uint64())), model.SecondsValue(model.Seconds(random.IntN(1e6))),
			model.FloatValue(math.Ldexp(random.Float64()-0.5, random.IntN(2000)-1000)), model.FloatValue(random.Float64()),
			model.StringValue([]string{"low", "high"}[random.IntN(2)]), model.StringValue(fmt.Sprint(random.IntN(300))),
		}
		for c, column := range columns {
			if column.Nullable && random.IntN(4) == 0 {
				rows[i][c] = model.NullValue(column.Type)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "values.parquet")
	if err := WriteTable(t.Context(), path, columns, slices.Values(rows), nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := openParquet(data)
	if err != nil {
		t.Fatal(err)
	}
	ours := newColumns(columns)
	if err := (&dataFile{path: path, reader: reader, columns: columns}).read(ours); err != nil {
		t.Fatal(err)
	}
	theirs := readWithArrow(t, data, columns)
	for c, column := range columns {
		for i, row := range rows {
			if ours[c].Value(i) != row[c] || theirs[c][i] != row[c] {
				t.Fatalf("column %s, row %d: wrote %v, read %v, Arrow %v", column.Name, i, row[c], ours[c].Value(i), theirs[c][i])
			}
		}
	}
}

// readWithArrow returns the values of each column.
func readWithArrow(t *testing.T, data []byte, columns []model.Column) [][]model.Value {
	t.Helper()
	reader, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	values := make([][]model.Value, len(columns))
	for g := range reader.NumRowGroups() {
		group := reader.RowGroup(g)
		for i, c := range columns {
			chunk, err := group.Column(i)
			if err != nil {
				t.Fatal(err)
			}
			rows := int(group.NumRows())
			switch r := chunk.(type) {
			case *file.BooleanColumnChunkReader:
				values[i] = append(values[i], arrowValues(t, c, rows, r.ReadBatch, model.BoolValue)...)
			case *file.Int64ColumnChunkReader:
				value := model.IntValue
				if c.Type == model.TypeSeconds {
					value = func(i int64) model.Value { return model.SecondsValue(model.Seconds(i)) }
				}
				values[i] = append(values[i], arrowValues(t, c, rows, r.ReadBatch, value)...)
			case *file.Float64ColumnChunkReader:
				values[i] = append(values[i], arrowValues(t, c, rows, r.ReadBatch, model.FloatValue)...)
			case *file.ByteArrayColumnChunkReader:
				value := func(b arrowparquet.ByteArray) model.Value { return model.StringValue(string(b)) }
				values[i] = append(values[i], arrowValues(t, c, rows, r.ReadBatch, value)...)
			default:
				t.Fatalf("column %s is of type %T", c.Name, chunk)
			}
		}
	}
	return values
}

// arrowValues returns the values of a column chunk. Arrow returns those that are not null and, for
// a nullable column, a definition level for each row: 1 where there is a value.
func arrowValues[T any](
	t *testing.T, c model.Column, rows int, read func(int64, []T, []int16, []int16) (int64, int, error),
	value func(T) model.Value,
) []model.Value {
	t.Helper()
	var all []model.Value
	for len(all) < rows {
		size := rows - len(all)
		batch, levels := make([]T, size), make([]int16, size)
		total, n, err := read(int64(size), batch, levels, nil)
		if err != nil || total == 0 {
			t.Fatalf("column %s ends after %d of %d rows: %v", c.Name, len(all), rows, err)
		}
		batch = batch[:n]
		for _, level := range levels[:total] {
			if c.Nullable && level == 0 {
				all = append(all, model.NullValue(c.Type))
				continue
			}
			all, batch = append(all, value(batch[0])), batch[1:]
		}
	}
	return all
}
