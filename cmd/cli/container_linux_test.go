// The container image, built with buildah: its user, entry point and the owner of results.

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The container image runs the program as an unprivileged user, with results in the mounted working
// directory.
func TestContainerImage(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds a container image")
	}
	t.Parallel()
	for _, program := range []string{"buildah", "git", "make", "tar", "gzip", "zip"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s: no image is built; on Debian apt-get install buildah", program)
		}
	}
	dir := t.TempDir()
	settings := filepath.Join(dir, "storage.conf")
	text := "[storage]\ndriver = \"vfs\"\ngraphroot = \"" + dir + "/images\"\nrunroot = \"" + dir + "/running\"\n"
	if err := os.WriteFile(settings, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	source := sourceCopy(t, filepath.Join(dir, "source"))
	env := []string{"CONTAINERS_STORAGE_CONF=" + settings, "STORAGE_DRIVER=vfs", "BUILDAH_ISOLATION=chroot"}
	scratch := exec.Command("buildah", "from", "scratch")
	scratch.Env = append(os.Environ(), env...)
	if messages, err := scratch.CombinedOutput(); err != nil {
		t.Skipf("buildah makes no containers here: %v\n%s", err, messages)
	}
	output(t, source, env, "make", "image")
	container := strings.TrimSpace(output(t, source, env, "buildah", "from", "localhost/gridsweep"))
	results := filepath.Join(dir, "results")
	if err := os.Mkdir(results, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(results, 0o777); err != nil { // for any mask: the image has another user
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		args = append([]string{"run", "--volume", results + ":/results", container, "--"}, args...)
		return output(t, source, env, "buildah", args...)
	}
	run("/usr/bin/gridsweep", "new", "mornings")
	info, err := os.Stat(filepath.Join(results, "mornings", "mornings.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; owner != 65532 {
		t.Errorf("results belong to user %d, want 65532", owner)
	}
	format := "{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.User}}"
	config := output(t, source, env, "buildah", "inspect", "--format", format, container)
	if strings.TrimSpace(config) != "[/usr/bin/gridsweep] 65532:65532" {
		t.Errorf("entry point and user are %s", config)
	}
}
