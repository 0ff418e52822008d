// Examples: columns found by name, and an escaped field.

package columns_test

import (
	"fmt"
	"os"
	"strings"

	"gridsweep/model/columns"
)

// Columns are found by their names, in any order.
func ExampleReader() {
	file := strings.NewReader("procs,To,from\n4,20,10\n")
	r, err := columns.NewReader(file, "reserved.csv", "begin with from,to", []columns.Column{{Name: "from"}, {Name: "to"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fields, err := r.Read()
	fmt.Println(fields, err)
	// Output: [10 20] <nil>
}

// A field that a spreadsheet would compute gets an apostrophe.
func ExampleWriter() {
	w := columns.NewWriter(os.Stdout)
	_ = w.Write([]string{"=1+2", "-3.5"})
	_ = w.Flush()
	// Output: '=1+2,-3.5
}
