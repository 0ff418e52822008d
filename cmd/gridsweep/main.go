// Command gridsweep reproduces the tables, figures and claims of papers on scheduling: it plans the runs of a study
// file, runs them, stores them as Parquet, analyses them and writes a report.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(exitCode(err))
}
