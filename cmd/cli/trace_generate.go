// Command trace generate: a trace drawn from a workload model.

package cli

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

func newTraceGenerate(t *terminal) *cobra.Command {
	var draw traces.Draw
	var out string
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
		Args: needsCounted(1, "one model"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			for _, m := range workload.Models() {
				names = append(names, cobra.CompletionWithDesc(m.Name, m.Title))
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if draw.Model, err = workload.Find(args[0]); err != nil {
				if near := configs.Nearest(args[0], modelNames()); near != "" {
					err = fmt.Errorf("there is no workload model %q; did you mean %s?", args[0], near)
				}
				return usageError(err)
			}
			return t.generate(c, draw, out)
		},
	}
	flags := c.Flags()
	flags.Int64Var(&draw.Jobs, "jobs", 0, "number of jobs")
	flags.Float64Var(&draw.Days, "days", 0, "days in which they are submitted")
	flags.Int32Var(&draw.Procs, "procs", 0, "processors of the machine (default: those of the model)")
	flags.Float64Var(&draw.Load, "load", 0, "offered load, such as 0.8 (default: that of the model)")
	flags.Int64Var(&draw.Seed, "seed", 1, "seed of the random numbers")
	flags.StringVar(&out, "out", "-",
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

// generate draws the workload and writes it. Numbers of draw but the seed are 0 if not set.
func (t *terminal) generate(c *cobra.Command, draw traces.Draw, out string) error {
	for _, flag := range []struct {
		name  string
		value float64
	}{{"jobs", float64(draw.Jobs)}, {"days", draw.Days}, {"procs", float64(draw.Procs)}, {"load", draw.Load}} {
		if c.Flags().Changed(flag.name) && !(flag.value > 0 && flag.value <= 1e9) {
			return usageErrorf("--%s %v: write a number above 0 and at most 1e9", flag.name, flag.value)
		}
	}
	if draw.Jobs == 0 && draw.Days == 0 {
		return usageErrorf("give --jobs or --days or both")
	}
	format := trace.SWF
	if out != "-" {
		var err error
		if format, err = formatFor("", out); err != nil {
			return usageErrorf("--out %s: write to .swf or .gwf, optionally followed by .gz or .zst", out)
		}
		if _, err := traces.Pack(out, io.Discard); err != nil { // .bz2 is only read
			return usageErrorf("--out %w", err)
		}
	}
	drawn, err := draw.Make(c.Context(), format, t.program().Source())
	if err != nil {
		return usageUnlessDone(c.Context(), err)
	}
	return t.writeTrace(c.Context(), out, drawn)
}
