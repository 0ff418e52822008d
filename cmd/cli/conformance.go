// Command conformance: scenarios with exact schedules, for authors of other simulators.

package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	scenarios "gridsweep/docs/reference/conformance"
	"gridsweep/model/cluster/conformance"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
)

func newConformance(t *terminal) *cobra.Command {
	c := &cobra.Command{
		Use:   "conformance",
		Short: "Small workloads with exact schedules, to check other simulators",
		Long: `The conformance set is small workloads with the exact schedules that follow from the rules of
docs/reference/scheduling.md. export writes them, with a page on how to use them; check compares the schedules of
another simulator with them, to the second.`,
		Example: `  gridsweep conformance list
  gridsweep conformance export set
  gridsweep conformance check mine.csv`,
	}
	c.Args = noArguments
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(newConformanceList(t), newConformanceExport(t), newConformanceCheck(t))
	return c
}

func newConformanceList(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the scenarios",
		Example: "  gridsweep conformance list",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			set, err := conformance.ReadSet(scenarios.Files)
			if err != nil {
				return err
			}
			writer := t.table()
			writer.AppendHeader(table.Row{"scenario", "jobs", "schedules", "what it shows"})
			for _, s := range set {
				writer.AppendRow(table.Row{s.Name, len(s.Jobs), s.ScheduleCount(), s.Title()})
			}
			writer.Render()
			return nil
		},
	}
}

func newConformanceExport(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "export DIR",
		Short: "Write the scenarios to a folder, as text and as CSV",
		Long: `Write the scenario files, README.md with their grammar, and the same as CSV: machines.csv, jobs.csv and
reservations.csv are the input of a simulator, configurations.csv its policies and options, schedules.csv its
correct output, in the form that gridsweep conformance check reads.`,
		Example: "  gridsweep conformance export set",
		Args:    needs(1, "the folder to write to"),
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := conformance.ReadSet(scenarios.Files)
			if err != nil {
				return err
			}
			files, err := conformance.Export(scenarios.Files, set)
			if err != nil {
				return err
			}
			for _, file := range files {
				if err := results.WriteFile(filepath.Join(args[0], file.Name), file.Text); err != nil {
					return err
				}
			}
			t.note("%s in %s; README.md there says how to use them", things(len(set), "scenario"), args[0])
			return nil
		},
	}
}

func newConformanceCheck(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE|-",
		Short: "Compare the schedules of another simulator",
		Long: `Compare schedules with those of the set, start by start and end by end. FILE is CSV with the columns scenario,
configuration, id, start and end, and rows in any order; - reads standard input. Scenarios and configurations
that are not in it are counted. The exit code is 1 if a schedule differs or the file has none.`,
		Example: `  gridsweep conformance check mine.csv
  my-simulator | gridsweep conformance check -`,
		Args: needs(1, "one file of schedules, or - for standard input"),
		RunE: func(c *cobra.Command, args []string) error { return t.checkConformance(c.Context(), args[0]) },
	}
}

func (t *terminal) checkConformance(ctx context.Context, name string) error {
	set, err := conformance.ReadSet(scenarios.Files)
	if err != nil {
		return err
	}
	file, err := traces.Open(ctx, name, t.in)
	if err != nil {
		return usageError(err)
	}
	defer file.Close()
	schedules, err := conformance.ReadSchedules(file.Name(), file, set)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return usageError(err)
	}
	return reportConformance(t.out, conformance.Compare(set, schedules))
}

// reportConformance prints a line for each schedule of the other simulator, and totals.
func reportConformance(out io.Writer, list []conformance.Result) error {
	passed, failed, missing := 0, 0, 0
	for _, result := range list {
		switch {
		case result.Missing:
			missing++
		case result.Difference != "":
			failed++
			fmt.Fprintf(out, "FAIL  %s  %s: %s\n", result.Scenario, result.Configuration, result.Difference)
		default:
			passed++
			fmt.Fprintf(out, "pass  %s  %s\n", result.Scenario, result.Configuration)
		}
	}
	fmt.Fprintf(out, "%s of %s pass, %s differ, %s are not there\n",
		count(passed), things(len(list), "schedule"), count(failed), count(missing))
	switch {
	case failed > 0:
		return fmt.Errorf("of the schedules %s differ from the set", count(failed))
	case passed == 0:
		return fmt.Errorf("no schedule is there: the file has no row")
	}
	return nil
}
