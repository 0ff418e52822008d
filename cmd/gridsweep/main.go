// Command gridsweep reproduces the tables, figures and claims of papers on scheduling: it plans the
// runs of a study file, runs them, stores them as Parquet, analyses them and writes a report.
package main

import (
	"context"
	"os"

	"gridsweep/cmd/cli"
	"gridsweep/configs"
	"gridsweep/model/studies"
)

func main() { os.Exit(cli.Main(context.Background(), os.Args, configs.Builtin(), studies.All()...)) }
