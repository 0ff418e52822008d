package results

import (
	"fmt"
	"slices"

	"gridsweep/model"
)

// ReadIntegers returns the named columns of whole numbers of a Parquet file, nil for one that the
// file does not have. It returns an error that says what is wrong with the bytes, and for a column
// that is not of whole numbers or has nulls.
func ReadIntegers(data []byte, names ...string) (columns [][]int64, err error) {
	defer recoverTo(&err)
	reader, err := openParquet(data)
	if err != nil {
		return nil, err
	}
	columns = make([][]int64, len(names))
	schema := reader.MetaData().Schema
	for place := range schema.NumColumns() {
		leaf := schema.Column(place)
		wanted := slices.Index(names, leaf.Path())
		if wanted < 0 {
			continue
		}
		if leaf.PhysicalType() != physicalType(model.KindInt) || leaf.MaxRepetitionLevel() != 0 || leaf.MaxDefinitionLevel() > 1 {
			return nil, fmt.Errorf("column %s is of type %s: it must be INT64", leaf.Path(), leaf.PhysicalType())
		}
		column := newColumn(model.Column{Name: leaf.Path(), Kind: model.KindInt, Nullable: leaf.MaxDefinitionLevel() == 1})
		for g := range reader.NumRowGroups() {
			group := reader.RowGroup(g)
			chunk, err := group.Column(place)
			if err == nil {
				err = column.readChunk(chunk, int(group.NumRows()))
			}
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", leaf.Path(), err)
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
