// Command gridsweep reproduces the tables, figures and claims of papers on scheduling: it plans the runs of a study
// file, runs them, stores them as Parquet, analyses them and writes a report.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := untilInterrupted()
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(exitCode(err))
}

// untilInterrupted returns a context that the first ctrl-C cancels, so that what is finished gets written. From then
// on no signal is caught: the second ends the program at once, whatever hangs.
func untilInterrupted() (ctx context.Context, stop func()) {
	ctx, ignore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	forget := context.AfterFunc(ctx, func() {
		ignore()
		fmt.Fprintln(os.Stderr, "\ngridsweep: interrupted, writing what is finished; a second ctrl-C ends at once")
	})
	return ctx, func() {
		forget()
		ignore()
	}
}
