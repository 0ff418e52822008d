package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

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
			commit, dirty := sourceCommit()
			_, err := fmt.Fprintf(t.out, "gridsweep %s%s %s %s/%s\n", version, describeCommit(commit, dirty),
				runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

func describeCommit(commit string, dirty bool) string {
	switch {
	case commit == "":
		return ""
	case dirty:
		return " (commit " + commit + ", with changes)"
	default:
		return " (commit " + commit + ")"
	}
}

// sourceCommit returns the commit the program was built from and whether the tree had other changes. A build by
// go run or without version control in it asks git about the folder of the source, if that is still there.
func sourceCommit() (commit string, dirty bool) {
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
	if commit != "" {
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
}
