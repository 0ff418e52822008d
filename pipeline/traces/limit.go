package traces

import (
	"errors"
	"fmt"
	"io"

	"gridsweep/configs"
)

// What bounds the bytes of a trace: archives say how many jobs a trace has, not how large its file
// is. A line of the Grid Workload Format, the longer of the two, is some 150 bytes long, packed
// less.
const (
	bytesPerJob = 1000
	headerBytes = 1 << 20
	unknownJobs = 2_000_000 // that a trace is taken to have at most where the catalogue does not say
)

// limitOf returns how many bytes a trace of the catalogue has at most, packed or not.
func limitOf(t configs.Trace) int64 {
	jobs := t.Jobs
	if jobs == 0 {
		jobs = unknownJobs
	}
	return int64(jobs)*bytesPerJob + headerBytes
}

// errTooLarge is the error of a file that may not be stored: it has more bytes than it can have or
// than there is room for.
var errTooLarge = errors.New("too large")

// checkLimit returns an error if a trace cannot have so many bytes.
func checkLimit(t configs.Trace, bytes int64) error {
	if limit := limitOf(t); bytes > limit {
		return fmt.Errorf("%w: it has %d bytes or more, and this trace at most %d: %d for a job", errTooLarge, bytes, limit, bytesPerJob)
	}
	return nil
}

// bounded reads what is in the file of a trace and ends with an error behind what the trace can
// have: a small packed file may unpack to any number of bytes.
type bounded struct {
	source io.Reader
	trace  configs.Trace
	read   int64
}

func (r *bounded) Read(to []byte) (int, error) {
	n, err := r.source.Read(to)
	r.read += int64(n)
	if wrong := checkLimit(r.trace, r.read); wrong != nil {
		return 0, fmt.Errorf("its content is %w", wrong)
	}
	return n, err
}

// errNoSpace is the error of a file that the disk has no room for.
var errNoSpace = fmt.Errorf("%w for the disk", errTooLarge)

// checkSpace returns an error if a folder has no room for so many bytes more; free is freeSpace.
func checkSpace(free func(dir string) (int64, error), dir string, bytes int64) error {
	room, err := free(dir)
	if err != nil {
		return fmt.Errorf("look how much space is free in %s: %w", dir, err)
	}
	if bytes > room {
		return fmt.Errorf("%w: %d bytes are needed in %s, %d are free; free some space or name another folder with --dir",
			errNoSpace, bytes, dir, room)
	}
	return nil
}
