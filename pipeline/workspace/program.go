// The program that made results: version, commit and command.

package workspace

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Version of gridsweep: that of a release, or of the next one with -dev between releases.
const Version = "0.3.0-dev"

// Program is the program that runs studies, for the provenance of their files. Its JSON is that of
// bundles.
type Program struct {
	Version string `json:"version"` // version of gridsweep
	// commit of the source that it was built from; empty where not known
	Commit  string `json:"commit,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"` // whether the source differed from the commit
	Command string `json:"-"`               // the command line
}

// ThisProgram returns this program, called by a command line.
func ThisProgram(command string) Program {
	commit, dirty := sourceCommit()
	return Program{Version: Version, Commit: commit, Dirty: dirty, Command: command}
}

// Source names the version and the commit, such as "gridsweep 0.3.0 (commit unknown)".
func (p Program) Source() string {
	commit := cmp.Or(p.Commit, "unknown")
	if p.Commit != "" && p.Dirty {
		commit += ", with changes"
	}
	return fmt.Sprintf("gridsweep %s (commit %s)", p.Version, commit)
}

// sourceCommit returns the commit the program was built from and whether the tree had other
// changes, or "" where that is not known. The source may have changed since a build that recorded
// no commit, so git is called only after go run, and once.
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
	if commit != "" || !BuiltByGoRun() {
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

// Identity identifies the program, so that a program whose results might differ has another
// identity: its version and commit, and the SHA-256 of its file if the source is not known to be
// that of the commit.
func (p Program) Identity() (string, error) {
	if p.Commit != "" && !p.Dirty {
		return p.Source(), nil
	}
	sum, err := executableSum()
	return p.Source() + " sha256:" + sum, err
}

// executableSum returns the SHA-256 of the program's file.
var executableSum = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("identify this program: %w", err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("identify this program: %w", err)
	}
	return sumOf(program), nil
})

// goRunPaths match the paths of programs that go run has built: in a temporary folder
// go-build123/b001/exe or, from the second time on, in a folder of the build cache that is named by
// a hash, such as ab/abcd…-d.
var goRunPaths = regexp.MustCompile(`/go-build\d+/b001/exe/[^/]+$|/[0-9a-f]{2}/[0-9a-f]{64}-d/[^/]+$`)

// BuiltByGoRun reports whether go run has built the program. Go run removes it when it ends.
func BuiltByGoRun() bool {
	program, err := os.Executable()
	return err == nil && goRunPaths.MatchString(filepath.ToSlash(program))
}
