// The archives of a release are reproducible: two builds in different folders with different masks
// and time zones give equal checksums. Their content and SBOMs are valid.

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The archives of a release have the same bytes in another folder, with another mask and time zone.
// Their program runs, and their SBOMs are valid.
func TestReleaseIsReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds the program for two systems")
	}
	for _, program := range []string{"bash", "git", "make", "tar", "gzip", "zip", "sha256sum"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s: no release is built", program)
		}
	}
	env := []string{"PLATFORMS=linux/amd64 windows/amd64", "GOFLAGS=-ldflags=-w", "GOAMD64=v3"}
	first := sourceCopy(t, filepath.Join(t.TempDir(), "one"))
	second := sourceCopy(t, filepath.Join(t.TempDir(), "another", "folder"))
	output(t, first, env, ".ci/release")
	output(t, second, append(env, "TZ=Asia/Tokyo"), "bash", "-c", "umask 077; .ci/release")
	read := func(source string) string { return content(t, filepath.Join(source, "out/release/SHA256SUMS")) }
	if diff := cmp.Diff(read(first), read(second)); diff != "" {
		t.Error(diff)
	}
	if lines := strings.Count(read(first), "\n"); lines != 4 {
		t.Errorf("%d files in SHA256SUMS, want 2 archives and 2 lists of modules:\n%s", lines, read(first))
	}

	release := filepath.Join(first, "out/release")
	output(t, release, nil, "sha256sum", "--check", "SHA256SUMS")
	output(t, release, nil, "bash", "-c", "tar -xzf *-linux-amd64.tar.gz")
	unpacked, err := filepath.Glob(filepath.Join(release, "*-linux-amd64"))
	if err != nil || len(unpacked) != 1 {
		t.Fatalf("unpacked %q, %v", unpacked, err)
	}
	commit := strings.TrimSpace(output(t, first, nil, "git", "rev-parse", "HEAD"))
	if text := output(t, unpacked[0], nil, "./gridsweep", "version"); !strings.Contains(text, "(commit "+commit+")") {
		t.Errorf("the program is of %s, want of commit %s", text, commit)
	}
	for _, name := range []string{"README.md", "LICENSE", "NOTICE", "THIRD_PARTY_LICENSES.txt", "man/gridsweep.1"} {
		if _, err := os.Stat(filepath.Join(unpacked[0], name)); err != nil {
			t.Error(err)
		}
	}
	if os.Getenv("GRIDSWEEP_PYTHON") == "" {
		return
	}
	output(t, release, nil, os.Getenv("GRIDSWEEP_PYTHON"), "-c", `
import glob
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
for path in glob.glob("*.cdx.json"):
    with open(path) as file:
        wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(file.read())
    assert wrong is None, f"{path}: {wrong}"
`)
}

// sourceCopy copies the current source into a new repository, whose commit depends on the source
// alone.
func sourceCopy(t *testing.T, dir string) string {
	t.Helper()
	list, err := exec.Command("git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skip("the source is no clone: ", err)
	}
	for name := range strings.Lines(string(list)) {
		name = strings.TrimSuffix(name, "\n")
		info, err := os.Stat(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // removed and not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, info.Mode().Perm())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	env := []string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
	output(t, dir, env, "git", "init", "--quiet")
	output(t, dir, env, "git", "add", "--all")
	output(t, dir, env, "git", "commit", "--quiet", "--message", "all")
	return dir
}
