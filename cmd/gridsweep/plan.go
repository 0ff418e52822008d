package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/model/columns"
	"gridsweep/pipeline"
	"gridsweep/results"
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
its id, round, cells and parameters; --explain lists the missing ones with what has changed. The estimate of
time comes from earlier runs in the dataset, if any.`,
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
			if err := checkFormat(format); err != nil {
				return err
			}
			if explain && c.Flags().Changed("format") {
				return usageErrorf("--format %s does not go with --explain, which prints a line for each missing run", format)
			}
			if explain {
				s.use = results.Rows
			}
			targets, err := s.targets(c.Context(), args)
			if err != nil {
				return err
			}
			if err := t.noteStale(c.Context(), s, targets); err != nil {
				return err
			}
			switch {
			case explain:
				return t.explain(c.Context(), targets, part)
			case format == "json":
				return t.planJSON(c.Context(), targets, part)
			case format == "csv":
				return t.planCSV(targets, part)
			default:
				return t.planTable(c.Context(), targets, part)
			}
		},
	}
	s.addFlags(c)
	c.Flags().StringVar(&format, "format", "table", "`table`, json or csv")
	c.Flags().StringVar(&shard, "shard", "", "only the `i/n`-th part of the plan")
	c.Flags().BoolVar(&explain, "explain", false,
		"say for each missing run which columns differ from the same cell's latest row, a line each")
	return c
}

// planSummary is a plan in numbers.
type planSummary struct {
	Study       string              `json:"study"`
	Digest      string              `json:"digest"` // of the whole plan
	Seed        int64               `json:"seed"`
	Traces      []string            `json:"traces"`      // what the whole plan reads, each once: model, or references
	Shard       *string             `json:"shard"`       // as i/n; null for the whole plan
	Runs        int                 `json:"runs"`        // of the shard
	Missing     int                 `json:"missing"`     // of these
	Seconds     *float64            `json:"seconds"`     // estimated, for these on all workers; null where unknown
	Experiments []experimentSummary `json:"experiments"` // of the whole plan
}

// planListing is a plan run by run. Its JSON has all keys at all times, and lists that are empty rather than null.
type planListing struct {
	planSummary
	List []runRecord `json:"list"`
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

func summarise(ctx context.Context, target *target, part sweeps.Shard) (planSummary, error) {
	plan := target.plan
	runs := plan.Shard(part)
	summary := planSummary{
		Study: plan.Study.Name, Digest: plan.Digest(), Seed: plan.Seed, Runs: len(runs),
		Traces: append([]string{}, plan.Traces()...), Experiments: []experimentSummary{},
	}
	if part.Count > 0 {
		text := part.String()
		summary.Shard = &text
	}
	for _, x := range plan.Experiments {
		record := experimentSummary{
			Name: x.Name, Varies: []string{}, Cells: len(x.Cells), Rounds: x.Rounds, Runs: len(x.Cells) * x.Rounds,
		}
		for _, d := range x.Dimensions {
			record.Varies = append(record.Varies, d.Name)
		}
		summary.Experiments = append(summary.Experiments, record)
	}
	taken, err := target.snapshot(ctx)
	if err != nil {
		return summary, err
	}
	finished, err := pipeline.Finished(ctx, plan, taken)
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
	estimate, known, err := pipeline.Estimate(ctx, plan, missing, taken, defaultWorkers())
	if known {
		seconds := estimate.Seconds()
		summary.Seconds = &seconds
	}
	if err != nil {
		return summary, err
	}
	return summary, target.verify(ctx, plan.Runs) // of what the estimate did not read
}

func (t *terminal) planTable(ctx context.Context, targets []*target, part sweeps.Shard) error {
	for i, target := range targets {
		summary, err := summarise(ctx, target, part)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(t.out)
		}
		writer := t.table()
		writer.AppendHeader(table.Row{"experiment", "varies", "cells", "rounds", "runs"})
		countColumns(writer, 3, 4, 5)
		cells := 0
		for _, x := range summary.Experiments {
			writer.AppendRow(table.Row{x.Name, strings.Join(x.Varies, " x "), x.Cells, x.Rounds, x.Runs})
			cells += x.Runs
		}
		writer.Render()
		fmt.Fprintf(t.out, "%s: %s", summary.Study, things(summary.Runs, "run"))
		if part.Count > 0 {
			fmt.Fprintf(t.out, " in shard %s of %s", part, count(len(target.plan.Runs)))
		}
		if equal := cells - len(target.plan.Runs); equal > 0 && part.Count == 0 {
			fmt.Fprintf(t.out, " (%s cells share the run of an equal point)", count(equal))
		}
		fmt.Fprintf(t.out, ", %s not yet in %s", count(summary.Missing), target.dir)
		switch {
		case summary.Missing == 0:
		case summary.Seconds != nil:
			fmt.Fprintf(t.out, ", about %s on %d workers", forPeople(*summary.Seconds), defaultWorkers())
		default:
			fmt.Fprint(t.out, ", time unknown until some have been run here")
		}
		fmt.Fprintf(t.out, "\nplan %s, seed %d\n", summary.Digest, summary.Seed)
		t.printWorkloads(target)
	}
	return nil
}

func (t *terminal) planJSON(ctx context.Context, targets []*target, part sweeps.Shard) error {
	listings := []planListing{}
	for _, target := range targets {
		summary, err := summarise(ctx, target, part)
		if err != nil {
			return err
		}
		listings = append(listings, planListing{summary, records(target.plan, part)})
	}
	encoder := json.NewEncoder(t.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(listings)
}

// planCSV writes one table for all studies. A parameter that a study's model does not have is empty there.
func (t *terminal) planCSV(targets []*target, part sweeps.Shard) error {
	var parameters []string
	for _, target := range targets {
		for _, p := range target.model.Parameters {
			if !slices.Contains(parameters, p.Name) {
				parameters = append(parameters, p.Name)
			}
		}
	}
	writer := columns.NewWriter(t.out)
	header := append([]string{"study", "run_id", "round", "measure", "cells"}, parameters...)
	if err := writer.Write(header); err != nil {
		return err
	}
	for _, target := range targets {
		for _, r := range records(target.plan, part) {
			record := []string{
				target.plan.Study.Name, r.ID, strconv.Itoa(r.Round), strconv.FormatBool(r.Measure), strings.Join(r.Cells, "; "),
			}
			for _, name := range parameters {
				record = append(record, r.Parameters[name])
			}
			if err := writer.Write(record); err != nil {
				return err
			}
		}
	}
	return writer.Flush()
}

// records lists the runs of a shard with the cells they stand in.
func records(plan *sweeps.Plan, part sweeps.Shard) []runRecord {
	cells := plan.CellNames()
	index := make(map[string]int, len(plan.Runs))
	for i, run := range plan.Runs {
		index[run.ID] = i
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

// explain says for each missing run of a shard what has changed since its cell was last run.
func (t *terminal) explain(ctx context.Context, targets []*target, part sweeps.Shard) error {
	for _, target := range targets {
		taken, err := target.snapshot(ctx)
		if err != nil {
			return err
		}
		reasons, err := pipeline.Explain(ctx, target.plan, taken, target.planFile())
		if err != nil {
			return err
		}
		ours := map[string]bool{}
		for _, run := range target.plan.Shard(part) {
			ours[run.ID] = true
		}
		missing := 0
		for _, reason := range reasons {
			if ours[reason.Run.ID] {
				missing++
				fmt.Fprintln(t.out, reason)
			}
		}
		if missing > 0 {
			if err := t.noteUnrecorded(ctx, target); err != nil {
				return err
			}
		}
		t.note("%s: %s of %s runs are missing", target.name, count(missing), count(len(ours)))
	}
	return nil
}

// noteUnrecorded says where nothing tells which cells the runs of before stood in: their successors look never run.
func (t *terminal) noteUnrecorded(ctx context.Context, target *target) error {
	if _, err := os.Stat(target.planFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	taken, err := target.snapshot(ctx)
	if err != nil || len(taken.Finished()) == 0 {
		return err
	}
	t.note("%s: there is no %s to tell which cells the %s runs of the dataset stood in, so what takes the place of one "+
		"is shown as never run", target.name, target.planFile(), count(len(taken.Finished())))
	return nil
}

// defaultWorkers is how many simulations run at a time unless --workers says otherwise.
func defaultWorkers() int { return runtime.GOMAXPROCS(0) }

// forPeople returns a number of seconds as 45s, 3m20s or 2h5m0s.
func forPeople(seconds float64) string {
	return time.Duration(max(1, seconds) * float64(time.Second)).Round(time.Second).String()
}
