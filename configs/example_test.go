// The example of the package documentation loads a built-in study; its output is checked.

package configs_test

import (
	"context"
	"fmt"

	"gridsweep/configs"
)

// Load reads a built-in study, Read a file, which may extend a built-in one.
func Example() {
	study, err := configs.Load(context.Background(), "coallocation")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(study.Name.Value, study.Model.Value)
	// Output: coallocation coallocation
}
