// Flags of simulate that describe a machine.

package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/model/cluster"
	"gridsweep/model/workload/estimates"
	"gridsweep/pipeline/simulation"
)

// clusterFlags are the flags that configure a machine, except its processors and policy.
type clusterFlags struct {
	simulation.Options
	orders, estimates []string
}

func (f *clusterFlags) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVar(&f.orders, "order", []string{"arrival"},
		"how the queue is sorted: `keys` with commas between, names or expressions (may be repeated, for several orders)")
	flags.StringSliceVar(&f.estimates, "estimates", []string{"exact"},
		"run times that the scheduler assumes: `exact`, user, factor:F, uniform:F or tsafrir[:LONGEST] (may be repeated)")
	flags.Int64Var(&f.Seed, "seed", 1, "seed of the random estimates, a whole `number`")
	flags.StringVar(&f.Overrun, "overrun", "kill",
		"what happens to a job at the end of its estimate: `kill`, run or raise (the estimate)")
	flags.StringVar(&f.Instant, "instant", "batch", "event order within one second: `batch` or each")
	flags.StringVar(&f.Pivot, "pivot", "replanned", "bookings of easy's pivots between passes: `replanned` or kept")
	flags.StringSliceVar(&f.Partitions, "partitions", nil,
		"divide the machine by estimate at these `seconds`, such as 1000,10000, with borrowing")
	flags.StringVar(&f.Reservations, "reservations", "",
		"advance reservations: a CSV `file` with columns from,to,procs, in seconds of the trace; for a matrix "+
			"FROM+DURATION:PROCS from the first submit on, with commas between")
}

// config checks the machine with every order and estimate. It returns the one of the last order and
// estimate, which stay set, without processors and policy.
func (f *clusterFlags) config(ctx context.Context) (config cluster.Config, rule estimates.Rule, err error) {
	if err := checkLevels("order", f.orders); err != nil {
		return config, rule, err
	}
	if err := checkLevels("estimates", f.estimates); err != nil {
		return config, rule, err
	}
	for _, f.Order = range f.orders {
		for _, f.Estimates = range f.estimates {
			if config, rule, err = f.checkedMachine(ctx); err != nil {
				return config, rule, err
			}
		}
	}
	return config, rule, nil
}

// checkLevels returns an error if a flag has no value, or one twice, such as 0.8 and 0.80. A flag
// that choices lacks must have a value.
func checkLevels(flag string, values []string) error {
	if len(values) == 0 {
		return usageErrorf("--%s: is empty; known are %s", flag, strings.Join(choices[flag](), ", "))
	}
	for i, value := range values {
		same := func(other string) bool { return configs.SameLabel(other, value) }
		if slices.ContainsFunc(values[:i], same) {
			return usageErrorf("--%s %s: appears twice; write it once", flag, value)
		}
	}
	return nil
}

func (f *clusterFlags) checkedMachine(ctx context.Context) (cluster.Config, estimates.Rule, error) {
	config, rule, err := f.Machine(ctx)
	if err == nil {
		return config, rule, nil
	}
	err = usageError(err)
	// no near name for an order: it may mean the opposite, and the error explains all orders
	if wrong := new(simulation.WrongOption); errors.As(err, &wrong) && wrong.Name != "order" {
		if _, isChoice := choices[wrong.Name]; isChoice {
			err = wrongChoice(wrong.Name, wrong.Value, err)
		}
	}
	return config, rule, err
}
