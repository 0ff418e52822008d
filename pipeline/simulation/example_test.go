// An example: two policies get the same jobs.

package simulation_test

import (
	"context"
	"fmt"
	"strings"

	"gridsweep/model/cluster"
	"gridsweep/model/trace"
	"gridsweep/model/workload/estimates"
	"gridsweep/pipeline/simulation"
	"gridsweep/pipeline/traces"
)

// log has three jobs for ten processors.
const log = `; MaxProcs: 10
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
2 10 -1 200 8 -1 -1 8 200 -1 1 2 1 1 0 1 -1 -1
3 20 -1 50 3 -1 -1 3 60 -1 1 1 1 1 1 1 -1 -1
`

// All policies get the same jobs.
func Example() {
	if err := compare(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// fcfs 123.3 s
	// easy 30.0 s
}

func compare(ctx context.Context) error {
	read, err := traces.ReadTrace(ctx, "-", strings.NewReader(log), trace.Options{})
	if err != nil {
		return err
	}
	rule, err := estimates.Parse("exact")
	if err != nil {
		return err
	}
	s, err := simulation.New(read, cluster.Config{}, rule, 1, false)
	if err != nil {
		return err
	}
	for _, name := range []string{"fcfs", "easy"} {
		policy, err := cluster.ParsePolicy(name)
		if err != nil {
			return err
		}
		outcome, err := s.Run(ctx, policy, nil)
		if err != nil {
			return err
		}
		fmt.Printf("%s %.1f s\n", outcome.Policy, outcome.Wait.Mean)
	}
	return nil
}
