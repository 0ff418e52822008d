package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/pipeline"
	"gridsweep/sweeps"
)

func newPlan(t *terminal) *cobra.Command {
	var s selection
	var format, shard string
	var explain bool
	c := &cobra.Command{
		Use:   "plan PAPER-or-STUDY...",
		Short: "List the runs: how many, in which experiments, and how long they take",
		Long: `List what would be run. The table counts the runs of each experiment; json and csv list every run with
its id, round, cells and parameters. The estimate of time comes from earlier runs in the dataset, if any.`,
		Example: `  gridsweep plan coallocation
  gridsweep plan coallocation --format csv > runs.csv
  gridsweep plan coallocation --shard 2/7
  gridsweep plan coallocation --set requests=6000 --explain   # why would runs be done again?`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			part, err := parseShard(shard)
			if err != nil {
				return err
			}
			targets, err := s.targets(args)
			if err != nil {
				return err
			}
			if explain {
				return t.explain(c.Context(), targets)
			}
			switch format {
			case "table":
				return t.planTable(c.Context(), targets, part)
			case "json":
				return t.planJSON(c.Context(), targets, part)
			case "csv":
				return t.planCSV(targets, part)
			default:
				return usageErrorf("--format %s: write table, json or csv", format)
			}
		},
	}
	s.addFlags(c)
	c.Flags().StringVar(&format, "format", "table", "`table`, json or csv")
	c.Flags().StringVar(&shard, "shard", "", "only the `i/n`-th part of the plan")
	c.Flags().BoolVar(&explain, "explain", false,
		"say for each missing run which columns differ from the same cell's latest row")
	return c
}

// summaryOf is a plan in numbers.
type planSummary struct {
	Study       string              `json:"study"`
	Digest      string              `json:"digest"`
	Seed        int64               `json:"seed"`
	Runs        int                 `json:"runs"`
	Missing     int                 `json:"missing"`
	Seconds     *float64            `json:"seconds,omitempty"` // estimated, for the missing runs on all workers
	Experiments []experimentSummary `json:"experiments"`
	List        []runRecord         `json:"list,omitempty"`
}

type experimentSummary struct {
	Name   string   `json:"name"`
	Varies []string `json:"varies"`
	Cells  int      `json:"cells"`
	Rounds int      `json:"rounds"`
	Runs   int      `json:"runs"`
}

type runRecord struct {
	ID         string            `json:"id"`
	Round      int               `json:"round"`
	Measure    bool              `json:"measure"`
	Cells      []string          `json:"cells"`
	Parameters map[string]string `json:"parameters"`
}

func (t *terminal) summarise(ctx context.Context, target *target, part sweeps.Shard) (planSummary, error) {
	plan := target.plan
	runs := plan.Shard(part)
	summary := planSummary{Study: plan.Study.Name.Value, Digest: plan.Digest(), Seed: plan.Seed, Runs: len(runs)}
	for _, x := range plan.Experiments {
		record := experimentSummary{Name: x.Name, Cells: len(x.Cells), Rounds: x.Rounds, Runs: len(x.Cells) * x.Rounds}
		for _, d := range x.Dimensions {
			record.Varies = append(record.Varies, d.Name)
		}
		summary.Experiments = append(summary.Experiments, record)
	}
	finished, err := pipeline.Finished(ctx, plan, target.dataset)
	if err != nil {
		return summary, err
	}
	var missing []sweeps.Run
	for _, run := range runs {
		if !finished[run.ID] {
			missing = append(missing, run)
		}
	}
	summary.Missing = len(missing)
	estimate, known, err := pipeline.Estimate(ctx, plan, missing, target.dataset, defaultWorkers())
	if known {
		seconds := estimate.Seconds()
		summary.Seconds = &seconds
	}
	return summary, err
}

func (t *terminal) planTable(ctx context.Context, targets []*target, part sweeps.Shard) error {
	for i, target := range targets {
		summary, err := t.summarise(ctx, target, part)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(t.out)
		}
		writer := table.NewWriter()
		writer.SetOutputMirror(t.out)
		writer.AppendHeader(table.Row{"experiment", "varies", "cells", "rounds", "runs"})
		cells := 0
		for _, x := range summary.Experiments {
			writer.AppendRow(table.Row{x.Name, strings.Join(x.Varies, " x "), x.Cells, x.Rounds, humanize.Comma(int64(x.Runs))})
			cells += x.Runs
		}
		writer.Render()
		fmt.Fprintf(t.out, "%s: %s runs", summary.Study, humanize.Comma(int64(summary.Runs)))
		if part.Count > 0 {
			fmt.Fprintf(t.out, " in shard %s of %s", part, humanize.Comma(int64(len(target.plan.Runs))))
		}
		if equal := cells - len(target.plan.Runs); equal > 0 && part.Count == 0 {
			fmt.Fprintf(t.out, " (%s cells share the run of an equal point)", humanize.Comma(int64(equal)))
		}
		fmt.Fprintf(t.out, ", %s not yet in %s", humanize.Comma(int64(summary.Missing)), target.dir)
		switch {
		case summary.Missing == 0:
		case summary.Seconds != nil:
			fmt.Fprintf(t.out, ", about %s on %d workers", forPeople(*summary.Seconds), defaultWorkers())
		default:
			fmt.Fprint(t.out, ", time unknown until some have been run here")
		}
		fmt.Fprintf(t.out, "\nplan %s, seed %d\n", summary.Digest, summary.Seed)
	}
	return nil
}

func (t *terminal) planJSON(ctx context.Context, targets []*target, part sweeps.Shard) error {
	summaries := []planSummary{}
	for _, target := range targets {
		summary, err := t.summarise(ctx, target, part)
		if err != nil {
			return err
		}
		summary.List = records(target.plan, part)
		summaries = append(summaries, summary)
	}
	encoder := json.NewEncoder(t.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(summaries)
}

func (t *terminal) planCSV(targets []*target, part sweeps.Shard) error {
	writer := csv.NewWriter(t.out)
	for _, target := range targets {
		header := []string{"study", "run_id", "round", "measure", "cells"}
		for _, p := range target.model.Parameters {
			header = append(header, p.Name)
		}
		if err := writer.Write(header); err != nil {
			return err
		}
		for _, r := range records(target.plan, part) {
			record := []string{
				target.plan.Study.Name.Value, r.ID, strconv.Itoa(r.Round), strconv.FormatBool(r.Measure), strings.Join(r.Cells, "; "),
			}
			for _, p := range target.model.Parameters {
				record = append(record, r.Parameters[p.Name])
			}
			if err := writer.Write(record); err != nil {
				return err
			}
		}
	}
	writer.Flush()
	return writer.Error()
}

// records lists the runs of a shard with the cells they stand in.
func records(plan *sweeps.Plan, part sweeps.Shard) []runRecord {
	cells := make([][]string, len(plan.Runs))
	index := make(map[string]int, len(plan.Runs))
	for i, run := range plan.Runs {
		index[run.ID] = i
	}
	for _, x := range plan.Experiments {
		for _, cell := range x.Cells {
			name := x.CellName(cell)
			for _, run := range cell.Runs {
				cells[run] = append(cells[run], name)
			}
		}
	}
	runs := plan.Shard(part)
	list := make([]runRecord, len(runs))
	for i, run := range runs {
		list[i] = runRecord{
			ID: run.ID, Round: run.Round, Measure: run.Measure, Cells: cells[index[run.ID]],
			Parameters: make(map[string]string, len(run.Point)),
		}
		for p, parameter := range plan.Model.Parameters {
			list[i].Parameters[parameter.Name] = run.Point[p].String()
		}
	}
	return list
}

// explain says for each missing run what has changed since its cell was last run.
func (t *terminal) explain(ctx context.Context, targets []*target) error {
	for _, target := range targets {
		reasons, err := pipeline.Explain(ctx, target.plan, target.dataset, target.planFile())
		if err != nil {
			return err
		}
		for _, reason := range reasons {
			fmt.Fprintln(t.out, reason)
		}
		t.note("%s: %s of %s runs are missing", target.name, humanize.Comma(int64(len(reasons))),
			humanize.Comma(int64(len(target.plan.Runs))))
	}
	return nil
}

// defaultWorkers is how many simulations run at a time unless --workers says otherwise.
func defaultWorkers() int { return runtime.GOMAXPROCS(0) }

// forPeople returns a number of seconds as 45s, 3m20s or 2h5m0s.
func forPeople(seconds float64) string {
	return time.Duration(max(1, seconds) * float64(time.Second)).Round(time.Second).String()
}
