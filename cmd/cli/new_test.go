// The Go module that gridsweep new writes passes its tests and reproduces its study without a
// network.

package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The module that new writes passes its tests, is built without a network and reproduces its study.
func TestNewModel(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds and tests a module")
	}
	source, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "a queue")
	if err := execute(t.Context(), []string{"new", "queue", "--model", "--source", source, "--dir", dir}, nil, io.Discard,
		io.Discard); err != nil {
		t.Fatal(err)
	}
	offline := []string{"GOFLAGS=-mod=readonly", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off"}
	if unformatted := output(t, dir, offline, "gofmt", "-l", "."); unformatted != "" {
		t.Errorf("gofmt would change %s", unformatted)
	}
	output(t, dir, offline, "go", "vet", "./...")
	output(t, dir, offline, "go", "test", "./...")
	output(t, dir, offline, "go", "build", "-o", "program", ".")
	program := filepath.Join(dir, "program")
	if list := output(t, dir, nil, program, "list"); !strings.Contains(list, "Waiting at a single server") ||
		!strings.Contains(list, "coallocation") {
		t.Errorf("list says\n%s", list)
	}
	output(t, dir, nil, program, "reproduce", "queue", "--quick", "--strict")
	if _, err := os.Stat(filepath.Join(dir, "out", "quick", "queue", "report.html")); err != nil {
		t.Error(err)
	}
}
