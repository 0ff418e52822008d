// Tests of all models: names, units, citations and docs, aliases of keywords, defaults that can be
// run, costs, and problems that name parameters.

package studies

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"gridsweep/model"
)

// units are the units that parameters and columns may have, besides counts such as {job}. The list
// finds typing errors.
var units = []string{"", "1", "%", "s", "min", "h", "d", "mo", "1/s", "1/min", "1/h", "1000 s", "SU",
	"SU/(processor h)",
	"{cost}/(CPU s)", "MHz", "B", "MB"}

var (
	studyName  = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	columnName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	count      = regexp.MustCompile(`^\{[a-z ]+\}$`)
	citation   = regexp.MustCompile(`(19|20)[0-9]{2}\b.*(doi\.org/|10\.[0-9]{4,}/|https?://|ISBN )`)
)

func TestStudiesHaveDifferentNames(t *testing.T) {
	if err := model.CheckSpecs(All()...); err != nil {
		t.Error(err)
	}
}

// In cells.parquet every column has a name that needs no quotes in Python, SQL and R.
func TestKeywordsHaveAliases(t *testing.T) {
	for _, m := range All() {
		for _, c := range m.RunsColumns() {
			if language := model.KeywordOf(c.Name); language != "" && c.Alias == "" || language == "" && c.Alias != "" {
				t.Errorf("%s: column %s, alias %q: a keyword of Python, SQL or R has one, nothing else has", m.Name, c.Name,
					c.Alias)
			}
			if c.Alias != "" && !columnName.MatchString(c.Alias) {
				t.Errorf("%s: column %s has the alias %q", m.Name, c.Name, c.Alias)
			}
		}
	}
}

func TestStudiesAreDescribed(t *testing.T) {
	for _, m := range All() {
		t.Run(m.Name, func(t *testing.T) {
			if !studyName.MatchString(m.Name) || m.Title == "" || m.Version < 1 {
				t.Errorf("name %q, title %q, version %d", m.Name, m.Title, m.Version)
			}
			if !citation.MatchString(m.Paper) {
				t.Errorf("paper %q does not give a year and then a DOI, URL or ISBN", m.Paper)
			}
			for _, p := range m.Parameters {
				describe(t, "parameter "+p.Name, p.Name, p.Unit, p.Doc)
				isNumber := p.Type != model.TypeBool && p.Type != model.TypeString
				if isNumber == (p.Unit == "") {
					t.Errorf("parameter %s has the unit %q: a number has one, %q if it is a pure number; others have none", p.Name,
						p.Unit, "1")
				}
			}
			var tables []string
			for _, table := range m.Tables {
				if !studyName.MatchString(table.Name) || table.Doc == "" || slices.Contains(tables, table.Name) {
					t.Errorf("table %q (%q) needs a name of its own and a doc", table.Name, table.Doc)
				}
				tables = append(tables, table.Name)
				for _, c := range table.Columns {
					describe(t, "column "+table.Name+"."+c.Name, c.Name, c.Unit, c.Doc)
				}
				hasKey := slices.ContainsFunc(table.Columns, func(c model.Column) bool { return c.Key })
				if hasKey == (table.Name == model.RunsTable) {
					t.Errorf("table %s: long tables have key columns, runs has none", table.Name)
				}
			}
		})
	}
}

func describe(t *testing.T, what, name, unit, doc string) {
	t.Helper()
	if !columnName.MatchString(name) {
		t.Errorf("%s: the name is not in lower case with underscores", what)
	}
	if !slices.Contains(units, unit) && !count.MatchString(unit) {
		t.Errorf("%s: unit %q is none of %q: correct it, or add it to units in model/studies/studies_test.go", what, unit,
			units)
	}
	if doc == "" || strings.HasSuffix(doc, ".") || strings.ContainsAny(doc, "\n\t") {
		t.Errorf("%s: doc %q is not one phrase without a period", what, doc)
	}
}

func TestDefaultsCanBeRun(t *testing.T) {
	for _, m := range All() {
		t.Run(m.Name, func(t *testing.T) {
			if problems := m.Validate(m.Defaults()); len(problems) > 0 {
				t.Errorf("problems %v", problems)
			}
			for i, p := range m.Parameters {
				value, err := p.Parse(p.Default.String())
				if err != nil || value != m.Defaults()[i] {
					t.Errorf("default %q of %s reads back as %v, %v", p.Default, p.Name, value, err)
				}
			}
		})
	}
}

// The defaults have a cost, and so has every choice of every parameter.
func TestCostIsPositive(t *testing.T) {
	for _, m := range All() {
		t.Run(m.Name, func(t *testing.T) {
			if cost := m.Cost(m.Defaults()); !(cost > 0) {
				t.Errorf("defaults cost %v", cost)
			}
			for i, p := range m.Parameters {
				for _, choice := range p.Choices() {
					point := m.Defaults()
					point[i] = model.StringValue(choice)
					if cost := m.Cost(point); !(cost > 0) {
						t.Errorf("%s=%s costs %v", p.Name, choice, cost)
					}
				}
			}
		})
	}
}

// Problems name parameters that exist, so that each can be shown with its line.
func TestProblemsNameParameters(t *testing.T) {
	for _, m := range All() {
		t.Run(m.Name, func(t *testing.T) {
			for i, p := range m.Parameters {
				for _, text := range []string{"1", "2", "100", "1s", "1d", "true"} {
					value, err := p.Parse(text)
					if err != nil {
						continue
					}
					point := m.Defaults()
					point[i] = value
					for _, problem := range m.Validate(point) {
						if m.Parameter(problem.Field) < 0 || problem.Text == "" {
							t.Errorf("%s=%s: problem %+v names no parameter", p.Name, text, problem)
						}
					}
				}
			}
		})
	}
}
