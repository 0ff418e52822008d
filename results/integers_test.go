// Tests of reading columns of integers from Parquet files, and errors for other types, nulls and
// damaged files.

package results

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
)

// TestReadIntegers checks columns of integers read from a Parquet file, and the errors for other
// types, nulls and damaged files.
func TestReadIntegers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	columns := []model.Column{
		{Name: "a", Type: model.TypeInt}, {Name: "b", Type: model.TypeFloat},
		{Name: "c", Type: model.TypeInt, Nullable: true},
	}
	write := func(last model.Value) []byte {
		t.Helper()
		rows := func(yield func([]model.Value) bool) {
			_ = yield([]model.Value{model.IntValue(-7), model.FloatValue(0.5), model.IntValue(1)}) &&
				yield([]model.Value{model.IntValue(1 << 60), model.FloatValue(2), last})
		}
		if err := WriteTable(t.Context(), path, columns, rows, map[string]string{"who": "me"}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	whole := write(model.IntValue(2))
	have, err := ReadIntegers(whole, "c", "missing", "a")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int64{{1, 2}, nil, {-7, 1 << 60}}, have); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		data []byte
		name string
		want string
	}{
		{whole, "b", "column b is of type DOUBLE: it must be INT64"},
		{write(model.NullValue(model.TypeInt)), "c", "column c has nulls"},
		{whole[:len(whole)/2], "a", ""},
		{[]byte("PAR1"), "a", ""},
	} {
		if _, err := ReadIntegers(c.data, c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
}

// A column that has other numbers of values than its file says is an error that says so.
func TestColumnWithOtherRows(t *testing.T) {
	columns := []model.Column{{Name: "a", Type: model.TypeInt}}
	rows := func(yield func([]model.Value) bool) {
		_ = yield([]model.Value{model.IntValue(1)}) && yield([]model.Value{model.IntValue(2)})
	}
	var data bytes.Buffer
	if err := encode(&data, columns, rows, nil); err != nil {
		t.Fatal(err)
	}
	reader, err := openParquet(data.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for rows, want := range map[int]error{1: errRows, 2: nil, 3: errRows} {
		pages := reader.RowGroups()[0].ColumnChunks()[0].Pages()
		if err := newColumn(columns[0]).readPages(pages, rows); !errors.Is(err, want) {
			t.Errorf("%d rows: error %v, want %v", rows, err, want)
		}
	}
}
