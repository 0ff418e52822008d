// Command check: all problems of study files.

package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/pipeline/workspace"
)

func newCheck(t *terminal) *cobra.Command {
	var s selection
	var format string
	c := &cobra.Command{
		Use:   "check PAPER-or-STUDY...",
		Short: "Check study files: form, names, units, ranges, tables, figures and claims",
		Long: `Check study files without running anything. All problems of a file are reported at once, each with its line.
With --format json or csv, standard output has the problems too, one record for each.`,
		Example: `  gridsweep check my-study.yaml
  gridsweep check coallocation --levels lambda=0.3,0.4
  gridsweep check my-study.yaml --format json | jq '.[].problems'`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, names []string) error {
			checked, err := t.check(c.Context(), &s, names)
			if c.Context().Err() != nil {
				return c.Context().Err()
			}
			if writeErr := t.printChecked(checked, format); writeErr != nil && err == nil {
				return writeErr
			}
			return err
		},
	}
	s.addPlan(t, c)
	s.addStale(c)
	addFormat(c, &format)
	return c
}

// checkedStudy is a study without problems and its size, or the problems of a name of the command.
type checkedStudy struct {
	// by which a command finds it; the argument if it names no valid study
	Name        string          `json:"name"`
	Study       string          `json:"study,omitempty"`
	OK          bool            `json:"ok"`
	Experiments int             `json:"experiments"`
	Runs        int             `json:"runs"`
	Tables      int             `json:"tables"`
	Figures     int             `json:"figures"`
	Claims      int             `json:"claims"`
	Problems    []problemRecord `json:"problems"`
}

// problemRecord is a problem at a word of a file. Line and column count from 1; they are left out
// where the problem is at no word.
type problemRecord struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Key    string `json:"key,omitempty"`
	Text   string `json:"problem"`
}

// check returns what was found of each name; the error has all problems.
func (t *terminal) check(ctx context.Context, s *selection, names []string) ([]checkedStudy, error) {
	checked := []checkedStudy{}
	var problems []error
	add := func(name string, err error) {
		problems = append(problems, err)
		checked = append(checked, checkedStudy{Name: name, Problems: problemsOf(err)})
	}
	for _, name := range names {
		studies, err := t.open(ctx, s, []string{name})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			add(name, err)
			continue
		}
		for _, study := range studies {
			if err := study.CheckTraces(ctx, study.Plan.Runs); err != nil {
				add(study.Name, err)
				continue
			}
			checked = append(checked, sizeOf(study))
		}
	}
	if len(problems) > 0 {
		return checked, usageError(errors.Join(problems...))
	}
	return checked, nil
}

func sizeOf(s *workspace.Study) checkedStudy {
	bound := s.Plan.Study
	return checkedStudy{
		Name: s.Name, Study: bound.Name, OK: true, Experiments: len(s.Plan.Experiments), Runs: len(s.Plan.Runs),
		Tables: len(bound.Tables), Figures: len(bound.Figures), Claims: len(bound.Claims), Problems: []problemRecord{},
	}
}

// problemsOf returns the problems of an error, in which errors may be joined.
func problemsOf(err error) []problemRecord {
	if joined, isJoined := err.(interface{ Unwrap() []error }); isJoined {
		var all []problemRecord
		for _, each := range joined.Unwrap() {
			all = append(all, problemsOf(each)...)
		}
		return all
	}
	var exit exitError
	if errors.As(err, &exit) && exit.err != nil {
		return problemsOf(exit.err)
	}
	var problems configs.Problems
	if !errors.As(err, &problems) {
		return []problemRecord{{Text: err.Error()}}
	}
	var all []problemRecord
	for _, p := range problems {
		all = append(all, problemRecord{p.Pos.File, p.Pos.Line, p.Pos.Column, p.Key, p.Text})
	}
	return all
}

func (t *terminal) printChecked(checked []checkedStudy, format string) error {
	return t.print(format, checked, checkedRows(checked), func() {
		for _, c := range checked {
			if c.OK {
				fmt.Fprintf(t.out, "%s: ok: %s, %s, %s, %s, %s\n", printable(c.Name), things(c.Experiments, "experiment"),
					things(c.Runs, "run"), things(c.Tables, "table"), things(c.Figures, "figure"), things(c.Claims, "claim"))
			}
		}
	})
}

// checkedRows returns rows of CSV: one for each study without problems and one for each problem.
func checkedRows(checked []checkedStudy) [][]string {
	rows := [][]string{{
		"name", "ok", "experiments", "runs", "tables", "figures", "claims", "file", "line", "column", "key", "problem",
	}}
	for _, c := range checked {
		if c.OK {
			row := []string{c.Name, "true"}
			for _, n := range []int{c.Experiments, c.Runs, c.Tables, c.Figures, c.Claims} {
				row = append(row, strconv.Itoa(n))
			}
			rows = append(rows, append(row, "", "", "", "", ""))
		}
		for _, p := range c.Problems {
			rows = append(rows, []string{
				c.Name, "false", "", "", "", "", "", p.File, positive(p.Line), positive(p.Column), p.Key, p.Text,
			})
		}
	}
	return rows
}

// positive returns a number as text, empty for 0.
func positive(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
