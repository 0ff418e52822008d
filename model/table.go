package model

// Tables: the tables and columns of a study's outcome, read from tags, and their rows.

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
)

// Table describes one table of a study's outcome. Every study has "runs", one row a run; a long
// table has any number of rows a run, told apart by its key columns.
type Table struct {
	Name     string
	Doc      string
	Optional bool // written on request only
	Columns  []Column
	Lazy     bool // an iterator makes its rows while they are written

	field int // of the outcome struct; -1 for runs
}

// Column describes one column of a table.
type Column struct {
	Name string
	Type Type
	// such as "%", "s", "1/min"; empty for a name or a pure number, for which a parameter has "1",
	// and "{job}" for a count
	Unit   string
	Doc    string // what it is, with the equation it comes from or where the paper leaves it open
	Symbol string // the paper's symbol
	// second name in cells.parquet where Name is a keyword of notebooks, see KeywordOf; or empty
	Alias    string
	Key      bool     // a dimension of a long table
	Nullable bool     // may be undefined in some runs
	Levels   []string // of texts that have an order: the texts, ascending; nil for others

	field int
}

// Meaning returns what the column is, and its alias.
func (c Column) Meaning() string {
	if c.Alias == "" {
		return c.Doc
	}
	return c.Doc + " (in cells.parquet also " + c.Alias + ")"
}

// RunsTable is the name of the table with one row a run.
const RunsTable = "runs"

// TimingsTable is the name of the table of wall-clock times, which every study has too. It
// does not belong to an outcome.
const TimingsTable = "timings"

// Outcome is what one run produced: the rows of every table of its model, or for some of them what
// makes the rows.
type Outcome struct {
	tables []Table
	value  reflect.Value
}

// Rows yields the rows of the model's i-th table, each with one Value a column. The slice is
// reused: take what is needed before the next row. The rows of a lazy table are made now, and can
// be made once.
func (o Outcome) Rows(i int) iter.Seq[[]Value] {
	table := o.tables[i]
	return func(yield func([]Value) bool) {
		row := make([]Value, len(table.Columns))
		read := func(record reflect.Value) bool {
			for c, column := range table.Columns {
				row[c] = valueOf(record.Field(column.field))
			}
			return yield(row)
		}
		if table.field < 0 {
			read(o.value)
			return
		}
		records := o.value.Field(table.field)
		if table.Lazy {
			if !records.IsNil() {
				records.Seq()(read)
			}
			return
		}
		for r := range records.Len() {
			if !read(records.Index(r)) {
				return
			}
		}
	}
}

// Lazy reports whether some rows are still to be made. Their iterator may hold all memory of the
// run, so write or drop such an outcome before anything else.
func (o Outcome) Lazy() bool {
	return slices.ContainsFunc(o.tables, func(t Table) bool { return t.Lazy && !o.value.Field(t.field).IsNil() })
}

// Values returns the number of values in the rows of the outcome that are in memory, so without
// lazy tables.
func (o Outcome) Values() int {
	values := 0
	for _, table := range o.tables {
		switch {
		case table.field < 0:
			values += len(table.Columns)
		case !table.Lazy:
			values += o.value.Field(table.field).Len() * len(table.Columns)
		}
	}
	return values
}

// Without returns the outcome with no rows in the model's i-th table, a long one, and holds nothing
// for them.
func (o Outcome) Without(i int) Outcome {
	value := reflect.New(o.value.Type()).Elem()
	value.Set(o.value)
	value.Field(o.tables[i].field).SetZero()
	return Outcome{tables: o.tables, value: value}
}

// tablesOf reads the tables of a study from the tags of its outcome struct; runs comes first.
func tablesOf(t reflect.Type) []Table {
	runs := Table{Name: RunsTable, Doc: "one row for each run", field: -1}
	var long []Table
	for _, field := range fieldsOf(t) {
		tag, isTable := field.Tag.Lookup("table")
		if !isTable {
			runs.Columns = append(runs.Columns, columnOf(t, field))
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		row, lazy := rowOf(field.Type)
		if row == nil || row.Kind() != reflect.Struct {
			panic(fmt.Sprintf("model: table %s.%s must be a slice or an iter.Seq of structs", t, field.Name))
		}
		table := Table{Name: name, Doc: field.doc, Optional: option == "optional", Lazy: lazy, field: field.Index[0]}
		for _, column := range fieldsOf(row) {
			table.Columns = append(table.Columns, columnOf(row, column))
		}
		long = append(long, table)
	}
	return append([]Table{runs}, long...)
}

// Doc is the type of blank fields in the structs of a [Spec]: their doc tags continue that of the
// field above, so that lines stay short.
type Doc struct{}

// specField is a field of a struct of a Spec with its whole doc.
type specField struct {
	reflect.StructField
	doc string
}

// fieldsOf returns the fields of a struct of a Spec, each with the doc of the blank ones below it.
func fieldsOf(t reflect.Type) []specField {
	var fields []specField
	for i := range t.NumField() {
		f, last := t.Field(i), len(fields)-1
		if doc := f.Tag.Get("doc"); f.Name != "_" {
			fields = append(fields, specField{f, doc})
		} else {
			fields[last].doc = strings.TrimPrefix(fields[last].doc+" "+doc, " ")
		}
	}
	return fields
}

// rowOf returns the type of the rows of a long table and whether an iterator makes them; nil for a
// field that is none.
func rowOf(t reflect.Type) (row reflect.Type, lazy bool) {
	switch {
	case t.Kind() == reflect.Slice:
		return t.Elem(), false
	case t.Kind() == reflect.Func && t.CanSeq():
		return t.In(0).In(0), true // of func(yield func(row) bool)
	default:
		return nil, false
	}
}

func columnOf(t reflect.Type, field specField) Column {
	typ, null := typeOf(field.Type)
	name := field.Tag.Get("name")
	if typ == 0 || name == "" {
		panic(fmt.Sprintf("model: field %s.%s needs a name tag and a plain type", t, field.Name))
	}
	_, key := field.Tag.Lookup("key")
	c := Column{
		Name: name, Type: typ, Unit: field.Tag.Get("unit"), Doc: field.doc, Symbol: field.Tag.Get("symbol"),
		Alias: field.Tag.Get("alias"), Key: key, Nullable: null, field: field.Index[0],
	}
	if typ == TypeSeconds {
		c.Unit = "s"
	}
	return c
}

var secondsType = reflect.TypeFor[Seconds]()

// typesOf are the types of values by the kinds of fields, but for those of secondsType.
var typesOf = map[reflect.Kind]Type{
	reflect.Bool: TypeBool, reflect.Int64: TypeInt, reflect.Float64: TypeFloat, reflect.String: TypeString,
}

// typeOf returns the type of a field's values and whether it may be undefined; 0 for a type no
// study may use.
func typeOf(t reflect.Type) (typ Type, null bool) {
	if t.Kind() == reflect.Pointer {
		t, null = t.Elem(), true
	}
	if t == secondsType {
		return TypeSeconds, null
	}
	return typesOf[t.Kind()], null
}

func valueOf(field reflect.Value) Value {
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			typ, _ := typeOf(field.Type())
			return NullValue(typ)
		}
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.Bool:
		return BoolValue(field.Bool())
	case reflect.Float64:
		return FloatValue(field.Float())
	case reflect.String:
		return StringValue(field.String())
	default:
		if field.Type() == secondsType {
			return SecondsValue(Seconds(field.Int()))
		}
		return IntValue(field.Int())
	}
}

func setField(field reflect.Value, v Value) {
	switch v.Type() {
	case TypeBool:
		field.SetBool(v.Bool())
	case TypeFloat:
		field.SetFloat(v.Float())
	case TypeString:
		field.SetString(v.Text())
	default:
		field.SetInt(v.Int())
	}
}
