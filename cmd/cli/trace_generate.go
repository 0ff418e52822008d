package cli

// Command trace generate: a trace drawn from a workload model.

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
	"gridsweep/pipeline/traces"
)

// generateOptions are the flags of trace generate; 0 if a flag is not set.
type generateOptions struct {
	jobs  int64
	days  float64
	procs int32
	load  float64
	seed  int64
	out   string
}

func newTraceGenerate(t *terminal) *cobra.Command {
	var o generateOptions
	c := &cobra.Command{
		Use:   "generate MODEL",
		Short: "Draw a workload from a model",
		Long: `Draw jobs from a workload model and write them as a trace, whose header has the command that makes it: the same
model, flags and seed give the same jobs on every machine. Time 0 is midnight; estimates are exact.

` + listOfModels() + `
The models of the papers' sites replace traces that are not available; the others are for machines of any size.

With both --jobs and --days, the times between jobs are scaled so that the jobs are expected to span that many days.
--load scales them by the means of the model, before the daily cycle is applied: the load of a single draw differs
from it by chance. docs/reference/workloads.md describes the models and how closely they match the sites.`,
		Example: `  gridsweep trace generate lublin --jobs 10000 --procs 256 --load 0.8 --out lublin.swf.gz
  gridsweep trace generate das2 --days 120 --seed 2 --out das2.swf
  gridsweep trace generate sharcnet --jobs 13283 --days 14 | gridsweep trace stats -`,
		Args: needsOnly(1, "one model"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, m := range workload.Models() {
				names = append(names, m.Name+"\t"+m.Title)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			m, err := workload.Find(args[0])
			if err != nil {
				if near := configs.Nearest(args[0], modelNames()); near != "" {
					err = fmt.Errorf("there is no workload model %q; did you mean %s?", args[0], near)
				}
				return usageError(err)
			}
			return t.generate(c, m, o)
		},
	}
	flags := c.Flags()
	flags.Int64Var(&o.jobs, "jobs", 0, "number of jobs")
	flags.Float64Var(&o.days, "days", 0, "days in which they are submitted")
	flags.Int32Var(&o.procs, "procs", 0, "processors of the machine (default: those of the model)")
	flags.Float64Var(&o.load, "load", 0, "offered load, such as 0.8 (default: that of the model)")
	flags.Int64Var(&o.seed, "seed", 1, "seed of the random numbers")
	flags.StringVar(&o.out, "out", "-",
		"`file` to write, .swf or .gwf, optionally followed by .gz or .zst; - is standard output")
	return c
}

func modelNames() []string {
	var names []string
	for _, m := range workload.Models() {
		names = append(names, m.Name)
	}
	return names
}

// listOfModels returns a line for each model.
func listOfModels() string {
	var list strings.Builder
	for _, m := range workload.Models() {
		fmt.Fprintf(&list, "  %-19s %s\n", m.Name, m.Title)
	}
	return list.String()
}

// generate draws the workload and writes it.
func (t *terminal) generate(c *cobra.Command, m workload.Model, o generateOptions) error {
	for _, flag := range []struct {
		name  string
		value float64
	}{{"jobs", float64(o.jobs)}, {"days", o.days}, {"procs", float64(o.procs)}, {"load", o.load}} {
		if c.Flags().Changed(flag.name) && !(flag.value > 0 && flag.value <= 1e9) {
			return usageErrorf("--%s %v: write a number above 0 and at most 1e9", flag.name, flag.value)
		}
	}
	if o.jobs == 0 && o.days == 0 {
		return usageErrorf("give --jobs or --days or both")
	}
	format := trace.SWF
	if o.out != "-" {
		var err error
		if format, err = formatFor("", o.out); err != nil {
			return usageErrorf("--out %s: write to .swf or .gwf, optionally followed by .gz or .zst", o.out)
		}
		if _, err := traces.Pack(o.out, io.Discard); err != nil {
			return usageErrorf("--out %w", err)
		}
	}
	draw := traces.Draw{Model: m, Jobs: o.jobs, Days: o.days, Procs: o.procs, Load: o.load, Seed: o.seed}
	jobs, header, err := draw.Make(c.Context(), format, t.program().Source())
	if err != nil {
		return usageUnlessDone(c.Context(), err)
	}
	return t.writeTrace(c.Context(), o.out, m.Name, jobs, header, nil, format)
}
