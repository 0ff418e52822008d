// Reader tests: aliases and order of columns, damaged files, and the line and column of each error.

package columns

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// Tests of the reader of CSV files with named columns: aliases, order of columns,
// damaged files, and the line and column of each error.

var wanted = []Column{{Name: "from"}, {Name: "procs", Aliases: []string{"cores", "nodes"}}}

// rows reads all of a text.
func rows(text io.Reader) (list [][]string, err error) {
	r, err := NewReader(text, "f.csv", "begin with from,procs", wanted)
	for err == nil {
		var fields []string
		if fields, err = r.Read(); err == nil {
			list = append(list, append([]string{}, fields...))
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return list, err
}

func TestRead(t *testing.T) {
	want := [][]string{{"1", "2"}, {"", "4"}}
	for _, text := range []string{
		"from,procs\n1,2\n,4\n", "\ufeffprocs,from\r\n2,1\r\n4,\r\n", "\ufeff\"From\", other ,Nodes\n 1 ,x, 2\n,y,4 \n",
		"nodes,cores,from\n9,2,1\n9,4,\n", // the alias listed first is taken
	} {
		if list, err := rows(strings.NewReader(text)); err != nil || !cmp.Equal(list, want) {
			t.Errorf("%q: %q, error %v", text, list, err)
		}
	}
	for text, want := range map[string]string{
		"":                       "f.csv: is empty: it must begin with from,procs",
		"\ufeff":                 "f.csv: is empty",
		"from,size\n":            "f.csv:1: has no column procs (other names: cores, nodes); it has from, size",
		"procs\n":                "f.csv:1: has no column from; it has procs",
		"from,procs\n1,2\n1\n":   "f.csv:3:1: wrong number of fields",
		"from,procs\n1,2\n1,\"2": "f.csv:3:",
	} {
		if _, err := rows(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := rows(io.MultiReader(strings.NewReader("from,procs\n1,2\n"), iotest.ErrReader(broken))); !errors.Is(err,
		broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

func TestPositionsOfErrors(t *testing.T) {
	r, err := NewReader(strings.NewReader("other,procs,from\nx,1,2\nx,3,4\n"), "f.csv", "", wanted)
	for range 2 {
		if err == nil {
			_, err = r.Read()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	wrong := errors.New("no")
	if row, field := r.WrongRow(wrong).Error(), r.WrongField(1,
		wrong).Error(); row != "f.csv:3: no" || field != "f.csv:3:3: no" {
		t.Errorf("errors %q and %q, want them at f.csv:3 and f.csv:3:3", row, field)
	}
}
