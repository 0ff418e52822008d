//go:build unix

// Sources that may block: opening and reading pipes, standard input and files ends with the
// context; the content of pipes and the recorded checksums of files are compared.

package traces

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A file with another checksum than the recorded one is refused at its end. If it cannot be
// unpacked, the error names the checksums too.
func TestOpenRecorded(t *testing.T) {
	for _, ending := range endings {
		path := filepath.Join(t.TempDir(), "log.swf"+ending)
		right := []byte(packed(t, ending, twoJobs))
		put(t, path, right)
		if err := record(path, sumOfBytes(right)); err != nil {
			t.Fatal(err)
		}
		all := func() error {
			file, err := Open(t.Context(), path, nil)
			if err != nil {
				return err
			}
			defer file.Close()
			_, err = io.ReadAll(file)
			return err
		}
		if err := all(); err != nil {
			t.Errorf("%s: error %v", ending, err)
		}
		for _, other := range [][]byte{
			append(bytes.Clone(right), right...), right[:len(right)-1], []byte("PK\x03\x04"), []byte("\x1f\x8bno"),
			{}, jobs(9000, 3),
		} {
			put(t, path, other)
			err := all()
			if err == nil || !strings.Contains(err.Error(), sumOfBytes(other)) ||
				!strings.Contains(err.Error(), sumOfBytes(right)) || !strings.Contains(err.Error(), "remove") {
				t.Errorf("%s with %d bytes: error %v", ending, len(other), err)
			}
		}
		put(t, path, right)
		put(t, path+recordEnding, []byte("no checksum\n"))
		if err := all(); !failsWith(err, "correct or remove it") {
			t.Errorf("%s: error %v", ending, err)
		}
	}
}

// The computation of a checksum ends when the context is done.
func TestVerifyInterrupted(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.swf")
	put(t, log, jobs(10, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if sum, _, err := Verify(ctx, log); !errors.Is(err, context.Canceled) || sum != "" {
		t.Errorf("%q, error %v", sum, err)
	}
}

// Opening and reading a pipe end when the context is done.
func TestOpenInterrupted(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip("no named pipes: ", err)
	}
	read := func(path string, stdin io.Reader) error {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Millisecond, cancel)
		file, err := Open(ctx, path, stdin)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.ReadAll(file)
		return err
	}
	if err := read(fifo, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a pipe without a writer: error %v", err)
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	if _, err := out.WriteString(twoJobs); err != nil {
		t.Fatal(err)
	}
	if err := read("-", in); !errors.Is(err, context.Canceled) {
		t.Errorf("a silent standard input: error %v", err)
	}
	log := filepath.Join(t.TempDir(), "log.swf")
	put(t, log, jobs(20_000, 1)) // more than is read ahead
	done, cancel := context.WithCancel(t.Context())
	file, err := Open(done, log, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cancel()
	if _, err := io.ReadAll(file); !errors.Is(err, context.Canceled) {
		t.Errorf("a file: error %v", err)
	}
}

// The content of a pipe does not depend on the sizes of reads.
func TestOpenPipe(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip("no named pipes: ", err)
	}
	want := jobs(20_000, 5)
	go func() { _ = os.WriteFile(fifo, want, 0o600) }() // the comparison below sees what fails
	file, err := Open(t.Context(), fifo, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil || !bytes.Equal(text, want) || file.Checksum() != sumOfBytes(want) {
		t.Errorf("%d bytes, error %v", len(text), err)
	}
}
