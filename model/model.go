// Package model is the contract between a study's simulation and everything that plans, runs,
// stores and analyses it. A study is a [Spec]: a literal whose fields are data and one pure
// function from parameters and a seed to an outcome. [New] hides its two types once; from there on
// every study is a *[Model].
//
// Nothing below this package opens a file, reads a clock, starts a goroutine or keeps a global: a
// run is a function of its point, its seed and the model's version, and gives the same rows on
// every machine. Products that are added are written float64(a*b) + c, so that no processor fuses
// the two operations.
package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"

	"gridsweep/model/rng"
)

// Spec is what the author of a study writes.
//
// P is the parameters, a flat struct of bool, int64, float64, string and Seconds fields with the
// tags name, alias, unit, range, doc and symbol. The unit of a pure number is "1", that of a count
// is such as "{job}". A [Doc] below a field continues its doc.
//
// O is the row of the table "runs", a flat struct of the same types, or of pointers to them where a
// metric may be undefined. The tag range of a column, such as "[0,1]", bounds intervals and
// published numbers; alias gives it a second name in cells.parquet, see KeywordOf.
//
// A slice of flat structs in O, tagged table:"jobs" or table:"jobs,optional", is a long table; its
// fields tagged key:"" tell the rows of a run apart. For very many rows it may be an iter.Seq. Its
// rows are made while they are written: at most once, on the goroutine of the run, and never for an
// optional table that is not written. It may use what the run left, such as its jobs and schedule,
// but not the Env. Each such run gets files of its own, so small tables are better slices.
type Spec[P, O any] struct {
	Name    string // of the model, as study files write it
	Title   string // one line for people
	Paper   string // citation, with a DOI or URL
	Version int    // raised when equal parameters and seed give another outcome

	Defaults P
	// Validate reports what is wrong between the parameters of a point; each one's own range is
	// checked from its tag.
	Validate func(P) []Problem
	// Traces returns the names in the catalogue of the traces that a run of the point reads where
	// its parameter trace is not model; it must accept points that Validate refuses. Nil where the
	// model reads none; else P has that parameter, see TraceParameter.
	Traces func(P) []string
	// Workload returns the name of the workload model that a run of the point uses where it reads
	// no trace, so that the run's id and row name it; it must accept points that Validate refuses.
	// Nil where a model has one workload model only.
	Workload func(P) string
	// Program is the name of a string parameter, without a range, that may name a scheduler's
	// program, as exec:FILE with arguments. Its value is resolved when a plan is made: the run's id
	// and row have the reference exec:NAME@sha256:HEX, with the arguments, and a simulation calls
	// Env.Program with it. Empty where the model runs no programs.
	Program string
	// Check returns how many jobs of its traces a run of the point leaves out, 0 if it reads none,
	// as LeftOutColumn has it. It returns an error where a run in one of the replications must fail
	// for what its traces hold: a Problem names the parameter that has to change, any other error
	// is about the trace itself. Check is called once for a point, before any run, with the
	// environment of replication 0. What it computes from a trace belongs into Memo, since many
	// points share it. Nil where Validate suffices.
	Check func(ctx context.Context, point P, replications int, env Env) (leftOut int64, err error)
	// Cost is the expected work of a run relative to others of the study. It balances shards and
	// estimates the time left.
	Cost func(P) float64
	// Canonical sets the parameters that have no effect in a point to values that depend on the
	// others alone, such as the local policy under a strategy that queues no job locally. Runs of a
	// replication have equal outcomes if their canonical parameters are equal: one simulation
	// serves them. Nil where each parameter has an effect in each point.
	Canonical func(P) P
	// Simulate runs one point. It is pure: all it may use is the point and env.
	Simulate func(ctx context.Context, point P, env Env) (O, error)

	// Source is the source of a model of another module, as embedded in its program: every file
	// counts but tests, so that rows of other code are recognised. Where it is nil for such a
	// model, only Version is compared.
	Source fs.FS
}

// Problem is one thing wrong with a point: the parameter it is about and what would be right.
type Problem struct {
	Field string // name of the parameter
	Text  string
}

// Error returns the text, without the parameter.
func (p Problem) Error() string { return p.Text }

// Problems collects what is wrong with a point.
type Problems []Problem

// Report adds a problem with a parameter.
func (p *Problems) Report(field, format string, args ...any) {
	p.Add(field, fmt.Errorf(format, args...))
}

// Add adds an error, unless it is nil, as a problem with a parameter.
func (p *Problems) Add(field string, err error) {
	if err != nil {
		*p = append(*p, Problem{Field: field, Text: err.Error()})
	}
}

// Model is a study as the rest of the program sees it. Make one with New. No function but Check is
// nil. Nothing may change it, so that it is safe for concurrent use.
type Model struct {
	Name, Title, Paper string
	Version            int
	Parameters         []Parameter
	Tables             []Table // Tables[0] is runs

	// Validate returns everything wrong with a point whose values are each in range; nil when it
	// can be run.
	Validate func(Point) []Problem
	// ReadsTraces reports whether there are points that read traces. The model then has the
	// parameter TraceParameter.
	ReadsTraces bool
	// Traces returns the names of the traces that a run of the point reads unless its parameter
	// trace is model; none for a model that reads no traces.
	Traces func(Point) []string
	// Workload returns the value of the parameter trace of a run of the point that reads no trace:
	// TraceModel, with the name of the workload model where the model has several.
	Workload func(Point) string
	// Program is the index of the parameter that may name a program, see Spec.Program, or -1.
	Program int
	// Check returns how many jobs of their traces runs of the point leave out, and an error where
	// runs in one of the replications must fail for what the traces hold, see Spec.Check. It is
	// meant for points that Validate accepts. Nil where Spec.Check is.
	Check func(ctx context.Context, point Point, replications int, env Env) (leftOut int64, err error)
	// Cost returns the expected work of a run of the point, in the model's own unit.
	Cost func(Point) float64
	// Canonical returns the canonical parameters of the point, which can be compared: runs of
	// points with equal ones have equal outcomes in a replication, see Spec.Canonical. It returns
	// nil if each parameter has an effect.
	Canonical func(Point) any
	// Simulate runs the point. Equal points, seeds and versions give equal outcomes.
	Simulate func(context.Context, Point, Env) (Outcome, error)

	err    error  // see CheckSpecs
	pkg    string // import path of the parameters' package
	source fs.FS  // nil for models of this module
}

// Point is one setting of all parameters: the values in the order of Model.Parameters.
type Point []Value

// New makes the Model of a study. If the spec breaks the rules of Spec, CheckSpecs and making a
// plan return the error; the model must not be used otherwise.
func New[P, O any](spec Spec[P, O]) *Model {
	m := &Model{
		Name: spec.Name, Title: spec.Title, Paper: spec.Paper, Version: spec.Version,
		pkg:    reflect.TypeFor[P]().PkgPath(),
		source: spec.Source,
	}
	if err := read(m, spec); err != nil {
		m.err = fmt.Errorf("model %s: %w", spec.Name, err)
	}
	decode := func(point Point) P {
		var p P
		fields := reflect.ValueOf(&p).Elem()
		for i, v := range point {
			setField(fields.Field(m.Parameters[i].field), v)
		}
		return p
	}
	m.Validate = func(point Point) []Problem { return spec.Validate(decode(point)) }
	m.Traces = func(Point) []string { return nil }
	if m.ReadsTraces = spec.Traces != nil; m.ReadsTraces {
		m.Traces = func(point Point) []string { return spec.Traces(decode(point)) }
	}
	m.Workload = func(Point) string { return TraceModel }
	if spec.Workload != nil {
		m.Workload = func(point Point) string { return WorkloadTrace(spec.Workload(decode(point))) }
	}
	m.Program = m.Parameter(spec.Program)
	if spec.Check != nil {
		m.Check = func(ctx context.Context, point Point, replications int, env Env) (int64, error) {
			return spec.Check(ctx, decode(point), replications, env)
		}
	}
	m.Cost = func(point Point) float64 { return spec.Cost(decode(point)) }
	m.Canonical = func(Point) any { return nil }
	if spec.Canonical != nil {
		m.Canonical = func(point Point) any { return spec.Canonical(decode(point)) }
	}
	m.Simulate = func(ctx context.Context, point Point, env Env) (Outcome, error) {
		outcome, err := spec.Simulate(ctx, decode(point), env)
		return Outcome{tables: m.Tables, value: reflect.ValueOf(outcome)}, err
	}
	return m
}

// read sets the parameters and tables of a model. It returns an error for a spec that breaks the
// rules of Spec.
func read[P, O any](m *Model, spec Spec[P, O]) (err error) {
	if m.Parameters, err = parametersOf(reflect.ValueOf(spec.Defaults)); err != nil {
		return err
	}
	if m.Tables, err = tablesOf(reflect.TypeFor[O]()); err != nil {
		return err
	}
	if spec.Program != "" && m.Parameter(spec.Program) < 0 {
		return fmt.Errorf("Program is %q, and it has no parameter of this name", spec.Program)
	}
	if spec.Traces != nil {
		if err := m.checkTraceParameter(); err != nil {
			return err
		}
	}
	for _, required := range []struct {
		name  string
		isSet bool
	}{
		{"Name", spec.Name != ""}, {"Validate", spec.Validate != nil}, {"Cost", spec.Cost != nil},
		{"Simulate", spec.Simulate != nil},
	} {
		if !required.isSet {
			return fmt.Errorf("%s of its Spec is not set", required.name)
		}
	}
	return m.checkNames()
}

// CheckSpecs returns an error for a model whose spec breaks the rules of Spec, and for two models
// with the same name: studies, runs and seeds of one would be those of the other.
func CheckSpecs(models ...*Model) error {
	byName := map[string]*Model{}
	for _, m := range models {
		if m.err != nil {
			return m.err
		}
		if other, taken := byName[m.Name]; taken {
			return fmt.Errorf("the models of packages %s and %s have the same name, %q: give one of them another in its Spec",
				other.pkg, m.pkg, m.Name)
		}
		byName[m.Name] = m
	}
	return nil
}

// checkNames returns an error where a name or alias is used twice in one row of a table, names
// NAME_s of columns in seconds among them, and for an alias that is a keyword or that no file would
// have.
func (m *Model) checkNames() error {
	for i, table := range m.Tables {
		columns, note := table.Columns, ""
		if i == 0 {
			columns, note = m.RunsColumns(), ", which has the parameters, too"
		}
		seen := map[string]bool{}
		for _, c := range columns {
			switch {
			case seen[c.Name]:
				return fmt.Errorf("two columns of the table %s have the name %q%s: write another", table.Name, c.Name, note)
			case seen[c.Alias] || c.Name == c.Alias:
				return fmt.Errorf("the alias %q of the column %s is a name already: write another", c.Alias, c.Name)
			case c.Alias != "" && i > 0:
				return fmt.Errorf("the column %s of the table %s has an alias, which only columns of runs have", c.Name,
					table.Name)
			case KeywordOf(c.Alias) != "":
				return fmt.Errorf("the alias %q of the column %s is a keyword of %s: write another", c.Alias, c.Name,
					KeywordOf(c.Alias))
			}
			seen[c.Name], seen[c.Alias] = true, c.Alias != "" // seen[""] stays false
		}
		for _, c := range columns {
			if UnitSeconds(c.Unit) > 1 && seen[c.Name+"_s"] {
				return fmt.Errorf("the column %s_s of the table %s has the name of %[1]s in seconds in Parquet files: "+
					"write another", c.Name, table.Name)
			}
		}
	}
	return nil
}

// RunsColumns returns the columns of the table runs that the model declares: its parameters, then
// its metrics.
func (m *Model) RunsColumns() []Column {
	columns := make([]Column, 0, len(m.Parameters)+len(m.Tables[0].Columns))
	for _, p := range m.Parameters {
		columns = append(columns, p.Column)
	}
	return append(columns, m.Tables[0].Columns...)
}

// Parameter returns the index of the named parameter, or -1.
func (m *Model) Parameter(name string) int {
	return slices.IndexFunc(m.Parameters, func(p Parameter) bool { return p.Name == name })
}

// Table returns the index of the named table, or -1.
func (m *Model) Table(name string) int {
	return slices.IndexFunc(m.Tables, func(t Table) bool { return t.Name == name })
}

// Defaults returns a new point with every parameter at its default.
func (m *Model) Defaults() Point {
	point := make(Point, len(m.Parameters))
	for i, p := range m.Parameters {
		point[i] = p.Default
	}
	return point
}

// Env returns the environment of a replication. The seed depends on the model, the study's seed and
// the replication alone, so all points of a replication meet the same random numbers (common random
// numbers). A nil host keeps and measures nothing, and opens no trace or program.
func (m *Model) Env(seed int64, replication int, host Host) Env {
	common := rng.New("gridsweep/" + m.Name + "/" + strconv.FormatInt(seed, 10))
	own := common.Child("round " + strconv.Itoa(replication))
	return Env{Seed: own, Replication: replication, common: common, host: host}
}

// RunID returns the name of a run: 32 hexadecimal digits of a hash of what can change its outcome,
// which is the model and its version, the values of the parameters, the seed and the replication.
// The parameter trace holds the checksums of the traces it reads.
func (m *Model) RunID(point Point, seed int64, replication int) string {
	text := make([]byte, 0, 512)
	text = fmt.Appendf(text, "%s\x00%d\x00%d\x00%d\x00", m.Name, m.Version, seed, replication)
	for i, p := range m.Parameters {
		text = append(text, p.Name...)
		text = append(text, '=')
		text = append(text, point[i].String()...)
		text = append(text, 0)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
