// Command show: the parameters, columns, factors, experiments and claims of a study.

package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/model"
	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps/study"
)

func newShow(t *terminal) *cobra.Command {
	var source bool
	var format string
	c := &cobra.Command{
		Use:   "show PAPER-or-STUDY...",
		Short: "Show a study: its parameters, columns, factors, experiments and claims",
		Long: `Show the content of a study. --source prints the study file itself, to read and to copy from: your own study
can have "extends: NAME" and the differences alone.`,
		Example: `  gridsweep show coallocation
  gridsweep show coallocation --source | less
  gridsweep show coallocation --format json | jq '.[].parameters[].name'`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			if source && c.Flags().Changed("format") {
				return usageErrorf("--source prints the study file as it is, so it does not go with --format")
			}
			var named []workspace.Named
			for _, name := range args {
				all, err := t.find(c.Context(), name)
				if err != nil {
					return usageError(err)
				}
				named = append(named, all...)
			}
			if source {
				return t.printSources(named)
			}
			bound, err := t.bind(c.Context(), named)
			if err != nil {
				return usageError(err)
			}
			return t.printStudies(bound, format)
		},
	}
	addFormat(c, &format)
	t.addStudies(c, new(string))
	c.Flags().BoolVar(&source, "source", false, "print the study file")
	return c
}

func (t *terminal) printSources(named []workspace.Named) error {
	for _, found := range named {
		if err := found.FormError(); err != nil {
			return usageError(err)
		}
		fmt.Fprintf(t.out, "%s", found.Config.Source)
	}
	return nil
}

// bind binds studies to their models.
func (t *terminal) bind(ctx context.Context, named []workspace.Named) ([]*study.Study, error) {
	var all []*study.Study
	for _, found := range named {
		if err := found.FormError(); err != nil {
			return nil, err
		}
		m, err := t.modelOf(found.Config)
		if err != nil {
			return nil, err
		}
		bound, problems := study.Bind(ctx, found.Config, m, study.Overrides{})
		if len(problems) > 0 {
			return nil, problems
		}
		all = append(all, bound)
	}
	return all, nil
}

func (t *terminal) printStudies(studies []*study.Study, format string) error {
	records := []studyRecord{}
	for _, s := range studies {
		records = append(records, recordOf(s))
	}
	return t.print(format, records, studyRows(records), func() {
		for _, s := range studies {
			t.describe(s)
		}
	})
}

// describe prints the content of a study.
func (t *terminal) describe(s *study.Study) {
	m := s.Model
	fmt.Fprintf(t.out, "%s: %s\n%s\n", s.Name, s.Title, cmp.Or(s.Citation, s.Reference()))
	parameters := t.titled("parameters", "name", "default", "unit", "range", "what it is")
	for _, p := range m.Parameters {
		parameters.AppendRow(table.Row{p.Name, p.Default, p.Unit, p.Range, p.Meaning()})
	}
	parameters.Render()
	for _, long := range m.Tables {
		writer := t.titled("columns of "+long.Name, "name", "type", "unit", "what it is")
		for _, c := range long.Columns {
			writer.AppendRow(table.Row{c.Name, c.Type, c.Unit, c.Meaning()})
		}
		writer.Render()
	}
	factors := t.titled("factors", "name", "levels")
	for _, f := range s.Factors {
		factors.AppendRow(table.Row{f.Name, strings.Join(study.LabelsOf(f.Levels), "; ")})
	}
	factors.Render()
	experiments := t.titled("experiments", "name", "varies", "replications", "what it is")
	for _, x := range s.Experiments {
		doc := x.Doc
		if x.Optional {
			doc = "(only when named) " + doc
		}
		experiments.AppendRow(table.Row{x.Name, strings.Join(x.Varied(), " x "), replicationsOf(x), doc})
	}
	experiments.Render()
	claims := t.titled("claims", "name", "statement", "section")
	for _, c := range s.Claims {
		claims.AppendRow(table.Row{c.Name, c.Doc, c.Source})
	}
	claims.Render()
	if len(s.Unjudged) > 0 {
		unjudged := t.titled("statements without a verdict", "name", "statement", "section", "why not")
		for _, u := range s.Unjudged {
			unjudged.AppendRow(table.Row{u.Name, u.Doc, u.Source, u.Why})
		}
		unjudged.Render()
	}
}

// replicationsOf returns the replications of an experiment, such as 10, or 4 to 8 if its cells have
// different numbers.
func replicationsOf(x *study.Experiment) string {
	if fewest, most := x.RangeOfReplications(); fewest < most {
		return fmt.Sprintf("%d to %d", fewest, most)
	}
	return fmt.Sprint(x.Replications)
}

// studyRecord is what show prints of a study, as JSON.
type studyRecord struct {
	Study       string             `json:"study"`
	Title       string             `json:"title"`
	Model       string             `json:"model"`
	Paper       string             `json:"paper"` // citation; empty where it is not known
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
	Alias   string  `json:"alias,omitempty"`   // second name in cells.parquet
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
	Most     int      `json:"rounds"`        // the most of a cell
	Optional bool     `json:"optional"`
	Doc      string   `json:"doc"`
}

// statementRecord is a claim, or a statement without a verdict.
type statementRecord struct {
	Name   string `json:"name"`
	Doc    string `json:"statement"`
	Source string `json:"section"`
	Why    string `json:"why_not,omitempty"` // why no test can judge it; empty for a claim
}

func recordOf(s *study.Study) studyRecord {
	r := studyRecord{
		Study: s.Name, Title: s.Title, Model: s.Model.Name, Paper: s.Citation,
		Factors: []factorRecord{}, Experiments: []experimentRecord{}, Claims: []statementRecord{},
		Unjudged: []statementRecord{},
	}
	for _, p := range s.Model.Parameters {
		column := columnOf(p.Column)
		column.Default = new(p.Default.String())
		r.Parameters = append(r.Parameters, column)
	}
	for _, long := range s.Model.Tables {
		columns := []columnRecord{}
		for _, c := range long.Columns {
			columns = append(columns, columnOf(c))
		}
		r.Tables = append(r.Tables, tableRecord{long.Name, columns})
	}
	for _, f := range s.Factors {
		r.Factors = append(r.Factors, factorRecord{f.Name, study.LabelsOf(f.Levels)})
	}
	for _, x := range s.Experiments {
		fewest, most := x.RangeOfReplications()
		r.Experiments = append(r.Experiments, experimentRecord{x.Name, x.Varied(), fewest, most, x.Optional, x.Doc})
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
	return columnRecord{Name: c.Name, Type: c.Type.String(), Unit: c.Unit, Range: c.Range, Alias: c.Alias, Doc: c.Doc}
}

// studyRows returns the parameters, columns, factors and so on of studies as rows of CSV; fields
// that one does not have are empty.
func studyRows(studies []studyRecord) [][]string {
	rows := [][]string{{
		"study", "part", "table", "name", "kind", "unit", "range", "default", "values", "section", "meaning",
	}}
	for _, r := range studies {
		type row struct{ part, table, name, typ, unit, limits, byDefault, values, section, meaning string }
		add := func(x row) {
			rows = append(rows, []string{
				r.Study, x.part, x.table, x.name, x.typ, x.unit, x.limits, x.byDefault, x.values, x.section, x.meaning,
			})
		}
		for _, p := range r.Parameters {
			add(row{part: "parameter", name: p.Name, typ: p.Type, unit: p.Unit, limits: p.Range, byDefault: *p.Default,
				meaning: p.Doc})
		}
		for _, long := range r.Tables {
			for _, c := range long.Columns {
				add(row{part: "column", table: long.Name, name: c.Name, typ: c.Type, unit: c.Unit, meaning: c.Doc})
			}
		}
		for _, f := range r.Factors {
			add(row{part: "factor", name: f.Name, values: strings.Join(f.Levels, "; ")})
		}
		for _, x := range r.Experiments {
			add(row{part: "experiment", name: x.Name, values: strings.Join(x.Varies, "; "), meaning: x.Doc})
		}
		for _, c := range r.Claims {
			add(row{part: "claim", name: c.Name, section: c.Source, meaning: c.Doc})
		}
		for _, u := range r.Unjudged {
			add(row{part: "statement without a verdict", name: u.Name, section: u.Source, meaning: u.Doc})
		}
	}
	return rows
}
