// Limits of the content of a trace: by its number of jobs and by the free space on the disk.

package traces

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"gridsweep/configs"
)

// The limit of a trace's bytes. Archives say how many jobs a trace has, not how large its file is.
// A line of the Grid Workload Format, the longer of the two formats, has some 150 bytes.
const (
	bytesPerJob = 1000
	headerBytes = 1 << 20
	unknownJobs = 2_000_000 // at most, where the catalogue does not say how many
)

// limitOf returns the limit of a trace in bytes, packed or not.
func limitOf(t configs.Trace) int64 {
	return int64(cmp.Or(t.Jobs, unknownJobs))*bytesPerJob + headerBytes
}

// errTooLarge is the error of a file that exceeds the limit of its trace or the free space.
var errTooLarge = errors.New("too large")

// checkLimit returns an error if a trace has more bytes than its limit.
func checkLimit(t configs.Trace, bytes int64) error {
	if limit := limitOf(t); bytes > limit {
		return fmt.Errorf("%w: it has %d bytes or more, and this trace at most %d: %d for a job",
			errTooLarge, bytes, limit, bytesPerJob)
	}
	return nil
}

// limitedReader reads the content of a trace up to its limit: a small packed file may unpack to any
// number of bytes. A zero byte is an error: a power failure may leave zeros in place of bytes that
// an interrupted download had written.
type limitedReader struct {
	source io.Reader
	trace  configs.Trace
	read   int64
}

func (r *limitedReader) Read(to []byte) (int, error) {
	n, err := r.source.Read(to)
	before := r.read
	r.read += int64(n)
	if wrong := checkLimit(r.trace, r.read); wrong != nil {
		return 0, fmt.Errorf("its content is %w", wrong)
	}
	if i := bytes.IndexByte(to[:n], 0); i >= 0 {
		return 0, fmt.Errorf("byte %d of its text is zero: it was damaged on the way", before+int64(i)+1)
	}
	return n, err
}

// errNoSpace is the error of a file that exceeds the free space.
var errNoSpace = fmt.Errorf("%w for the disk", errTooLarge)

// checkSpace returns an error if a folder lacks room for the bytes; free is freeSpace but in tests.
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
