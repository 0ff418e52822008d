package progress

// Progress of downloads.

import (
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"

	"gridsweep/pipeline/traces"
)

// DownloadLines returns a hook that writes a line every ten seconds of a download, such as
//
//	das2: 3.1 MB of 9.4 MB (33 %), 310 kB/s, 20s left
//
// and one for each new attempt and for the end.
func DownloadLines(w io.Writer) func(traces.Progress) {
	var clock clock
	var shown time.Time
	return func(p traces.Progress) {
		elapsed := clock.elapsed()
		switch {
		case p.Ended:
			fmt.Fprintln(w, fetched(p, elapsed))
		case p.Retry != nil:
			fmt.Fprintln(w, again(p))
		case elapsed >= quiet && time.Since(shown) >= interval:
			shown = time.Now()
			fmt.Fprintln(w, bytesDone(p, elapsed))
		}
	}
}

// DownloadBar returns a hook that draws a bar with the same numbers on a terminal; columns is the
// same as in Bar.
func DownloadBar(w io.Writer, columns func() int) func(traces.Progress) {
	const steps = 1000
	var clock clock
	bar := newBar(w, steps)
	return func(p traces.Progress) {
		elapsed := clock.elapsed()
		// As in Bar, an error of the terminal could not be shown.
		switch {
		case p.Ended:
			_ = bar.Clear()
			fmt.Fprintln(w, fetched(p, elapsed))
		case p.Retry != nil:
			_ = bar.Clear()
			fmt.Fprintln(w, again(p))
		default:
			if p.Total > 0 {
				_ = bar.Set(min(int(steps*p.Done/p.Total), steps-1))
			}
			bar.Describe(fit(columns(), bytesDone(p, elapsed), bytesOf(p)))
		}
	}
}

// newBar returns a bar without its own prediction of the time left.
func newBar(w io.Writer, steps int) *progressbar.ProgressBar {
	return progressbar.NewOptions(steps, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(20),
		progressbar.OptionShowDescriptionAtLineEnd(), progressbar.OptionSetPredictTime(false),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionUseANSICodes(true))
}

// bytesDone returns the progress of the download, its rate and, if the length is known, the time
// left.
func bytesDone(p traces.Progress, elapsed time.Duration) string {
	text := bytesOf(p)
	if p.Total > 0 {
		text += fmt.Sprintf(" (%d %%)", 100*p.Done/p.Total)
	}
	received := p.Done - p.Resumed
	text += ", " + bytesRate(received, elapsed)
	if received > 0 && p.Total > p.Done {
		left := float64(elapsed) * float64(p.Total-p.Done) / float64(received)
		text += fmt.Sprintf(", %s left", duration(time.Duration(left)))
	}
	return text
}

func bytesOf(p traces.Progress) string {
	if p.Total == 0 {
		return fmt.Sprintf("%s: %s", p.Trace, size(p.Done))
	}
	return fmt.Sprintf("%s: %s of %s", p.Trace, size(p.Done), size(p.Total))
}

func again(p traces.Progress) string {
	return fmt.Sprintf("%s: %v; trying again", p.Trace, p.Retry)
}

// fetched returns the last line.
func fetched(p traces.Progress, elapsed time.Duration) string {
	if p.Path == "" {
		return fmt.Sprintf("%s after %s: stopped", bytesOf(p), duration(elapsed))
	}
	text := fmt.Sprintf("%s: %s in %s, %s", p.Trace, size(p.Done), duration(elapsed), bytesRate(p.Done-p.Resumed, elapsed))
	if p.Resumed > 0 {
		text += fmt.Sprintf(", %s were there already", size(p.Resumed))
	}
	return text
}

func bytesRate(n int64, elapsed time.Duration) string {
	return size(int64(float64(n)/max(elapsed.Seconds(), 1e-3))) + "/s"
}

func size(n int64) string { return humanize.Bytes(uint64(max(0, n))) }
