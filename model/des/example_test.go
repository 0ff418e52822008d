// Example: the order of events within one second.

package des_test

import (
	"fmt"

	"gridsweep/model/des"
)

// Events of one second happen by class, here ends before submits.
func Example() {
	const ends, submits = 0, 1
	var queue des.Queue[string]
	queue.Push(10, submits, "job 2 is submitted")
	queue.Push(10, ends, "job 1 ends")
	queue.Push(0, submits, "job 1 is submitted")
	for event, ok := queue.Next(); ok; event, ok = queue.Next() {
		fmt.Println(queue.Now(), event)
	}
	// Output:
	// 0 job 1 is submitted
	// 10 job 1 ends
	// 10 job 2 is submitted
}
