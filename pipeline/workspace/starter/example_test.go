// Example: the file of a new study is written.

package starter_test

import (
	"fmt"
	"os"

	"gridsweep/pipeline/workspace/starter"
)

// Example writes a study with the name mornings.
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
