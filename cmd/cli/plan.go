// Command plan: the runs of a study, their number and predicted time.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/model/columns"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
	"gridsweep/sweeps"
)

func newPlan(t *terminal) *cobra.Command {
	var s selection
	var format, shardText string
	var explain bool
	c := &cobra.Command{
		Use:   "plan PAPER-or-STUDY...",
		Short: "List the runs: how many, in which experiments, and how long they take",
		Long: `List the runs of the plan. The table counts the runs of each experiment. json and csv list every run with
its id, replication, cells and parameters. --explain lists the missing runs with what changed since their cells were
run. The time is estimated from earlier runs in the dataset.`,
		Example: `  gridsweep plan coallocation
  gridsweep plan coallocation --format csv > runs.csv
  gridsweep plan coallocation --shard 2/7
  gridsweep plan coallocation --set requests=6000 --explain   # why are runs missing?
  gridsweep plan coallocation --until 'blocking ±1%'          # how many replications does it take?`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			var shard sweeps.Shard
			if shardText != "" {
				var err error
				if shard, err = sweeps.ParseShard(shardText); err != nil {
					return usageError(err)
				}
			}
			if explain && c.Flags().Changed("format") {
				return usageErrorf("--format %s does not go with --explain, which prints a line for each missing run", format)
			}
			if explain {
				s.use = results.Rows
			}
			studies, err := t.open(c.Context(), &s, args)
			if err != nil {
				return err
			}
			if err := t.noteStale(c.Context(), s, studies); err != nil {
				return err
			}
			switch {
			case explain:
				return t.printMissing(c.Context(), studies, shard)
			case format == "json":
				return t.planJSON(c.Context(), studies, shard)
			case format == "csv":
				return t.planCSV(studies, shard)
			default:
				return t.planTable(c.Context(), studies, shard)
			}
		},
	}
	s.addFlags(t, c)
	addFormat(c, &format)
	c.Flags().StringVar(&shardText, "shard", "", "only the `i/n`-th shard of the plan")
	c.Flags().BoolVar(&explain, "explain", false,
		"print for each missing run which columns differ from the latest row of its cell, a line each")
	return c
}

// planListing is a plan with all its runs. Its JSON always has all keys; lists are empty, not null.
type planListing struct {
	workspace.Summary
	List []workspace.RunRecord `json:"list"`
}

func (t *terminal) planTable(ctx context.Context, studies []*workspace.Study, shard sweeps.Shard) error {
	for i, study := range studies {
		summary, err := study.Summary(ctx, shard, defaultWorkers())
		if err != nil {
			return err
		}
		if summary.Missing > 0 {
			if err := study.CheckTraceContent(ctx, study.Plan.Runs); err != nil {
				return usageUnlessDone(ctx, err)
			}
		}
		if i > 0 {
			fmt.Fprintln(t.out)
		}
		writer := t.table()
		writer.AppendHeader(table.Row{"experiment", "varies", "cells", "replications", "runs"})
		writer.ShowCounts(3, 4, 5)
		replications := 0
		for _, x := range summary.Experiments {
			writer.AppendRow(table.Row{x.Name, strings.Join(x.Varies, " x "), x.Cells, x.ReplicationsInWords(), x.Runs})
			replications += x.Runs // those that it shares with another experiment too
		}
		writer.Render()
		fmt.Fprintf(t.out, "%s: %s", summary.Study, things(summary.Runs, "run"))
		if shard.Count > 0 {
			fmt.Fprintf(t.out, " in shard %s of %s", shard, count(len(study.Plan.Runs)))
		}
		if replications > len(study.Plan.Runs) && shard.Count == 0 {
			fmt.Fprintf(t.out, " for %s (equal points share runs)", things(replications, "replication"))
		}
		fmt.Fprintf(t.out, ", %s not yet in %s", count(summary.Missing), study.Dir)
		if summary.Missing > 0 && summary.Seconds != nil {
			fmt.Fprintf(t.out, ", about %s on %d workers", timeText(*summary.Seconds), defaultWorkers())
		} else if summary.Missing > 0 {
			fmt.Fprint(t.out, ", time unknown until some have been run here")
		}
		fmt.Fprintf(t.out, "\nplan %s, seed %d\n", summary.Checksum, summary.Seed)
		for _, sentence := range slices.Concat(study.Looks.Sentences(), study.Looks.Expectations()) {
			fmt.Fprintln(t.out, sentence)
		}
		t.printWorkloads(study)
	}
	return nil
}

func (t *terminal) planJSON(ctx context.Context, studies []*workspace.Study, shard sweeps.Shard) error {
	listings := []planListing{}
	for _, study := range studies {
		summary, err := study.Summary(ctx, shard, defaultWorkers())
		if err != nil {
			return err
		}
		listings = append(listings, planListing{summary, study.Records(shard)})
	}
	return t.printJSON(listings)
}

// planCSV prints the runs of a shard of each study's plan. A parameter that the study's model lacks
// is empty.
func (t *terminal) planCSV(studies []*workspace.Study, shard sweeps.Shard) error {
	var parameters []string
	for _, study := range studies {
		for _, p := range study.Model.Parameters {
			if !slices.Contains(parameters, p.Name) {
				parameters = append(parameters, p.Name)
			}
		}
	}
	writer := columns.NewWriter(t.out)
	_ = writer.Write(append([]string{"study", "run_id", "round", "measure", "cells"}, parameters...))
	for _, study := range studies {
		for _, r := range study.Records(shard) {
			row := []string{
				study.Plan.Study.Name, r.ID, strconv.Itoa(r.Replication), strconv.FormatBool(r.Measure),
				strings.Join(r.Cells, "; "),
			}
			for _, name := range parameters {
				row = append(row, r.Parameters[name])
			}
			_ = writer.Write(row)
		}
	}
	return writer.Flush() // with the first error
}

// printMissing prints for each missing run of a shard the columns that differ from the latest run
// of its cell.
func (t *terminal) printMissing(ctx context.Context, studies []*workspace.Study, shard sweeps.Shard) error {
	for _, study := range studies {
		missing, runs, err := study.Explain(ctx, shard)
		if err != nil {
			return err
		}
		for _, reason := range missing {
			fmt.Fprintln(t.out, reason)
		}
		if len(missing) > 0 {
			if err := t.noteUnrecorded(ctx, study); err != nil {
				return err
			}
		}
		t.note("%s: %s of %s runs are missing", study.Name, count(len(missing)), count(runs))
	}
	return nil
}

// noteUnrecorded notes that the record of the plan, which has the cells of earlier runs, is not
// there. Without it every missing run is shown as never run.
func (t *terminal) noteUnrecorded(ctx context.Context, study *workspace.Study) error {
	if _, err := os.Stat(study.RecordFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	snapshot, err := study.Snapshot(ctx)
	if err != nil || len(snapshot.Finished()) == 0 {
		return err
	}
	t.note("%s: without %s the cells of the %s runs of the dataset are unknown, so a run that replaces one is shown "+
		"as never run", study.Name, study.RecordFile(), count(len(snapshot.Finished())))
	return nil
}
