// Numbers in messages.

package workspace

import (
	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// count returns a number for messages: 4,080.
func count(n int) string { return humanize.Comma(int64(n)) }

// things returns a number with the name of what is counted: 1 run, 4,080 runs.
func things(n int, name string) string { return count(n) + " " + english.PluralWord(n, name, "") }

// fromTo returns a range of numbers, as one number where both ends are the same.
func fromTo(fewest, most int) string {
	if fewest == most {
		return count(most)
	}
	return count(fewest) + " to " + count(most)
}
