// The progress of runs and other work on standard error.

package cli

import (
	"os"
	"time"

	"golang.org/x/term"

	"gridsweep/cmd/internal/progress"
	"gridsweep/pipeline"
)

// progress returns the hook that shows progress: a bar on a terminal, lines elsewhere.
func (t *terminal) progress() func(pipeline.Progress) {
	return progress.Items(t.err, t.columns())
}

// showLate returns the hook that shows the progress of some work once it has taken progress.Quiet.
// Total is its number of items, 0 if unknown. The caller calls end when the work ends.
func (t *terminal) showLate(work, item string, total int) (update func(done, total int), end func(error)) {
	begun := time.Now()
	show := t.progress()
	now := pipeline.Progress{Study: work, Item: item, Total: total, Cost: float64(total)}
	update = func(done, total int) {
		now.Finished, now.Total, now.CostDone, now.Cost = done, total, float64(done), float64(total)
		show(now) // silent for progress.Quiet
	}
	return update, func(err error) {
		if time.Since(begun) >= progress.Quiet && err == nil {
			now.Finished, now.Ended = max(now.Finished, total), true
			show(now)
		}
	}
}

// columns returns a function for the width of the terminal that shows messages, 0 if unknown; nil
// if messages do not go to a terminal.
func (t *terminal) columns() func() int {
	file, isFile := t.err.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return func() int {
		columns, _, err := term.GetSize(int(file.Fd()))
		if err != nil {
			return 0
		}
		return columns
	}
}
