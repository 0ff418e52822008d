// Model tests: a small spec with fields of every type, seen through Model: decoded points, rows of
// each table, ids of runs, and specs that break the rules.

package model

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// point has a parameter of every type, result a column of every type and two long tables.
type point struct {
	On    bool    `name:"on" doc:"a bool"`
	Count int64   `name:"count" range:"[0,100]" doc:"an int"`
	_     Doc     `doc:"of some kind"`
	Rate  float64 `name:"rate" unit:"1/s" range:"[0,10]" doc:"a float"`
	Rule  string  `name:"rule" range:"a|b|c" doc:"a string"`
	Delay Seconds `name:"delay" range:"[0,1e6]" doc:"a duration"`
}

type result struct {
	Busy  bool     `name:"busy"`
	Done  int64    `name:"done" symbol:"n"`
	Load  float64  `name:"load" unit:"%" doc:"the load"`
	Label string   `name:"label"`
	Wait  Seconds  `name:"wait"`
	Slow  *float64 `name:"slow"`
	Last  *Seconds `name:"last"`

	Jobs   []job           `table:"jobs" doc:"one row a job"`
	Events []event         `table:"events,optional"`
	Steps  iter.Seq[event] `table:"steps,optional"`
}

type job struct {
	ID    int64    `name:"id" key:""`
	Site  string   `name:"site" key:""`
	Wait  Seconds  `name:"wait"`
	Ratio *float64 `name:"ratio"`
}

type event struct {
	At Seconds `name:"at"`
}

var errTooMany = errors.New("too many")

func testSpec() Spec[point, result] {
	return Spec[point, result]{
		Name: "test", Title: "A test", Paper: "Nobody, 2026", Version: 3,
		Defaults: point{Count: 2, Rate: 0.5, Rule: "a", Delay: 60},
		Validate: func(p point) []Problem {
			if p.On && p.Count == 0 {
				return []Problem{{"count", "must be positive where on"}}
			}
			return nil
		},
		Cost: func(p point) float64 { return float64(p.Count) + p.Rate },
		Simulate: func(_ context.Context, p point, env Env) (result, error) {
			if p.Count > 50 {
				return result{}, errTooMany
			}
			s := env.Seed.Stream("x")
			r := result{Busy: p.On, Done: p.Count, Load: s.Float64(), Label: p.Rule, Wait: p.Delay}
			for i := range p.Count {
				half := float64(i) / 2
				r.Jobs = append(r.Jobs, job{ID: i, Site: "s", Wait: Seconds(i), Ratio: &half})
			}
			if p.Count > 0 {
				r.Jobs[0].Ratio = nil
				r.Slow, r.Last = new(float64), new(Seconds)
				r.Steps = func(yield func(event) bool) {
					for i := range p.Count {
						if !yield(event{Seconds(i)}) {
							return
						}
					}
				}
			}
			return r, nil
		},
	}
}

func TestModelShowsTheSpec(t *testing.T) {
	m := New(testSpec())
	if m.Name != "test" || m.Title != "A test" || m.Paper != "Nobody, 2026" || m.Version != 3 {
		t.Errorf("model is %+v", m)
	}
	if got := m.Defaults(); !reflect.DeepEqual(got, Point{
		BoolValue(false), IntValue(2), FloatValue(0.5), StringValue("a"), SecondsValue(60),
	}) {
		t.Errorf("defaults are %v", got)
	}
	for i, p := range m.Parameters {
		if m.Parameter(p.Name) != i {
			t.Errorf("Parameter(%s) = %d, want %d", p.Name, m.Parameter(p.Name), i)
		}
	}
	if m.Parameter("nothing") != -1 || m.Table("nothing") != -1 {
		t.Error("unknown names are found")
	}
	if m.Table("runs") != 0 || m.Table("jobs") != 1 || m.Table("events") != 2 {
		t.Errorf("tables are %v", m.Tables)
	}
	changed := m.Defaults()
	changed[0] = BoolValue(true)
	if m.Defaults()[0].Bool() {
		t.Error("changing a point of Defaults changes the model")
	}
}

func TestPointsReachTheSpecDecoded(t *testing.T) {
	m := New(testSpec())
	p := m.Defaults()
	if problems := m.Validate(p); problems != nil {
		t.Errorf("defaults have problems %v", problems)
	}
	p[0], p[1] = BoolValue(true), IntValue(0)
	if problems := m.Validate(p); len(problems) != 1 || problems[0].Field != "count" {
		t.Errorf("problems are %v, want one of count", problems)
	}
	p[1], p[2] = IntValue(7), FloatValue(0.25)
	if cost := m.Cost(p); cost != 7.25 {
		t.Errorf("cost is %v, want 7.25", cost)
	}
	p[1] = IntValue(51)
	if _, err := m.Simulate(t.Context(), p, m.Env(1, 0, nil)); !errors.Is(err, errTooMany) {
		t.Errorf("error is %v, want the simulation's", err)
	}
}

func TestOutcomeRows(t *testing.T) {
	m := New(testSpec())
	p := Point{BoolValue(true), IntValue(3), FloatValue(1), StringValue("c"), SecondsValue(90)}
	outcome, err := m.Simulate(t.Context(), p, m.Env(1, 0, nil))
	if err != nil {
		t.Fatal(err)
	}
	rows := func(i int) (rows []string) {
		for row := range outcome.Rows(i) {
			var texts []string
			for c, v := range row {
				column := m.Tables[i].Columns[c]
				if v.Type() != column.Type {
					t.Errorf("%s.%s is a %s, want a %s", m.Tables[i].Name, column.Name, v.Type(), column.Type)
				}
				texts = append(texts, v.String())
			}
			rows = append(rows, strings.Join(texts, " "))
		}
		return rows
	}
	load := FloatValue(m.Env(1, 0, nil).Seed.Stream("x").Float64()).String()
	if got, want := rows(0), []string{"true 3 " + load + " c 90s 0 0s"}; !reflect.DeepEqual(got, want) {
		t.Errorf("runs are %q, want %q", got, want)
	}
	if got, want := rows(1), []string{"0 s 0s ", "1 s 1s 0.5", "2 s 2s 1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("jobs are %q, want %q", got, want)
	}
	if got := rows(2); got != nil {
		t.Errorf("events are %q, want none", got)
	}
	if got, want := rows(3), []string{"0s", "1s", "2s"}; !reflect.DeepEqual(got, want) {
		t.Errorf("steps are %q, want %q", got, want)
	}
	for _, i := range []int{1, 3} {
		for range outcome.Rows(i) {
			break // the iterator must stop here
		}
	}
	if _, columns := m.Tables[1], m.Tables[0].Columns; !columns[5].Nullable || !columns[6].Nullable ||
		columns[4].Nullable {
		t.Error("pointers are the nullable columns")
	}
	if jobs := m.Tables[1]; jobs.Optional || jobs.Doc != "one row a job" || !jobs.Columns[0].Key || !jobs.Columns[1].Key ||
		jobs.Columns[2].Key || jobs.Columns[2].Unit != "s" {
		t.Errorf("table jobs is %+v", jobs)
	}
	if !m.Tables[2].Optional || !m.Tables[3].Optional || m.Tables[2].Lazy || !m.Tables[3].Lazy {
		t.Errorf("tables events and steps are %+v", m.Tables[2:])
	}
}

// Values counts without making rows; Without returns a copy that lacks the table, and leaves the
// outcome as it is.
func TestOutcomeWithoutATable(t *testing.T) {
	m := New(testSpec())
	p := m.Defaults()
	p[1] = IntValue(3)
	outcome, err := m.Simulate(t.Context(), p, m.Env(1, 0, nil))
	if err != nil {
		t.Fatal(err)
	}
	less := outcome.Without(1).Without(3)
	if !outcome.Lazy() || less.Lazy() {
		t.Errorf("lazy is %t, without steps %t, want true and false", outcome.Lazy(), less.Lazy())
	}
	if all, rest := outcome.Values(), less.Values(); all != 7+3*4 || rest != 7 {
		t.Errorf("%d values, without jobs and steps %d, want %d and 7", all, rest, 7+3*4)
	}
	for i, want := range []int{1, 0, 0, 0} {
		rows := 0
		for range less.Rows(i) {
			rows++
		}
		if rows != want {
			t.Errorf("%d rows in table %s, want %d", rows, m.Tables[i].Name, want)
		}
	}
	p[1] = IntValue(0)
	if none, err := m.Simulate(t.Context(), p, m.Env(1, 0, nil)); err != nil || none.Lazy() {
		t.Errorf("an iterator that is nil has rows to make; %v", err)
	}
}

func TestRunIDDependsOnWhatChangesTheOutcome(t *testing.T) {
	spec := testSpec()
	m := New(spec)
	base := m.RunID(m.Defaults(), 1, 0)
	if len(base) != 32 || strings.Trim(base, "0123456789abcdef") != "" {
		t.Errorf("id %q is not 32 hexadecimal digits", base)
	}
	seen := map[string]string{base: "defaults"}
	different := func(what, id string) {
		if other, found := seen[id]; found {
			t.Errorf("%s and %s have one id", what, other)
		}
		seen[id] = what
	}
	for i, v := range []Value{BoolValue(true), IntValue(3), FloatValue(0.25), StringValue("b"), SecondsValue(61)} {
		p := m.Defaults()
		p[i] = v
		different(m.Parameters[i].Name, m.RunID(p, 1, 0))
	}
	different("seed", m.RunID(m.Defaults(), 2, 0))
	different("replication", m.RunID(m.Defaults(), 1, 1))
	spec.Version++
	different("version", New(spec).RunID(m.Defaults(), 1, 0))
	spec.Version--
	spec.Name = "other"
	different("model", New(spec).RunID(m.Defaults(), 1, 0))

	spec = testSpec()
	spec.Title, spec.Paper, spec.Defaults.Count, spec.Cost = "Another", "Somebody", 50, nil
	if got := New(spec).RunID(m.Defaults(), 1, 0); got != base {
		t.Error("title, paper, default or cost of a model change the id of a run")
	}
}

// Two points have one id exactly when they are equal.
func TestRunIDsOfPoints(t *testing.T) {
	m := New(testSpec())
	drawn := rapid.Custom(func(t *rapid.T) Point {
		return Point{
			BoolValue(rapid.Bool().Draw(t, "on")), IntValue(rapid.Int64Range(0, 11).Draw(t, "count")),
			FloatValue(float64(rapid.IntRange(0, 11).Draw(t, "rate")) / 4),
			StringValue(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "rule")),
			SecondsValue(Seconds(rapid.Int64Range(0, 11).Draw(t, "delay"))),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn.Draw(t, "a"), drawn.Draw(t, "b")
		if reflect.DeepEqual(a, b) != (m.RunID(a, 1, 0) == m.RunID(b, 1, 0)) {
			t.Fatalf("ids of %v and %v are %s and %s", a, b, m.RunID(a, 1, 0), m.RunID(b, 1, 0))
		}
	})
}

// The error of a spec that breaks the rules names the field or column, and what would be right.
func TestSpecsThatBreakTheRules(t *testing.T) {
	type good struct {
		X int64 `name:"x"`
	}
	type row struct {
		X int64 `name:"y"`
	}
	type untagged struct{ X int64 }
	type spaced struct {
		Load float64 `nam:"x"`
	}
	type platform struct {
		X int `name:"x"`
	}
	type nullable struct {
		X *int64 `name:"x"`
	}
	type list struct {
		X []int64 `name:"x"`
	}
	type hidden struct {
		x int64 `name:"x"`
	}
	type blank struct {
		_ Doc   `doc:"above nothing"`
		X int64 `name:"x"`
	}
	type above struct {
		X int64 `name:"x" range:"[1,2]"`
	}
	type choice struct {
		X string `name:"x" range:"a|b"`
	}
	type dotted struct {
		X int64 `name:"x" range:"1..2"`
	}
	type twice struct {
		X int64 `name:"x"`
		Y int64 `name:"x"`
	}
	type keyword struct {
		X int64 `name:"lambda" alias:"next"`
	}
	type named struct {
		X int64 `name:"lambda" alias:"y"`
		Y int64 `name:"y"`
	}
	type aliased struct {
		X int64 `name:"lambda" alias:"rate"`
		Y int64 `name:"end" alias:"rate"`
	}
	type seconds struct {
		X int64 `name:"exec" unit:"h"`
		Y int64 `name:"exec_s" unit:"s"`
	}
	type long struct {
		T []struct {
			End int64 `name:"end" alias:"ended"`
		} `table:"t"`
	}
	type small struct {
		X uint8 `name:"x"`
	}
	type one struct {
		T row `table:"t"`
	}
	type numbers struct {
		T []int64 `table:"t"`
	}
	type sequence struct {
		T iter.Seq[int64] `table:"t"`
	}
	type pairs struct {
		T iter.Seq2[int64, string] `table:"t"`
	}
	type doubled struct {
		T []struct {
			A int64 `name:"a"`
			B int64 `name:"a"`
		} `table:"t"`
	}
	_ = hidden{}.x
	const types = ": write bool, int64, float64, string or model.Seconds, or in an outcome a pointer to one of these"
	same := func(name string) string {
		return "two columns of the table runs have the name \"" + name + "\", which has the parameters, too: write another"
	}
	const table = ": write a slice or an iter.Seq of structs"
	for _, c := range []struct {
		model *Model
		want  string
	}{
		{newOf[untagged, row](), "field X of model.untagged has no name in its tag ``: write name:\"x\" there"},
		{newOf[spaced, row](), "field Load of model.spaced has no name in its tag `nam:\"x\"`: write name:\"load\" there"},
		{newOf[platform, row](), "field X of model.platform is of type int" + types},
		{newOf[nullable, row](), "field X of model.nullable is a pointer, which parameters are not: write int64"},
		{newOf[list, row](), "field X of model.list is of type []int64" + types},
		{newOf[hidden, row](), "field x of model.hidden is not exported: begin its name with a capital letter"},
		{newOf[blank, row](), "the first field of model.blank is blank: a blank field continues the doc of the one above"},
		{newOf[int64, row](), "int64 is no struct, which parameters and outcomes are"},
		{newOf[above, row](), "field X of model.above has a wrong value in Defaults: 0 is outside the range [1, 2]"},
		{newOf[choice, row](), "field X of model.choice has a wrong value in Defaults: \"\" is not one of a, b"},
		{newOf[dotted, row](), "field X of model.dotted has range:\"1..2\": write an interval, such as [0,1], (0,1] or [1,)"},
		{newOf[twice, row](), same("x")},
		{newOf[good, keyword](), "the alias \"next\" of the column lambda is a keyword of R: write another"},
		{newOf[good, named](), same("y")},
		{newOf[good, aliased](), "the alias \"rate\" of the column end is a name already: write another"},
		{newOf[good, seconds](), "the column exec_s of the table runs has the name of exec in seconds in Parquet " +
			"files: write another"},
		{newOf[good, long](), "the column end of the table t has an alias, which only columns of runs have"},
		{newOf[good, untagged](), "field X of model.untagged has no name in its tag ``: write name:\"x\" there"},
		{newOf[good, small](), "field X of model.small is of type uint8" + types},
		{newOf[good, good](), same("x")},
		{newOf[good, one](), "field T of model.one is the table \"t\" and of type model.row" + table},
		{newOf[good, numbers](), "field T of model.numbers is the table \"t\" and of type []int64" + table},
		{newOf[good, sequence](), "field T of model.sequence is the table \"t\" and of type iter.Seq[int64]" + table},
		{newOf[good, pairs](), "field T of model.pairs is the table \"t\" and of type iter.Seq2[int64,string]" + table},
		{newOf[good, doubled](), "two columns of the table t have the name \"a\": write another"},
	} {
		if err := CheckSpecs(c.model); err == nil || err.Error() != "model bad: "+c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	if err := CheckSpecs(newOf[good, row]()); err != nil {
		t.Error(err) // without the faults above, the spec is right
	}
	lacking := New(Spec[good, row]{Name: "bad", Validate: func(good) []Problem { return nil }})
	if err := CheckSpecs(lacking); err == nil || err.Error() != "model bad: Cost of its Spec is not set" {
		t.Error(err)
	}
}

func newOf[P, O any]() *Model {
	return New(Spec[P, O]{
		Name: "bad", Validate: func(P) []Problem { return nil }, Cost: func(P) float64 { return 1 },
		Simulate: func(context.Context, P, Env) (O, error) { panic("never called") },
	})
}
