// Example: a comment does not change the fingerprint, a constant does.

package source_test

import (
	"fmt"
	"testing/fstest"

	"gridsweep/model/internal/source"
)

// A comment leaves the fingerprint as it is.
func ExampleTree_Fingerprint() {
	fingerprint := func(text string) string {
		files := fstest.MapFS{"queue/queue.go": {Data: []byte(text)}}
		tree := source.Tree{Path: "example.org/models", Files: files}
		sum, err := tree.Fingerprint("example.org/models/queue", nil)
		if err != nil {
			return err.Error()
		}
		return sum
	}
	first := fingerprint("package queue\n\nconst servers = 1\n")
	fmt.Println(first == fingerprint("package queue\n\nconst servers = 1 // of equal speed\n"))
	fmt.Println(first == fingerprint("package queue\n\nconst servers = 2\n"))
	// Output:
	// true
	// false
}
