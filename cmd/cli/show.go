package cli

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/model"
	bound "gridsweep/sweeps/study"
)

func newShow(t *terminal) *cobra.Command {
	var source bool
	c := &cobra.Command{
		Use:   "show PAPER-or-STUDY...",
		Short: "Show a study: its parameters, columns, factors, experiments and claims",
		Long: `Show what a study is made of. --source prints the study file itself, to read and to copy from: a study of your
own says "extends: NAME" and what is different.`,
		Example: `  gridsweep show coallocation
  gridsweep show coallocation --source | less`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range args {
				found, err := t.find(c.Context(), name)
				if err != nil {
					return usageError(err)
				}
				for _, study := range found {
					if err := study.FormError(); err != nil {
						return usageError(err)
					}
					if source {
						fmt.Fprintf(t.out, "%s", study.Config.Source)
						continue
					}
					m, err := t.modelOf(study.Config)
					if err != nil {
						return usageError(err)
					}
					t.describe(study.Config, m)
				}
			}
			return nil
		},
	}
	t.addStudies(c, new(string))
	c.Flags().BoolVar(&source, "source", false, "print the study file")
	return c
}

func (t *terminal) describe(study *configs.Study, m *model.Model) {
	fmt.Fprintf(t.out, "%s: %s\n%s\n", study.Name.Value, study.Title.Value, m.Paper)
	parameters := t.grid("parameters", "name", "default", "unit", "range", "what it is")
	for _, p := range m.Parameters {
		parameters.AppendRow(table.Row{p.Name, p.Default, p.Unit, p.Range, p.Column().Meaning()})
	}
	parameters.Render()
	for _, columns := range m.Tables {
		writer := t.grid("columns of "+columns.Name, "name", "kind", "unit", "what it is")
		for _, c := range columns.Columns {
			writer.AppendRow(table.Row{c.Name, c.Kind, c.Unit, c.Meaning()})
		}
		writer.Render()
	}
	factors := t.grid("factors", "name", "levels")
	for _, f := range study.Factors {
		var levels []string
		for _, l := range f.Levels {
			levels = append(levels, l.Label.Value)
		}
		factors.AppendRow(table.Row{f.Name.Value, strings.Join(levels, "; ")})
	}
	factors.Render()
	experiments := t.grid("experiments", "name", "varies", "rounds", "what it is")
	for _, x := range bound.Experiments(study) {
		var varies []string
		for _, crossed := range x.Cross {
			varies = append(varies, crossed.Factor.Value)
		}
		doc := x.Doc.Value
		if x.Optional {
			doc = "(only when named) " + doc
		}
		experiments.AppendRow(table.Row{x.Name.Value, strings.Join(varies, " x "), x.Rounds, doc})
	}
	experiments.Render()
	claims := t.grid("claims", "name", "statement", "source")
	for _, c := range study.Claims {
		claims.AppendRow(table.Row{c.Name.Value, c.Doc.Value, c.Source.Value})
	}
	claims.Render()
	if len(study.Unjudged) > 0 {
		unjudged := t.grid("what the paper says and no claim judges", "name", "statement", "source", "why not")
		for _, u := range study.Unjudged {
			unjudged.AppendRow(table.Row{u.Name.Value, u.Doc.Value, u.Source.Value, u.Why.Value})
		}
		unjudged.Render()
	}
}
