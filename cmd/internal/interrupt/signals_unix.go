//go:build unix

package interrupt

import (
	"errors"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// stopSignals returns the signals that stop the program: of a terminal, of batch systems before a
// time limit, and of a terminal that is closed, unless nohup(1) was to keep that from us.
func stopSignals() []os.Signal {
	signals := []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGUSR1}
	if !signal.Ignored(unix.SIGHUP) {
		signals = append(signals, unix.SIGHUP)
	}
	return signals
}

// name returns a signal's name, such as SIGTERM.
func name(s os.Signal) string { return unix.SignalName(s.(unix.Signal)) }

// OutlivePipes lets a write to a pipe that nobody reads return an error. Else it would end the
// program, which may be amid runs that nobody has written yet.
func OutlivePipes() { signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE) }

// IsClosedPipe reports whether the error of a write is that nobody reads the pipe any more.
func IsClosedPipe(err error) bool { return errors.Is(err, unix.EPIPE) }
