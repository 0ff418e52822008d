// What differs on Windows: the signals that stop a program, and writes to closed pipes.

package interrupt

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// stopSignals returns the signals that stop the program: ctrl-C and ctrl-Break of a terminal, and
// SIGTERM, when its window is closed, the user logs off or the machine shuts down.
func stopSignals() []os.Signal { return []os.Signal{os.Interrupt, windows.SIGTERM} }

// name returns a signal's name, such as interrupt.
func name(s os.Signal) string { return s.String() }

// OutlivePipes does nothing: on Windows a write to a closed pipe returns an error anyway.
func OutlivePipes() {}

// IsClosedPipe reports whether the error of a write is that the pipe is closed.
func IsClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
