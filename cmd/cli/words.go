// Messages; numbers, times and lists as text.

package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"gridsweep/model/trace"
)

// note prints a message on stderr; results go to stdout.
func (t *terminal) note(format string, args ...any) {
	fmt.Fprintln(t.err, printable(fmt.Sprintf(format, args...)))
}

// printable returns a text of several lines, in which control characters that come from a quoted
// file are escaped.
func printable(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = trace.Printable(line)
	}
	return strings.Join(lines, "\n")
}

// count returns a number with thousands separators: 4,080.
func count(n int) string { return humanize.Comma(int64(n)) }

// things returns a number of things with their name: 1 run, 4,080 runs.
func things(n int, name string) string { return count(n) + " " + english.PluralWord(n, name, "") }

// firstOf returns the first names, at most most, and how many more there are.
func firstOf(names []string, most int) []string {
	if more := len(names) - most; more > 0 {
		return append(slices.Clone(names[:most]), count(more)+" more")
	}
	return names
}

// took returns a duration in tenths of a second.
func took(d time.Duration) string { return d.Round(100 * time.Millisecond).String() }

// timeText returns a number of seconds, at least 1, as 45s, 3m20s or 2h5m0s.
func timeText(seconds float64) string {
	return time.Duration(max(1, seconds) * float64(time.Second)).Round(time.Second).String()
}

// rounded returns a number with some decimals, empty for NaN.
func rounded(x float64, decimals int) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// decimal returns a number with all its digits.
func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// orEmpty returns a number with all its digits, empty for NaN.
func orEmpty(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return decimal(x)
}
