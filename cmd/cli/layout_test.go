// A file in the way of a folder of results is an error that names it.

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The error for a file in the place of a folder names the file.
func TestFileInThePlaceOfAFolder(t *testing.T) {
	for _, c := range []struct{ path, command string }{
		{"coallocation", "run"}, {"coallocation/runs", "run"}, {"coallocation/timings", "run"}, {"coallocation/running",
			"run"},
		{"coallocation/tables", "reproduce"}, {"coallocation/figures", "reproduce"}, {"coallocation/failed", "status"},
	} {
		out := t.TempDir()
		path := filepath.Join(out, filepath.FromSlash(c.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		var stdout, messages bytes.Buffer
		err := execute(t.Context(), []string{c.command, "coallocation", "--set=requests=50", "--experiment=cost",
			"--out=" + out}, nil, &stdout, &messages)
		if code := exitCode(err); code != exitUsage || !strings.Contains(messages.String(), path) ||
			!strings.Contains(messages.String(), "file") ||
			!strings.Contains(messages.String(), "move it away") {
			t.Errorf("%s with a file as %s exits with %d: %s", c.command, c.path, code, messages.String())
		}
	}
}
