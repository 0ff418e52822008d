// Example: one more draw from a stream shifts no other stream.

package rng_test

import (
	"fmt"

	"gridsweep/model/rng"
)

// Each purpose draws from a stream of its own: one more draw of services shifts no arrival.
func Example() {
	seed := rng.New("example")
	arrivals, services := seed.Stream("arrivals"), seed.Stream("services")
	gap := arrivals.Exp()
	services.Float64()
	fmt.Println(gap == seed.Stream("arrivals").Exp())
	// Output: true
}
