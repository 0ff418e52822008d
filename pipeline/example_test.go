// Example: a plan is run into a dataset, from which a column is read.

package pipeline_test

import (
	"context"
	"fmt"
	"os"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/coallocation"
	"gridsweep/pipeline"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// ExampleRun runs the first runs of a built-in study.
func ExampleRun() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "dataset")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := run(ctx, dir); err != nil {
		fmt.Println(err)
	}
	// Output: 12 of 12 runs, 12 rows
}

func run(ctx context.Context, dir string) error {
	study, err := configs.Load(ctx, "coallocation")
	if err != nil {
		return err
	}
	m := model.New(coallocation.Spec)
	plan, err := sweeps.Expand(ctx, study, m, sweeps.Options{
		Quick: true, Experiments: []string{"reference"},
	})
	if err != nil {
		return err
	}
	dataset, err := results.Open(dir, "coallocation", m)
	if err != nil {
		return err
	}
	snapshot, err := dataset.Snapshot(ctx, results.Rows)
	if err != nil {
		return err
	}
	runs := plan.Runs[:12]
	summary, err := pipeline.Run(ctx, plan, runs, snapshot, pipeline.Options{Workers: 2})
	if err != nil {
		return err
	}
	if err := snapshot.Update(ctx); err != nil {
		return err
	}
	frame, err := snapshot.Read(ctx, model.RunsTable, []string{"blocking"}, snapshot.Finished())
	if err != nil {
		return err
	}
	fmt.Printf("%d of %d runs, %d rows\n", summary.Finished, len(runs), frame.Len())
	return nil
}
