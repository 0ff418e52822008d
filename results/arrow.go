package results

// The Arrow schema of a file for notebooks, and the order of levels in its columns of text.

import (
	"bytes"
	"encoding/base64"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"gridsweep/model"
)

// keyArrow is the key under which Arrow's libraries store the schema of a table in a Parquet file.
const keyArrow = "ARROW:schema"

// arrowSchema returns the columns as an Arrow schema, in the form in which Arrow's libraries store
// it in Parquet files: an IPC stream without rows, in base64. Each field has the kind, unit, doc,
// symbol and alias of its column as metadata. A column with levels is an ordered dictionary, whose
// order is that of the Parquet dictionary. The schema has the metadata of the file too: Arrow's
// libraries take it in place of the file's own.
func arrowSchema(columns []model.Column, metadata map[string]string) (string, error) {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.Name, Type: arrowType(c), Nullable: c.Nullable, Metadata: arrowMetadata(c)}
	}
	sorted := slices.Sorted(maps.Keys(metadata))
	values := make([]string, len(sorted))
	for i, key := range sorted {
		values[i] = metadata[key]
	}
	ofFile := arrow.NewMetadata(sorted, values)
	var stream bytes.Buffer
	if err := ipc.NewWriter(&stream, ipc.WithSchema(arrow.NewSchema(fields, &ofFile))).Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(stream.Bytes()), nil
}

func arrowType(c model.Column) arrow.DataType {
	switch {
	case c.Kind == model.KindBool:
		return arrow.FixedWidthTypes.Boolean
	case c.Kind == model.KindFloat:
		return arrow.PrimitiveTypes.Float64
	case c.Kind != model.KindString:
		return arrow.PrimitiveTypes.Int64
	case c.Levels != nil:
		return &arrow.DictionaryType{
			IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String, Ordered: true,
		}
	default:
		return arrow.BinaryTypes.String
	}
}

// arrowMetadata returns what columnInfo has of a column, without what is empty.
func arrowMetadata(c model.Column) arrow.Metadata {
	var keys, values []string
	for _, entry := range [][2]string{
		{"kind", c.Kind.String()}, {"unit", c.Unit}, {"doc", c.Doc}, {"symbol", c.Symbol}, {"alias", c.Alias},
	} {
		if entry[1] != "" {
			keys, values = append(keys, entry[0]), append(values, entry[1])
		}
	}
	return arrow.NewMetadata(keys, values)
}

// levelsType is the type of a column of text whose dictionary begins with the levels, in order, in
// every row group.
type levelsType struct {
	parquet.Type
	levels []string
}

func (t levelsType) NewDictionary(column, values int, data encoding.Values) parquet.Dictionary {
	d := levelsDictionary{t.Type.NewDictionary(column, values, data), make([]parquet.Value, len(t.levels))}
	for i, level := range t.levels {
		d.levels[i] = parquet.ByteArrayValue([]byte(level))
	}
	d.Reset()
	return d
}

type levelsDictionary struct {
	parquet.Dictionary
	levels []parquet.Value
}

// Reset removes all texts but the levels.
func (d levelsDictionary) Reset() {
	d.Dictionary.Reset()
	d.Insert(make([]int32, len(d.levels)), d.levels)
}
