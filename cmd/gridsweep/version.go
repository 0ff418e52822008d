package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// version of the program, as in CHANGELOG.md.
const version = "0.1.0"

func newVersion(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program and the source it was built from",
		Example: "  gridsweep version",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			t.printVersion()
			return nil
		},
	}
}

func (t *terminal) printVersion() {
	commit, dirty := sourceCommit()
	fmt.Fprintf(t.out, "gridsweep %s%s %s %s/%s\n", version, describeCommit(commit, dirty),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func describeCommit(commit string, dirty bool) string {
	switch {
	case commit == "":
		return " (commit unknown)"
	case dirty:
		return " (commit " + commit + ", with changes)"
	default:
		return " (commit " + commit + ")"
	}
}

// sourceCommit returns the commit the program was built from and whether the tree had other changes, or "" where that
// is not known. The source may have changed since a build that recorded no commit, so git is asked only after go run,
// and once.
var sourceCommit = sync.OnceValues(func() (commit string, dirty bool) {
	if info, found := debug.ReadBuildInfo(); found {
		for _, setting := range info.Settings {
			switch setting.Key {
			case "vcs.revision":
				commit = setting.Value
			case "vcs.modified":
				dirty = setting.Value == "true"
			}
		}
	}
	if commit != "" || !builtByGoRun() {
		return commit, dirty
	}
	_, file, _, found := runtime.Caller(0)
	if !found || !filepath.IsAbs(file) {
		return "", false
	}
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", filepath.Dir(file)}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", false
	}
	changes, err := git("status", "--porcelain")
	return commit, err == nil && changes != ""
})

// programIdentity names the program so that one whose results might differ has another name: its version and commit,
// and the SHA-256 of its file where these do not say what it was built from.
var programIdentity = sync.OnceValues(func() (string, error) {
	commit, dirty := sourceCommit()
	identity := "gridsweep " + version + describeCommit(commit, dirty)
	if commit != "" && !dirty {
		return identity, nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("tell which program this is: %w", err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("tell which program this is: %w", err)
	}
	return fmt.Sprintf("%s sha256:%x", identity, sha256.Sum256(program)), nil
})

// placesOfGoRun match where go run puts the program: in a temporary folder go-build123/b001/exe or, from the second
// time on, in a folder of the build cache that is named by a hash, such as ab/abcd…-d.
var placesOfGoRun = regexp.MustCompile(`/go-build\d+/b001/exe/[^/]+$|/[0-9a-f]{2}/[0-9a-f]{64}-d/[^/]+$`)

// builtByGoRun reports whether the program lies where go run puts it.
func builtByGoRun() bool {
	program, err := os.Executable()
	return err == nil && placesOfGoRun.MatchString(filepath.ToSlash(program))
}
