// Example: a job is booked at its earliest fit.

package profile_test

import (
	"fmt"

	"gridsweep/model/profile"
)

// A job is booked at its earliest fit.
func Example() {
	p := profile.New(128)
	p.Reserve(0, 100, 3600)
	start := p.EarliestFit(0, 64, 600)
	p.Reserve(start, 64, 600)
	fmt.Println(start, p.FreeAt(start))
	// Output: 3600 64
}
