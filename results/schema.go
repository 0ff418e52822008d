// The columns of the tables of a dataset and their Parquet schema.

package results

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"

	"gridsweep/model"
)

// Columns that every run or every timing has, whatever the model.
const (
	SeedColumn        = "seed"
	ReplicationColumn = "round"

	MachineColumn  = "machine"  // of the timings
	MeasuredColumn = "measured" // of the timings
)

// Columns of every table, and of long ones.
const (
	runIDColumn = "run_id"
	rowColumn   = "row"
)

// secondsSuffix ends the names of the columns that inSeconds returns.
const secondsSuffix = "_s"

var runID = model.Column{Name: runIDColumn, Type: model.TypeString,
	Doc: "name of the run: a hash of the model, its version, the parameters, the seed and the replication"}

// runsColumns returns the columns of the table runs: those that identify the run, its parameters
// and its metrics.
func runsColumns(m *model.Model) []model.Column {
	columns := []model.Column{
		runID,
		{Name: SeedColumn, Type: model.TypeInt, Doc: "seed of the study"},
		{
			Name: ReplicationColumn, Type: model.TypeInt,
			Doc: "replication: runs of a replication meet the same random numbers",
		},
	}
	return append(columns, m.RunsColumns()...)
}

// longColumns returns the columns of a long table.
func longColumns(table model.Table) []model.Column {
	columns := []model.Column{runID, {Name: rowColumn, Type: model.TypeInt, Doc: "number of the row in its run, from 0"}}
	return append(columns, table.Columns...)
}

func timingsColumns() []model.Column {
	return []model.Column{
		runID,
		{Name: MachineColumn, Type: model.TypeString, Doc: "the machine that measured"},
		{Name: MeasuredColumn, Type: model.TypeBool, Doc: "whether the run had the program to itself and no memo, as in an " +
			"experiment that measures"},
		{Name: "section", Type: model.TypeString, Doc: "what was measured; run is the whole run"},
		{Name: "seconds", Type: model.TypeFloat, Unit: "s", Doc: "wall-clock time"},
		{Name: "items", Type: model.TypeInt, Doc: "pieces of work done in that time"},
		{Name: "per_item", Type: model.TypeFloat, Unit: "s", Nullable: true, Doc: "seconds / items"},
	}
}

// longTables returns the names of all tables but runs, timings first.
func (d *Dataset) longTables() []string {
	tables := []string{TimingsTable}
	for _, table := range d.model.Tables[1:] {
		tables = append(tables, table.Name)
	}
	return tables
}

// columnsOf returns the columns of one of the dataset's tables.
func (d *Dataset) columnsOf(table string) ([]model.Column, error) {
	if table == TimingsTable {
		return timingsColumns(), nil
	}
	switch i := d.model.Table(table); {
	case i < 0:
		return nil, fmt.Errorf("%s has no table %q", d.model.Name, table)
	case i == 0:
		return runsColumns(d.model), nil
	default:
		return longColumns(d.model.Tables[i]), nil
	}
}

// storedColumns returns the columns of the files of a table. Where its durations are in several
// units, each one in another unit than seconds is stored a second time in seconds, after the
// others: such columns are for notebooks and are not read.
func storedColumns(columns []model.Column) []model.Column {
	added, areStored := ColumnsInSeconds(columns)
	if !areStored {
		return columns
	}
	return slices.Concat(columns, added)
}

// ColumnsInSeconds returns, for each column of a table in a unit of time other than seconds, one in
// seconds. areStored reports whether the files of the table have them too, which is so if its
// columns have several units of time; cells.parquet always has those of the table runs.
func ColumnsInSeconds(columns []model.Column) (added []model.Column, areStored bool) {
	units := map[string]bool{}
	for _, c := range columns {
		if model.UnitSeconds(c.Unit) > 0 {
			units[c.Unit] = true
		}
		if seconds, ok := inSeconds(c); ok {
			added = append(added, seconds)
		}
	}
	return added, len(units) > 1
}

// inSeconds returns the column that has the values of a column in seconds, with _s after its name;
// false for a column in seconds or of no time.
func inSeconds(c model.Column) (model.Column, bool) {
	if model.UnitSeconds(c.Unit) <= 1 {
		return model.Column{}, false
	}
	c.Name, c.Alias, c.Unit, c.Doc = c.Name+secondsSuffix, "", "s", c.Name+" in seconds: "+c.Doc
	c.Type = model.TypeFloat
	return c, true
}

// secondsOf converts a number in a unit of time to seconds; null stays null.
func secondsOf(v model.Value, unit string) model.Value {
	x, ok := v.Number()
	if !ok {
		return model.NullValue(model.TypeFloat)
	}
	return model.FloatValue(x * float64(model.UnitSeconds(unit)))
}

// checkReserved returns an error if a model uses a name that the dataset reserves.
func checkReserved(m *model.Model) error {
	for i, table := range m.Tables {
		if i > 0 && slices.Contains(append(Folders(), TablesFolder, FiguresFolder), table.Name) {
			return fmt.Errorf("model %s: a table cannot have the reserved name %s", m.Name, table.Name)
		}
		columns := longColumns(table)
		if i == 0 {
			columns = runsColumns(m)
		}
		seen := map[string]bool{}
		for _, c := range columns {
			for _, name := range []string{c.Name, c.Alias} {
				if name != "" && seen[name] {
					return fmt.Errorf("model %s: table %s cannot use the reserved name %s", m.Name, table.Name, name)
				}
				seen[name] = true
			}
		}
	}
	return nil
}

// columnInfo describes a column in the metadata of a file.
type columnInfo struct {
	Type   string `json:"kind"`
	Unit   string `json:"unit,omitempty"`
	Doc    string `json:"doc,omitempty"`
	Symbol string `json:"symbol,omitempty"`
	Alias  string `json:"alias,omitempty"`

	Levels []string `json:"levels,omitempty"`
}

// describe returns the columns as a JSON object: name to columnInfo.
func describe(columns []model.Column) string {
	infos := make(map[string]columnInfo, len(columns))
	for _, c := range columns {
		infos[c.Name] = columnInfo{c.Type.String(), c.Unit, c.Doc, c.Symbol, c.Alias, c.Levels}
	}
	return mustJSON(infos)
}

// orderedGroup is a Parquet group that keeps the order of its fields; parquet.Group sorts them by
// name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

func (g orderedGroup) Fields() []parquet.Field { return g.fields }

type groupField struct {
	parquet.Node
	name string
}

func (f groupField) Name() string { return f.name }

// Value is called only for rows that are Go structs; ours are slices of Parquet values.
func (f groupField) Value(reflect.Value) reflect.Value { panic("results: rows are not structs") }

// parquetSchema returns the schema of a file with the columns. It depends on them alone, not on
// values.
func parquetSchema(columns []model.Column) *parquet.Schema {
	group := orderedGroup{fields: make([]parquet.Field, len(columns))}
	for i, c := range columns {
		node := leafOf(c.Type)
		switch {
		case c.Type != model.TypeString: // without a dictionary
		case c.Name == runIDColumn: // in runs all differ, so a dictionary only costs space
			node = parquet.Encoded(node, &parquet.Plain)
		case c.Levels != nil:
			node = parquet.Encoded(parquet.Leaf(levelsType{node.Type(), c.Levels}), &parquet.RLEDictionary)
		default:
			node = parquet.Encoded(node, &parquet.RLEDictionary)
		}
		if c.Nullable {
			node = parquet.Optional(node)
		}
		group.fields[i] = groupField{parquet.Compressed(node, &codec), c.Name}
	}
	return parquet.NewSchema("row", group)
}

// leafOf returns the node of the values of a type.
func leafOf(t model.Type) parquet.Node {
	switch t {
	case model.TypeBool:
		return parquet.Leaf(parquet.BooleanType)
	case model.TypeFloat:
		return parquet.Leaf(parquet.DoubleType)
	case model.TypeString:
		return parquet.String()
	default:
		return parquet.Leaf(parquet.Int64Type)
	}
}
