package cli

// Flags that describe a machine, for simulate and the conformance set.

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/model/cluster"
	"gridsweep/model/workload/estimates"
	"gridsweep/pipeline/simulation"
)

// clusterFlags are the flags that say what a machine does besides its policy.
type clusterFlags struct{ simulation.Options }

func (f *clusterFlags) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.Order, "order", "arrival",
		"how the queue is sorted: `keys` with commas between, names or expressions")
	flags.StringVar(&f.Estimates, "estimates", "exact",
		"run times that the scheduler is told: `exact`, user, factor:F, uniform:F or tsafrir[:LONGEST]")
	flags.Int64Var(&f.Seed, "seed", 1, "`number` that the random estimates are drawn from")
	flags.StringVar(&f.Overrun, "overrun", "kill",
		"what happens to a job at the end of its estimate: `kill`, run or raise (the estimate)")
	flags.StringVar(&f.Instant, "instant", "batch", "order of what happens in one second: `batch` or each")
	flags.StringVar(&f.Pivot, "pivot", "replanned", "what becomes of easy's bookings between passes: `replanned` or kept")
	flags.StringSliceVar(&f.Partitions, "partitions", nil,
		"divide the machine by estimate at these `seconds`, such as 1000,10000, with borrowing")
	flags.StringVar(&f.Reservations, "reservations", "",
		"advance reservations: a CSV `file` with columns from,to,procs, in seconds of the trace")
}

// config returns the machine that the flags say, without its processors and policy.
func (f *clusterFlags) config(ctx context.Context) (cluster.Config, estimates.Rule, error) {
	config, rule, err := f.Machine(ctx)
	if wrong := new(simulation.WrongOption); errors.As(err, &wrong) {
		err = usageError(err)
		if isName := !strings.ContainsAny(wrong.Value, " ,()+*/^"); isName { // no expression
			err = wrongChoice(wrong.Name, wrong.Value, err)
		}
	} else if err != nil {
		err = usageError(err)
	}
	return config, rule, err
}
