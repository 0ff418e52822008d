//go:build unix

// The free space of a file system on Unix.

package traces

import (
	"errors"
	"math"

	"golang.org/x/sys/unix"
)

// freeSpace returns how many bytes may be written into a folder. It is math.MaxInt64 if the file
// system does not say.
func freeSpace(dir string) (int64, error) {
	var stat unix.Statfs_t
	switch err := unix.Statfs(dir, &stat); {
	case errors.Is(err, unix.ENOSYS), err == nil && (stat.Blocks == 0 || stat.Bsize <= 0):
		return math.MaxInt64, nil
	case err != nil:
		return 0, err
	}
	size := uint64(stat.Bsize)
	return int64(min(uint64(stat.Bavail), math.MaxInt64/size) * size), nil
}
