// Classes: how the table of classes divides jobs by size and run time.

package scheduling

import (
	"fmt"
	"strconv"
	"strings"

	"gridsweep/model"
	"gridsweep/model/metrics"
	"gridsweep/model/profile"
)

// classes are the bounds between classes of jobs: of sizes in processors, of run times in s. A job
// at a bound belongs to the class below it.
type classes struct{ sizes, runs metrics.Ranges }

// parseClasses reads SIZES x RUN TIMES, two lists of rising bounds with commas between. An empty
// list does not divide the jobs.
func parseClasses(text string) (classes, error) {
	left, right, found := strings.Cut(text, "x")
	if !found {
		return classes{}, fmt.Errorf("%q are no classes: write bounds of sizes, x, and bounds of run times, "+
			"such as 8 x 1h or 1,8,64 x 1min,1h,10h", text)
	}
	var c classes
	for item := range items(left) {
		size, err := strconv.ParseInt(item, 10, 64)
		if err != nil || size < 1 || size >= int64(profile.MostProcs) ||
			len(c.sizes) > 0 && size <= c.sizes[len(c.sizes)-1] {
			return c, fmt.Errorf("%q: size %q: write rising numbers of processors from 1 on, such as 1,8,64", text, item)
		}
		c.sizes = append(c.sizes, size)
	}
	var err error
	if c.runs, err = parseBounds(right); err != nil {
		return c, fmt.Errorf("run times of classes: %w", err)
	}
	if c.count() > mostBounds {
		return c, fmt.Errorf("%q makes %d classes: %d are the most", text, c.count(), mostBounds)
	}
	return c, nil
}

// count returns how many classes there are.
func (c *classes) count() int { return (len(c.sizes) + 1) * (len(c.runs) + 1) }

// of returns the class of a job, from 0 on. Classes are numbered by size, then by run time, in s.
func (c *classes) of(procs, run int64) int32 {
	return int32(c.sizes.Of(procs)*(len(c.runs)+1) + c.runs.Of(run))
}

// names returns the ranges of sizes and of run times of a class, as texts of the table.
func (c *classes) names(class int) (size, run string) {
	duration := func(n int64) string { return model.Seconds(n).String() }
	size = c.sizes.Name(class / (len(c.runs) + 1))
	switch k := class % (len(c.runs) + 1); {
	case len(c.runs) == 0:
		return size, "all"
	case k == len(c.runs):
		return size, ">" + duration(c.runs[k-1])
	case k == 0:
		return size, "<=" + duration(c.runs[0])
	default:
		return size, duration(c.runs[k-1]) + "-" + duration(c.runs[k])
	}
}
