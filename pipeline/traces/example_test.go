// Example: the names of the traces in the catalogue.

package traces_test

import (
	"context"
	"fmt"

	"gridsweep/configs"
	"gridsweep/pipeline/traces"
)

// ExampleCatalogue lists the built-in traces.
func ExampleCatalogue() {
	catalogue, err := traces.Catalogue(context.Background(), configs.Builtin())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range catalogue {
		fmt.Println(t.Name.Value)
	}
	// Output:
	// das2
	// grid5000
	// auvergrid
	// sharcnet
	// ctc-sp2
	// sdsc-sp2
	// nasa-ipsc
	// lcg
	// lublin-256
}
