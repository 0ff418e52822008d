// Command gridsweep reproduces the tables, figures and claims of papers on scheduling: it plans the runs of a study
// file, runs them, stores them as Parquet, analyses them and writes a report.
package main

import "os"

func main() {
	ctx := untilInterrupted()
	outlivePipes()
	heedGroup()
	os.Exit(exitCode(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)))
}
