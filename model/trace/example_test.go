// Example: a trace is read, cleaned and described.

package trace_test

import (
	"fmt"
	"strings"

	"gridsweep/model/trace"
)

// log has three jobs; the run time of the second one is unknown.
const log = `; MaxProcs: 128
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
2 10 -1 -1 8 -1 -1 8 200 -1 1 2 1 1 0 1 -1 -1
3 20 -1 50 3 -1 -1 3 60 -1 1 1 1 1 1 1 -1 -1
`

// A trace is read, cleaned and described.
func Example() {
	file := strings.NewReader(log)
	r := trace.NewReader(file, "log.swf", trace.Options{})
	jobs, err := r.ReadAll()
	if err != nil {
		fmt.Println(err)
		return
	}
	jobs, cleaned := trace.Clean(jobs, trace.Rules{Procs: 128})
	stats := trace.Describe(jobs, r.Header(), 128)
	fmt.Println(cleaned.Read, len(jobs), stats.Span)
	// Output: 3 2 20
}
