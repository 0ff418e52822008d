package results

// Columns of integers, read from any Parquet file.

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
	schema := reader.MetaData().Schema
	for c := range schema.NumColumns() {
		leaf := schema.Column(c)
		wanted := slices.Index(names, leaf.Path())
		if wanted < 0 {
			continue
		}
		isInt := leaf.PhysicalType() == physicalType(model.KindInt)
		if !isInt || leaf.MaxRepetitionLevel() != 0 || leaf.MaxDefinitionLevel() > 1 {
			return nil, fmt.Errorf("column %s is of type %s: it must be INT64", leaf.Path(), leaf.PhysicalType())
		}
		column := newColumn(model.Column{Name: leaf.Path(), Kind: model.KindInt, Nullable: leaf.MaxDefinitionLevel() == 1})
		for g := range reader.NumRowGroups() {
			if err := column.readChunk(reader.RowGroup(g), c); err != nil {
				return nil, err
			}
		}
		if slices.Contains(column.nulls, true) {
			return nil, fmt.Errorf("column %s has nulls: every row must have a whole number", leaf.Path())
		}
		columns[wanted] = make([]int64, len(column.bits))
		for i, bits := range column.bits {
			columns[wanted][i] = int64(bits)
		}
	}
	return columns, nil
}
