// The version names the commit of the build, not that of the current folder.

package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program that was built without its commit reports no commit; one of go run reports the current
// commit.
func TestCommitIsThatOfTheBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds the program")
	}
	program := filepath.Join(t.TempDir(), "gridsweep")
	output(t, root, nil, "go", "build", "-buildvcs=false", "-o", program, "./cmd/gridsweep")
	if text := output(t, root, nil, program, "version"); !strings.Contains(text, "(commit unknown)") {
		t.Errorf("built without its commit, it says %s", text)
	}
	head, err := exec.Command("git", "-C", root, "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("the source is no clone: ", err)
	}
	for range 2 { // the second is taken from the cache of builds
		text := output(t, root, nil, "go", "run", "-trimpath=false", "./cmd/gridsweep", "version")
		if !strings.Contains(text, "(commit "+strings.TrimSpace(string(head))) {
			t.Errorf("go run says %s", text)
		}
	}
}
