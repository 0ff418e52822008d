package interrupt

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// stopSignals returns what stops the program: ctrl-C and ctrl-Break of a terminal, and as SIGTERM
// that its window is closed, the user logs off or the machine goes down.
func stopSignals() []os.Signal { return []os.Signal{os.Interrupt, windows.SIGTERM} }

// name returns a signal's name, such as interrupt.
func name(s os.Signal) string { return s.String() }

// OutlivePipes does nothing: on Windows a write to a pipe that nobody reads returns an error anyway.
func OutlivePipes() {}

// IsClosedPipe reports whether the error of a write is that nobody reads the pipe any more.
func IsClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
