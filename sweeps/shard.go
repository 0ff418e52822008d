// Shards: contiguous sections of a plan of about equal cost.

package sweeps

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shard is the i-th of n sections of a plan, i from 1. The zero Shard is the whole plan.
type Shard struct{ Index, Count int }

// ParseShard reads "i/n" with 1 ≤ i ≤ n.
func ParseShard(text string) (Shard, error) {
	first, second, _ := strings.Cut(text, "/")
	i, errIndex := strconv.Atoi(first)
	n, errCount := strconv.Atoi(second)
	if errIndex != nil || errCount != nil || i < 1 || n < i {
		return Shard{}, fmt.Errorf("shard %q: write i/n with 1 <= i <= n, such as 2/7", text)
	}
	return Shard{i, n}, nil
}

// String returns "i/n".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Shard returns the runs of one shard. For any n the n shards are disjoint, contiguous and together
// the whole plan; they are balanced by cost. Some may be empty, as where one run costs more than
// the share of a shard.
func (p *Plan) Shard(s Shard) []Run {
	if s.Count == 0 {
		return p.Runs
	}
	work := make([]float64, len(p.Runs))
	for i, run := range p.Runs {
		work[i] = run.Cost
	}
	cuts := Cuts(work, s.Count)
	return p.Runs[cuts[s.Index-1]:cuts[s.Index]]
}

// Cuts returns where to cut runs with that much work each into n contiguous shards of about equal
// work: shard i, from 0, is the runs [cuts[i], cuts[i+1]). Where no run has work, they are counted.
func Cuts(work []float64, n int) []int {
	total := 0.0
	for _, w := range work {
		total += w
	}
	if total == 0 {
		work, total = slices.Repeat([]float64{1}, len(work)), float64(len(work))
	}
	cuts := make([]int, n+1)
	done, shard := 0.0, 0
	for i, w := range work {
		// A run belongs to the shard in whose share of the work its middle lies.
		middle := (done + w/2) / total
		for ; shard < min(int(middle*float64(n)), n-1); shard++ {
			cuts[shard+1] = i
		}
		done += w
	}
	for ; shard < n; shard++ {
		cuts[shard+1] = len(work)
	}
	return cuts
}
