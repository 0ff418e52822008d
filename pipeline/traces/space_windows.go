// The free space of a file system on Windows.

package traces

import (
	"errors"
	"math"

	"golang.org/x/sys/windows"
)

// freeSpace returns how many bytes may be written into a folder. It is math.MaxInt64 if the file
// system does not say.
func freeSpace(dir string) (int64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	switch err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, windows.ERROR_INVALID_FUNCTION):
		return math.MaxInt64, nil
	case err != nil:
		return 0, err
	}
	return int64(min(free, math.MaxInt64)), nil
}
