// Package progress shows the progress of a plan: as a bar on a terminal, as lines elsewhere. The
// time left is computed from costs, since runs of one plan may differ in length by a factor of a
// thousand. A plan of less than two seconds shows its last line only. The first failures are shown
// at once.
package progress

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/schollz/progressbar/v3"

	"gridsweep/pipeline"
)

// Quiet is the time from the start to the first line.
const Quiet = 2 * time.Second

// interval is the time between lines.
const interval = 10 * time.Second

// shownFailures bounds the failures that are shown as they happen. Of those with equal causes only
// the first is shown, since a wrong parameter may fail every run.
const shownFailures = 20

// Items returns a hook that writes a line on runs or other items every ten seconds, such as
//
//	coallocation: 1,200 of 5,440 runs (22 %), 61 runs/s, 1m10s left
//
// On a terminal, where columns is not nil, it draws a bar with the same numbers. columns returns
// the width of the terminal, 0 if that is unknown. On a narrow terminal the bar shrinks and shows
// fewer numbers, since a wrapped line cannot be redrawn.
func Items(w io.Writer, columns func() int) func(pipeline.Progress) {
	begun := sync.OnceValue(time.Now) // by the first call of the hook
	failures := failures{}
	shown := newDisplay(w, columns)
	return func(p pipeline.Progress) {
		elapsed := time.Since(begun())
		switch {
		case p.Failure != nil:
			shown.print(failures.lineFor(p))
		case p.Ended:
			shown.print(last(p, elapsed) + "\n")
		case elapsed < Quiet: // nothing is shown yet
		case columns != nil:
			shown.draw(int(steps*share(p)), state(p, elapsed, ""), brief(p, elapsed))
		case shown.isDue():
			percent := fmt.Sprintf(" (%d %%)", 100*p.Done()/max(p.Total, 1))
			shown.print(state(p, elapsed, percent) + "\n")
		}
	}
}

// steps is the number of steps of a full bar.
const steps = 1000

// display shows progress: as a bar on a terminal, as lines elsewhere. Its writes fail only if the
// terminal does, where an error could not be shown either.
type display struct {
	w       io.Writer
	columns func() int               // nil without a terminal
	bar     *progressbar.ProgressBar // without its own prediction of the time left
	printed time.Time                // when isDue was last true
}

func newDisplay(w io.Writer, columns func() int) *display {
	return &display{w: w, columns: columns, bar: progressbar.NewOptions(steps, progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(20), progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetPredictTime(false), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionUseANSICodes(true))}
}

// print prints a text, in place of the bar.
func (d *display) print(text string) {
	if d.columns != nil {
		_ = d.bar.Clear()
	}
	fmt.Fprint(d.w, text)
}

// draw draws the bar with the longer text if it fits, else the shorter one.
func (d *display) draw(step int, longer, shorter string) {
	// The last step would end the bar before the last batch is written.
	_ = d.bar.Set(min(step, steps-1))
	d.bar.Describe(fit(d.columns(), longer, shorter))
}

// isDue reports whether it is time for another line.
func (d *display) isDue() bool {
	if time.Since(d.printed) < interval {
		return false
	}
	d.printed = time.Now()
	return true
}

// share returns the share of the work that is done, from 0 to 1.
func share(p pipeline.Progress) float64 {
	if p.Cost <= 0 {
		return 0
	}
	return p.CostDone / p.Cost
}

// state returns the progress of the plan, with percent after the number of runs.
func state(p pipeline.Progress, elapsed time.Duration, percent string) string {
	text := fmt.Sprintf("%s: %s of %s%s", p.Study, count(p.Done()), things(p.Total, p), percent)
	if p.Finished+p.Failed > 0 {
		text += ", " + rate(p, elapsed)
	}
	return text + left(p, elapsed) + failed(p)
}

// left returns the time left at the rate so far, after a comma; empty at the start and the end.
func left(p pipeline.Progress, elapsed time.Duration) string {
	s := share(p)
	if s <= 0 || s >= 1 {
		return ""
	}
	return fmt.Sprintf(", %s left", duration(time.Duration(float64(elapsed)*(1-s)/s)))
}

// brief returns state without the name of the study and the rate.
func brief(p pipeline.Progress, elapsed time.Duration) string {
	return fmt.Sprintf("%s of %s%s%s", count(p.Done()), things(p.Total, p), left(p, elapsed), failed(p))
}

// fit returns the longer text if it fits after a bar on a line of columns characters, otherwise the
// shorter one, cut if needed.
func fit(columns int, longer, shorter string) string {
	const frame = len("  30% ||   ") // the least width of the bar
	room := max(0, columns-frame)
	switch {
	case columns <= 0 || len(longer) <= room:
		return longer
	case len(shorter) <= room:
		return shorter
	default:
		return shorter[:room]
	}
}

func last(p pipeline.Progress, elapsed time.Duration) string {
	ran := p.Finished + p.Failed
	switch {
	case p.Skipped == p.Total:
		return fmt.Sprintf("%s: nothing to run, %s of %s were there already", p.Study, count(p.Skipped), things(p.Total, p))
	case p.Done() < p.Total:
		return fmt.Sprintf("%s: stopped at %s of %s after %s%s",
			p.Study, count(p.Done()), things(p.Total, p), duration(elapsed), failed(p))
	case p.Skipped > 0:
		return fmt.Sprintf("%s: %s in %s, %s, %s were there already%s",
			p.Study, things(ran, p), duration(elapsed), rate(p, elapsed), count(p.Skipped), failed(p))
	default:
		return fmt.Sprintf("%s: %s in %s, %s%s", p.Study, things(ran, p), duration(elapsed), rate(p, elapsed), failed(p))
	}
}

func failed(p pipeline.Progress) string {
	if p.Failed == 0 {
		return ""
	}
	return ", " + count(p.Failed) + " failed"
}

// failures has the causes that were shown.
type failures map[string]bool

// lineFor returns the line that shows a failure; empty if one with an equal cause has been shown,
// or shownFailures have been.
func (f failures) lineFor(p pipeline.Progress) string {
	if len(f) == shownFailures || f[p.Failure.Cause()] {
		return ""
	}
	f[p.Failure.Cause()] = true
	text := fmt.Sprintf("%s: run %s (%s, replication %d) failed: %s\n", p.Study, p.Failure.ID, p.Failure.Cell,
		p.Failure.Replication, p.Failure.Error)
	if len(f) == shownFailures {
		text += p.Study + ": further failures are counted only\n"
	}
	return text
}

func count(n int) string { return humanize.Comma(int64(n)) }

// things returns a number with the item that is counted: 1 run, 5,440 runs.
func things(n int, p pipeline.Progress) string {
	return count(n) + " " + english.PluralWord(n, item(p), "")
}

func item(p pipeline.Progress) string { return cmp.Or(p.Item, "run") }

// rate returns the runs, or other items, per second since the start; per minute or hour if that is
// less than one.
func rate(p pipeline.Progress, elapsed time.Duration) string {
	perSecond := float64(p.Finished+p.Failed) / max(elapsed.Seconds(), 1e-3)
	switch {
	case perSecond >= 10:
		return count(int(perSecond+0.5)) + " " + item(p) + "s/s"
	case perSecond >= 1:
		return fmt.Sprintf("%.1f %ss/s", perSecond, item(p))
	case perSecond*60 >= 1:
		return fmt.Sprintf("%.1f %ss/min", 60*perSecond, item(p))
	default:
		return fmt.Sprintf("%.1f %ss/h", 3600*perSecond, item(p))
	}
}

// duration returns d with its two largest units: 0.4s, 12s, 1m10s, 2h5m.
func duration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Hour:
		return d.Round(time.Second).String()
	default:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
}
