// Package interrupt handles the signals that stop a program: the first cancels the context of its
// work, so that finished runs are written, and the second ends the program at once.
package interrupt

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// interrupted is the cause of a context that a signal cancelled.
type interrupted struct{ signal os.Signal }

func (i interrupted) Error() string {
	return "interrupted by " + name(i.signal)
}

// Reason returns why ctx has ended.
func Reason(ctx context.Context) string {
	if i, ok := context.Cause(ctx).(interrupted); ok {
		return i.Error()
	}
	return "interrupted"
}

// Context returns a context that is cancelled by the first signal to stop, with a message on
// standard error. The second signal ends the program at once with an exit code.
func Context(ctx context.Context, exitCode int) context.Context {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, stopSignals()...)
	ctx, cancel := context.WithCancelCause(ctx)
	context.AfterFunc(ctx, func() {
		fmt.Fprintf(os.Stderr, "\ngridsweep: %s, writing finished runs; a second signal or ctrl-C ends at once\n",
			Reason(ctx))
	})
	go func() {
		cancel(interrupted{<-signals})
		// Repetitions of the first signal are ignored: timeout(1) sends it to the program and to
		// its group, and a shell that passes on ctrl-C sends it once more.
		time.Sleep(300 * time.Millisecond)
		for len(signals) > 0 {
			<-signals
		}
		<-signals
		os.Exit(exitCode)
	}()
	return ctx
}
