package results

// The Arrow schema of a file for notebooks, read back with Arrow's library.

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"gridsweep/model"
)

// levelColumns returns a column of text with levels and a column of numbers.
func levelColumns() []model.Column {
	return []model.Column{
		{Name: "label_load", Kind: model.KindString, Nullable: true, Levels: []string{"low", "high", "full"}},
		{Name: "wait", Kind: model.KindFloat, Unit: "s", Doc: "mean wait", Symbol: "W", Alias: "mean_wait"},
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
				label = model.NullValue(model.KindString)
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
