// Columns of integers, read from any Parquet file.

package results

import (
	"fmt"
	"slices"

	"gridsweep/model"
)

// ReadIntegers returns the named columns of integers of a Parquet file, nil for one that the file
// does not have. The error says what is wrong with the bytes, or names a column of another type or
// with nulls.
func ReadIntegers(data []byte, names ...string) (columns [][]int64, err error) {
	defer recoverTo(&err)
	reader, err := openParquet(data)
	if err != nil {
		return nil, err
	}
	columns = make([][]int64, len(names))
	for _, c := range reader.Root().Columns() {
		wanted := slices.Index(names, c.Name())
		if wanted < 0 {
			continue
		}
		if !holds(c, model.TypeInt) {
			return nil, fmt.Errorf("column %s is of type %s: it must be INT64", c.Name(), typeText(c))
		}
		column := newColumn(model.Column{Name: c.Name(), Type: model.TypeInt, Nullable: c.Optional()})
		for _, group := range reader.RowGroups() {
			if err := column.readChunk(group, c.Index()); err != nil {
				return nil, err
			}
		}
		if slices.Contains(column.nulls, true) {
			return nil, fmt.Errorf("column %s has nulls: every row must have a whole number", c.Name())
		}
		columns[wanted] = make([]int64, len(column.bits))
		for i, bits := range column.bits {
			columns[wanted][i] = int64(bits)
		}
	}
	return columns, nil
}
