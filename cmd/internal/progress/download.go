// Progress of downloads.

package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"gridsweep/pipeline/traces"
)

// Download returns a hook that writes a line every ten seconds of a download, such as
//
//	das2: 3.1 MB of 9.4 MB (33 %), 310 kB/s, 20s left
//
// and one for each new attempt and for the end. On a terminal it draws a bar; columns is the same
// as in Items.
func Download(w io.Writer, columns func() int) func(traces.Progress) {
	begun := sync.OnceValue(time.Now)
	shown := newDisplay(w, columns)
	return func(p traces.Progress) {
		elapsed := time.Since(begun())
		switch {
		case p.Ended:
			shown.print(fetched(p, elapsed) + "\n")
		case p.Retry != nil:
			shown.print(again(p) + "\n")
		case columns != nil:
			step := int64(0)
			if p.Total > 0 {
				step = steps * p.Done / p.Total
			}
			shown.draw(int(step), bytesDone(p, elapsed), bytesOf(p))
		case elapsed >= Quiet && shown.isDue():
			shown.print(bytesDone(p, elapsed) + "\n")
		}
	}
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
