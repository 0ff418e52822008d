// Sizes: the list of clusters' processors, and the two-stage distribution of job sizes.

package workload

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gridsweep/model/rng"
)

// ParseSizes reads the processors of clusters, such as "144,64,64,64,64": whole numbers of 1 or
// more whose sum fits 31 bits. Spaces around them do not matter.
func ParseSizes(text string) ([]int32, error) {
	var sizes []int32
	sum := int64(0)
	for i, number := range strings.Split(text, ",") {
		size, err := strconv.ParseInt(strings.TrimSpace(number), 10, 32)
		if err != nil || size < 1 {
			return nil, fmt.Errorf("sizes %q: number %d is %q, want processors of clusters, from 1 to %d, such as 144,64,64",
				text, i+1, number, math.MaxInt32)
		}
		if sum += size; sum > math.MaxInt32 {
			return nil, fmt.Errorf("sizes %q: together they are more than %d processors", text, math.MaxInt32)
		}
		sizes = append(sizes, int32(size))
	}
	return sizes, nil
}

// Sizes is ParseSizes for a text that has been checked; it panics for another.
func Sizes(text string) []int32 {
	sizes, err := ParseSizes(text)
	if err != nil {
		panic("workload: " + err.Error())
	}
	return sizes
}

// twoStage is the distribution of sizes of Lublin and Feitelson: serial jobs; powers of two; and
// others, the last two from a two-stage uniform distribution of the binary logarithm: uniform on
// [low, medium] with probability prob, else on [medium, high].
type twoStage struct {
	serial, pow2      float64 // shares
	low, medium, high float64 // binary logarithms
	prob              float64
	even              bool  // whether others are even
	limit             int32 // no job is larger
}

// draw takes three numbers of the stream for each size, so that the jobs of other machines are
// drawn from the same numbers.
func (d *twoStage) draw(s *rng.Stream) int32 {
	class, stage, position := s.Float64(), s.Float64(), s.Float64()
	if class <= d.serial {
		return 1
	}
	from, to := d.low, d.medium
	if stage > d.prob {
		from, to = d.medium, d.high
	}
	x := from + float64(position*(to-from))
	var size float64
	switch {
	case class <= d.serial+d.pow2:
		size = float64(int64(1) << int(max(0, math.Floor(x+0.5))))
	case d.even:
		size = 2 * math.Floor(float64(0.5*rng.Pow(2, x))+0.5)
	default:
		size = math.Floor(rng.Pow(2, x) + 0.5)
	}
	return int32(min(max(size, 1), float64(d.limit)))
}

// below returns the probability that the two-stage uniform is at most x.
func (d *twoStage) below(x float64) float64 {
	stage := func(from, to float64) float64 {
		switch {
		case x >= to:
			return 1
		case x <= from:
			return 0
		}
		return (x - from) / (to - from)
	}
	return float64(d.prob*stage(d.low, d.medium)) + float64((1-d.prob)*stage(d.medium, d.high))
}

// shares returns the probability of each size; that of size n has the index n.
func (d *twoStage) shares() []float64 {
	p := make([]float64, d.limit+1)
	p[1] = d.serial
	step := 1
	if d.even {
		step = 2
	}
	d.split(p, 1-d.serial-d.pow2, func(i int) (size int, end float64) {
		end = float64(step) * (float64(i) + 0.5)
		return max(1, i*step), float64(rng.Log(end) * (1 / math.Ln2))
	})
	d.split(p, d.pow2, func(i int) (size int, end float64) { return 1 << i, float64(i) + 0.5 })
	return p
}

// split divides a share among sizes. rounded returns the i-th size, and the end of the logarithms
// that are rounded to it, which begin at the end of the size before. All above limit become limit.
func (d *twoStage) split(p []float64, share float64, rounded func(i int) (size int, end float64)) {
	before := 0.0 // the probability up to the size before
	for i := 0; before < 1; i++ {
		size, end := rounded(i)
		upTo := d.below(end)
		if size >= int(d.limit) {
			size, upTo = int(d.limit), 1
		}
		p[size] += float64(share * (upTo - before))
		before = upTo
	}
}
