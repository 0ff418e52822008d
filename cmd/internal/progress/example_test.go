// The example of Items.

package progress_test

import (
	"os"

	"gridsweep/cmd/internal/progress"
	"gridsweep/pipeline"
)

// The last call for a plan prints a line, even if the plan took no time.
func ExampleItems() {
	show := progress.Items(os.Stdout, nil)
	show(pipeline.Progress{Study: "coallocation", Total: 5440, Skipped: 5440, Ended: true})
	// Output: coallocation: nothing to run, 5,440 of 5,440 runs were there already
}
