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
// Their program runs, their wheels can be installed, and their SBOMs are valid.
func TestReleaseIsReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds the program for two systems")
	}
	t.Parallel()
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
	if lines := strings.Count(read(first), "\n"); lines != 6 {
		t.Errorf("%d files in SHA256SUMS, want 2 archives, 2 wheels and 2 lists of modules:\n%s", lines, read(first))
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
	installWheels(t, release, filepath.Join(first, "results", "python"))
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

// installWheels installs the wheel for this machine as users do, after the package alone from its
// source, and finds the others by the names of their systems.
func installWheels(t *testing.T, release, source string) {
	t.Helper()
	python, dir := os.Getenv("GRIDSWEEP_PYTHON"), filepath.Join(t.TempDir(), "venv")
	libraries := strings.TrimSpace(output(t, release, nil, python, "-c",
		"import sysconfig; print(sysconfig.get_path('purelib'))"))
	env := []string{"PYTHONPATH=" + libraries, "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_DEPS=1", "PIP_NO_INDEX=1"}
	output(t, release, nil, python, "-m", "venv", dir)
	installed := filepath.Join(dir, "bin", "python")
	const described = `
import importlib.metadata, gridsweep, pathlib, sys
assert pathlib.Path(gridsweep.__file__).is_relative_to(sys.prefix), gridsweep.__file__
about = importlib.metadata.metadata("gridsweep")
once = "Name", "Version", "Summary", "Requires-Python", "Description-Content-Type"
texts = [f"{k}: {text}" for k in once for text in about.get_all(k)]
texts += [text.replace(" ", "").replace("'", '"') for text in sorted(about.get_all("Requires-Dist"))]
print(*texts, about.get_payload().strip(), sep="\n")`
	output(t, release, env, installed, "-m", "pip", "install", "--no-build-isolation", source)
	want := output(t, release, env, installed, "-c", described)
	output(t, release, env, installed, "-m", "pip", "install", "--force-reinstall", "--find-links", release, "gridsweep")
	if diff := cmp.Diff(want, output(t, release, env, installed, "-c", described)); diff != "" {
		t.Errorf("metadata of the wheel and of its source: %s", diff)
	}
	output(t, release, env, installed, "-m", "pip", "check")
	program := filepath.Join(dir, "bin", "gridsweep")
	output(t, dir, nil, program, "new", "mornings")
	output(t, dir, nil, program, "reproduce", "mornings/mornings.yaml", "--quick")
	output(t, dir, env, installed, "-c", `
import gridsweep
assert len(gridsweep.claims("out/quick/mornings")) == 2`)
	output(t, release, nil, python, "-c", `
import base64, glob, hashlib, zipfile
for name in glob.glob("*.whl"):
    with zipfile.ZipFile(name) as wheel:
        record = next(n for n in wheel.namelist() if n.endswith("dist-info/RECORD"))
        lines = wheel.read(record).decode().splitlines()
        assert [line.split(",")[0] for line in lines[:-1]] == [n for n in wheel.namelist() if n != record], name
        assert lines[-1] == record + ",,", name
        for line in lines[:-1]:
            file, digest, size = line.split(",")
            data = wheel.read(file)
            want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            assert (digest, size) == ("sha256=" + want, str(len(data))), line
`)
	for _, system := range []string{"manylinux_2_17_x86_64", "musllinux_1_1_x86_64", "win_amd64"} {
		output(t, dir, env, installed, "-m", "pip", "download", "--only-binary", ":all:", "--platform", system,
			"--find-links", release, "--dest", system, "gridsweep")
	}
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
