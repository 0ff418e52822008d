package cli

// Output of show as JSON and CSV.

import (
	"strings"

	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// studyRecord is what show prints of a study, as JSON.
type studyRecord struct {
	Study       string             `json:"study"`
	Title       string             `json:"title"`
	Model       string             `json:"model"`
	Paper       string             `json:"paper"` // citation
	Parameters  []columnRecord     `json:"parameters"`
	Tables      []tableRecord      `json:"tables"`
	Factors     []factorRecord     `json:"factors"`
	Experiments []experimentRecord `json:"experiments"`
	Claims      []statementRecord  `json:"claims"`
	Unjudged    []statementRecord  `json:"statements_without_verdict"`
}

// columnRecord is a parameter or a column of a table of the dataset.
type columnRecord struct {
	Name    string  `json:"name"`
	Type    string  `json:"kind"`
	Unit    string  `json:"unit"`
	Range   string  `json:"range,omitempty"`   // of a parameter
	Default *string `json:"default,omitempty"` // of a parameter
	Alias   string  `json:"alias,omitempty"`
	Doc     string  `json:"doc"`
}

type tableRecord struct {
	Name    string         `json:"name"`
	Columns []columnRecord `json:"columns"`
}

type factorRecord struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

type experimentRecord struct {
	Name     string   `json:"name"`
	Varies   []string `json:"varies"`
	Fewest   int      `json:"fewest_rounds"` // replications of a cell
	Rounds   int      `json:"rounds"`        // the most of a cell
	Optional bool     `json:"optional"`
	Doc      string   `json:"doc"`
}

type statementRecord struct {
	Name   string `json:"name"`
	Doc    string `json:"statement"`
	Source string `json:"section"`
	Why    string `json:"why_not,omitempty"` // no verdict
}

func recordOf(s *study.Study) studyRecord {
	r := studyRecord{
		Study: s.Name, Title: s.Title, Model: s.Model.Name, Paper: s.Model.Paper,
		Factors: []factorRecord{}, Experiments: []experimentRecord{}, Claims: []statementRecord{},
		Unjudged: []statementRecord{},
	}
	for _, p := range s.Model.Parameters {
		column, value := columnOf(p.Column()), p.Default.String()
		column.Range, column.Default = p.Range, &value
		r.Parameters = append(r.Parameters, column)
	}
	for _, table := range s.Model.Tables {
		columns := []columnRecord{}
		for _, c := range table.Columns {
			columns = append(columns, columnOf(c))
		}
		r.Tables = append(r.Tables, tableRecord{table.Name, columns})
	}
	for _, f := range s.Factors {
		r.Factors = append(r.Factors, factorRecord{f.Name, factorLevels(f)})
	}
	for _, x := range s.Experiments {
		fewest, most := x.RangeOfRounds()
		r.Experiments = append(r.Experiments, experimentRecord{x.Name, variedBy(x), fewest, most, x.Optional, x.Doc})
	}
	for _, c := range s.Claims {
		r.Claims = append(r.Claims, statementRecord{c.Name, c.Doc, c.Source, ""})
	}
	for _, u := range s.Unjudged {
		r.Unjudged = append(r.Unjudged, statementRecord{u.Name, u.Doc, u.Source, u.Why})
	}
	return r
}

func columnOf(c model.Column) columnRecord {
	return columnRecord{Name: c.Name, Type: c.Type.String(), Unit: c.Unit, Alias: c.Alias, Doc: c.Doc}
}

// factorLevels returns the levels of a factor as the study file writes them.
func factorLevels(f study.Factor) []string {
	levels := []string{}
	for _, l := range f.Levels {
		levels = append(levels, l.Label.Text)
	}
	return levels
}

// variedBy returns the names of the factors that an experiment crosses.
func variedBy(x *study.Experiment) []string {
	varies := []string{}
	for _, crossed := range x.Crossed {
		varies = append(varies, crossed.Name)
	}
	return varies
}

// studyRows returns the parameters, columns, factors and so on of studies as rows of CSV; fields
// that one does not have are empty.
func studyRows(studies []studyRecord) [][]string {
	rows := [][]string{{
		"study", "part", "table", "name", "kind", "unit", "range", "default", "values", "section", "meaning",
	}}
	for _, r := range studies {
		add := func(what, table, name, typ, unit, limits, value, values, section, meaning string) {
			rows = append(rows, []string{r.Study, what, table, name, typ, unit, limits, value, values, section, meaning})
		}
		for _, p := range r.Parameters {
			add("parameter", "", p.Name, p.Type, p.Unit, p.Range, *p.Default, "", "", p.Doc)
		}
		for _, table := range r.Tables {
			for _, c := range table.Columns {
				add("column", table.Name, c.Name, c.Type, c.Unit, "", "", "", "", c.Doc)
			}
		}
		for _, f := range r.Factors {
			add("factor", "", f.Name, "", "", "", "", strings.Join(f.Levels, "; "), "", "")
		}
		for _, x := range r.Experiments {
			add("experiment", "", x.Name, "", "", "", "", strings.Join(x.Varies, "; "), "", x.Doc)
		}
		for _, c := range r.Claims {
			add("claim", "", c.Name, "", "", "", "", "", c.Source, c.Doc)
		}
		for _, u := range r.Unjudged {
			add("statement without a verdict", "", u.Name, "", "", "", "", "", u.Source, u.Doc)
		}
	}
	return rows
}
