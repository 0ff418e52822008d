// Tables: the tables and columns of a study's outcome, read from tags, and their rows.

package model

import (
	"fmt"
	"iter"
	"math"
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
	// such as "%", "s", "1/min", of a count "{job}"; of a pure number empty, but "1" of a parameter
	Unit   string
	Doc    string // what it is, with the equation it comes from or where the paper leaves it open
	Symbol string // the paper's symbol
	// second name in cells.parquet where Name is a keyword of notebooks, see KeywordOf; or empty
	Alias string
	// as written in the tag: "(0,)" or "[0,1]", of a parameter also "a|b|c"; empty admits every
	// value of the type
	Range    string
	Key      bool     // a dimension of a long table
	Nullable bool     // may be undefined in some runs
	Levels   []string // of a factor's column in cells.parquet: its labels in order; else nil

	field  int
	limits limits // of numbers
}

// AxisUnit returns the unit as axes and messages show it: none of a pure number or a count, whose
// names say what they are.
func (c Column) AxisUnit() string {
	if c.Unit == "1" || strings.HasPrefix(c.Unit, "{") {
		return ""
	}
	return c.Unit
}

// Most returns the largest number in the column's range; infinity where the range has no end.
func (c Column) Most() float64 {
	if !c.limits.hasHigh {
		return math.Inf(1)
	}
	return c.limits.high
}

// Contains reports whether a number is in the column's range.
func (c Column) Contains(x float64) bool { return c.limits.contain(x) }

// Meaning returns what the column is, and its alias.
func (c Column) Meaning() string {
	if c.Alias == "" {
		return c.Doc
	}
	return c.Doc + " (in cells.parquet also " + c.Alias + ")"
}

// RunsTable is the name of the table with one row a run.
const RunsTable = "runs"

// TimingsTable is the name of the table of wall-clock times, which every study has too. It does not
// belong to an outcome.
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

// Lazy reports whether iterators make some of the rows, used or not. They may hold all memory of
// the run, so write or drop such an outcome before anything else.
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
func tablesOf(t reflect.Type) ([]Table, error) {
	fields, err := fieldsOf(t)
	if err != nil {
		return nil, err
	}
	var metrics []specField
	var long []Table
	for _, field := range fields {
		tag, isTable := field.Tag.Lookup("table")
		if !isTable {
			metrics = append(metrics, field)
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		row, lazy := rowOf(field.Type)
		if row == nil || row.Kind() != reflect.Struct {
			return nil, field.wrongf("is the table %q and of type %s: write a slice or an iter.Seq of structs", name, field.Type)
		}
		table := Table{Name: name, Doc: field.doc, Optional: option == "optional", Lazy: lazy, field: field.Index[0]}
		columns, err := fieldsOf(row)
		if err != nil {
			return nil, err
		}
		if table.Columns, err = columnsOf(columns); err != nil {
			return nil, err
		}
		long = append(long, table)
	}
	runs := Table{Name: RunsTable, Doc: "one row for each run", field: -1}
	if runs.Columns, err = columnsOf(metrics); err != nil {
		return nil, err
	}
	return append([]Table{runs}, long...), nil
}

// Doc is the type of blank fields in the structs of a [Spec]: their doc tags continue that of the
// field above, so that lines stay short.
type Doc struct{}

// specField is a field of a struct of a Spec with its whole doc.
type specField struct {
	reflect.StructField
	of  reflect.Type // the struct
	doc string
}

// wrongf returns the error of a field that a Spec cannot have.
func (f specField) wrongf(format string, args ...any) error {
	return fmt.Errorf("field %s of %s "+format, append([]any{f.Name, f.of}, args...)...)
}

// fieldsOf returns the fields of a struct of a Spec, each with the doc of the blank ones below it.
func fieldsOf(t reflect.Type) ([]specField, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is no struct, which parameters and outcomes are", t)
	}
	var fields []specField
	for i := range t.NumField() {
		f, last := t.Field(i), len(fields)-1
		switch doc := f.Tag.Get("doc"); {
		case f.Name != "_":
			fields = append(fields, specField{f, t, doc})
		case last < 0:
			return nil, fmt.Errorf("the first field of %s is blank: a blank field continues the doc of the one above", t)
		default:
			fields[last].doc = strings.TrimPrefix(fields[last].doc+" "+doc, " ")
		}
	}
	return fields, nil
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

func columnsOf(fields []specField) ([]Column, error) {
	columns := make([]Column, len(fields))
	for i, field := range fields {
		var err error
		if columns[i], err = columnOf(field); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

func columnOf(field specField) (Column, error) {
	typ, null := typeOf(field.Type)
	name := field.Tag.Get("name")
	switch {
	case !field.IsExported():
		return Column{}, field.wrongf("is not exported: begin its name with a capital letter")
	case typ == 0:
		return Column{}, field.wrongf("is of type %s: write bool, int64, float64, string or model.Seconds, or in an "+
			"outcome a pointer to one of these", field.Type)
	case name == "":
		return Column{}, field.wrongf("has no name in its tag `%s`: write name:%q there", field.Tag,
			strings.ToLower(field.Name))
	}
	_, key := field.Tag.Lookup("key")
	c := Column{
		Name: name, Type: typ, Unit: field.Tag.Get("unit"), Doc: field.doc, Symbol: field.Tag.Get("symbol"),
		Alias: field.Tag.Get("alias"), Range: field.Tag.Get("range"), Key: key, Nullable: null, field: field.Index[0],
	}
	if typ == TypeSeconds {
		c.Unit = "s"
	}
	if typ == TypeString {
		return c, nil
	}
	var isInterval bool
	if c.limits, isInterval = parseLimits(c.Range, c.AxisUnit()); !isInterval {
		return Column{}, field.wrongf("has range:%q: write an interval, such as [0,1], (0,1] or [1,)", c.Range)
	}
	return c, nil
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
