// Package scenarios holds the conformance set in the program: the scenario files of this folder and
// the page that says how to use them. The package model/cluster/conformance reads them.
package scenarios

import "embed"

// Files are the scenarios (*.txt) and README.md.
//
//go:embed *.txt README.md
var Files embed.FS
