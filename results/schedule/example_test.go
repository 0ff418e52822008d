// Example: a schedule of another program is read.

package schedule_test

import (
	"fmt"

	"gridsweep/results/schedule"
)

// A schedule that another program wrote is read; columns have any order and common names.
func Example() {
	s, err := schedule.Read([]byte("job_id,submission_time,starting_time,finish_time,procs\n7,0,5,10,4\n"), "other.csv")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", s.CSV())
	// Output:
	// id,submit,start,end,procs
	// 7,0,5,10,4
}
