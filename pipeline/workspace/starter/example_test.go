package starter_test

import (
	"fmt"
	"os"

	"gridsweep/pipeline/workspace/starter"
)

// A study of one's own begins with one file.
func Example() {
	dir, err := os.MkdirTemp("", "starter")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	files, err := starter.Study("mornings")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(files[0].Path, starter.Write(dir, files))
	// Output: mornings.yaml <nil>
}
