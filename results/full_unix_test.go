//go:build unix

// A full disk, simulated by a limit on the length of files.

package results

import (
	"syscall"
	"testing"
)

// fullFor limits the length of this process' files while work is done, as a full disk would.
func fullFor(t *testing.T, bytes uint64, work func()) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	small := limit
	small.Cur = bytes
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
	}()
	work()
}
