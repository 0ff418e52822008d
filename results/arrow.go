// The Arrow schema of a file for notebooks, and the order of levels in its columns of text.

package results

import (
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"gridsweep/model"
)

// keyArrow is the key under which Arrow's libraries store the schema of a table in a Parquet file.
const keyArrow = "ARROW:schema"

// arrowSchema returns the columns as an Arrow schema, in the form in which Arrow's libraries store
// it in Parquet files: an IPC stream without rows, in base64. Each field has the type, unit, doc,
// symbol and alias of its column as metadata. A column with levels is an ordered dictionary, whose
// order is that of the Parquet dictionary. The schema has the metadata of the file too: Arrow's
// libraries take it in place of the file's own.
func arrowSchema(columns []model.Column, metadata map[string]string) string {
	b := arrowBuilder{flatbuffers.NewBuilder(1024)}
	fields := make([]flatbuffers.UOffsetT, len(columns))
	dictionaries := int64(0)
	for i, c := range columns {
		fields[i] = b.field(c, dictionaries)
		if c.Levels != nil {
			dictionaries++
		}
	}
	var entries [][2]string
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		entries = append(entries, [2]string{key, metadata[key]})
	}
	ofFields, ofFile := b.CreateVectorOfTables(fields), b.metadata(entries)
	b.StartObject(4) // Schema, little-endian
	b.PrependUOffsetTSlot(1, ofFields, 0)
	b.PrependUOffsetTSlot(2, ofFile, 0)
	schema := b.EndObject()
	const versionV5, headerSchema = 4, 1
	b.StartObject(5) // Message
	b.PrependInt16Slot(0, versionV5, 0)
	b.PrependByteSlot(1, headerSchema, 0)
	b.PrependUOffsetTSlot(2, schema, 0)
	b.Finish(b.EndObject())

	const continuation = 0xFFFFFFFF // before the length of each message
	message := b.FinishedBytes()
	padding := make([]byte, -len(message)&7) // to a multiple of 8 bytes
	stream := binary.LittleEndian.AppendUint32(nil, continuation)
	stream = binary.LittleEndian.AppendUint32(stream, uint32(len(message)+len(padding)))
	stream = slices.Concat(stream, message, padding)
	stream = binary.LittleEndian.AppendUint32(stream, continuation)
	stream = binary.LittleEndian.AppendUint32(stream, 0) // the end
	return base64.StdEncoding.EncodeToString(stream)
}

// arrowBuilder builds the tables of Arrow's Schema.fbs and Message.fbs, by the numbers of their
// fields. A table is built after those that it refers to.
type arrowBuilder struct{ *flatbuffers.Builder }

// field builds the table Field of a column. Dictionary numbers the columns with levels.
func (b arrowBuilder) field(c model.Column, dictionary int64) flatbuffers.UOffsetT {
	name := b.CreateString(c.Name)
	union, ofType := b.typeOf(c)
	children := b.CreateVectorOfTables(nil)
	var encoded flatbuffers.UOffsetT
	if c.Levels != nil {
		index := b.integer(32)
		b.StartObject(4) // DictionaryEncoding
		b.PrependInt64Slot(0, dictionary, 0)
		b.PrependUOffsetTSlot(1, index, 0)
		b.PrependBoolSlot(2, true, false) // ordered
		encoded = b.EndObject()
	}
	metadata := b.metadata(slices.DeleteFunc([][2]string{ // what columnInfo has of a column
		{"kind", c.Type.String()}, {"unit", c.Unit}, {"doc", c.Doc}, {"symbol", c.Symbol}, {"alias", c.Alias},
	}, func(entry [2]string) bool { return entry[1] == "" }))
	b.StartObject(7) // Field
	b.PrependUOffsetTSlot(0, name, 0)
	b.PrependBoolSlot(1, c.Nullable, false)
	b.PrependByteSlot(2, union, 0)
	b.PrependUOffsetTSlot(3, ofType, 0)
	b.PrependUOffsetTSlot(4, encoded, 0)
	b.PrependUOffsetTSlot(5, children, 0)
	b.PrependUOffsetTSlot(6, metadata, 0)
	return b.EndObject()
}

// typeOf builds the type of the values of a column and returns which of the union Type it is.
func (b arrowBuilder) typeOf(c model.Column) (byte, flatbuffers.UOffsetT) {
	const (
		typeInt, typeFloatingPoint, typeUtf8, typeBool = 2, 3, 5, 6
		precisionDouble                                = 2
	)
	switch c.Type {
	case model.TypeBool:
		b.StartObject(0)
		return typeBool, b.EndObject()
	case model.TypeFloat:
		b.StartObject(1)
		b.PrependInt16Slot(0, precisionDouble, 0)
		return typeFloatingPoint, b.EndObject()
	case model.TypeString:
		b.StartObject(0)
		return typeUtf8, b.EndObject()
	default:
		return typeInt, b.integer(64)
	}
}

// integer builds the type of signed integers.
func (b arrowBuilder) integer(bits int32) flatbuffers.UOffsetT {
	b.StartObject(2) // Int
	b.PrependInt32Slot(0, bits, 0)
	b.PrependBoolSlot(1, true, false) // signed
	return b.EndObject()
}

// metadata builds a vector of pairs of key and value. It returns 0, which stands for no vector,
// where there are none.
func (b arrowBuilder) metadata(entries [][2]string) flatbuffers.UOffsetT {
	if len(entries) == 0 {
		return 0
	}
	pairs := make([]flatbuffers.UOffsetT, len(entries))
	for i, entry := range entries {
		key, value := b.CreateString(entry[0]), b.CreateString(entry[1])
		b.StartObject(2)
		b.PrependUOffsetTSlot(0, key, 0)
		b.PrependUOffsetTSlot(1, value, 0)
		pairs[i] = b.EndObject()
	}
	return b.CreateVectorOfTables(pairs)
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
