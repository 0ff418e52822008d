// Flags of durations, such as 90m or 7d.

package cli

import (
	"fmt"
	"math"
	"time"

	"gridsweep/model"
)

// duration is a duration as a flag, in the notation of study files. It is a pflag.Value.
type duration time.Duration

func (d *duration) String() string {
	if *d == 0 {
		return "0" // help then shows no default
	}
	return time.Duration(*d).String()
}

func (d *duration) Set(text string) error {
	seconds, err := model.ParseDuration(text)
	if err != nil {
		return err
	}
	nanoseconds := math.Round(seconds * float64(time.Second))
	if math.Abs(nanoseconds) >= math.MaxInt64 {
		return fmt.Errorf("%q is too long a duration", text)
	}
	*d = duration(nanoseconds)
	return nil
}

func (d *duration) Type() string { return "duration" }

// parseTime returns a time of a trace in seconds, the unit of numbers without one. An empty text is
// 0.
func parseTime(flag, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	const most = 1 << 40 // 35,000 years, so that sums of times do not overflow
	seconds, err := model.ParseTime(text)
	if err != nil || seconds < 0 || seconds > most {
		return 0, usageErrorf("%s %s: write a whole number of seconds, or numbers with units such as 90m, 1h30m, 36h or 7d",
			flag, text)
	}
	return seconds, nil
}
