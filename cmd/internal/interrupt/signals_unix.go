//go:build unix

// What differs on Unix: the signals that stop a program, and writes to closed pipes.

package interrupt

import (
	"errors"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// stopSignals returns the signals that stop the program: those of a terminal, of batch systems
// before a time limit and, unless nohup(1) ignores it, of a closed terminal.
func stopSignals() []os.Signal {
	signals := []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGUSR1}
	if !signal.Ignored(unix.SIGHUP) {
		signals = append(signals, unix.SIGHUP)
	}
	return signals
}

// name returns a signal's name, such as SIGTERM.
func name(s os.Signal) string { return unix.SignalName(s.(unix.Signal)) }

// OutlivePipes makes a write to a closed pipe return an error. Otherwise it would end the program
// before finished runs are written.
func OutlivePipes() { signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE) }

// IsClosedPipe reports whether the error of a write is that the pipe is closed.
func IsClosedPipe(err error) bool { return errors.Is(err, unix.EPIPE) }
