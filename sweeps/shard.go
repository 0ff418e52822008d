package sweeps

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is the i-th of n parts of a plan, i from 1. The zero Shard is the whole plan.
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

// Shard returns the runs of one shard. For any n the n shards are disjoint, contiguous and together the whole plan;
// they are balanced by cost, and some are empty where there are more shards than runs.
func (p *Plan) Shard(s Shard) []Run {
	if s.Count == 0 {
		return p.Runs
	}
	total := Cost(p.Runs)
	done := 0.0
	from, to := len(p.Runs), len(p.Runs)
	for i, run := range p.Runs {
		// A run belongs to the shard in whose share of the work its middle lies.
		middle := (done + run.Cost/2) / total
		shard := min(int(middle*float64(s.Count))+1, s.Count)
		if shard >= s.Index && i < from {
			from = i
		}
		if shard > s.Index {
			to = i
			break
		}
		done += run.Cost
	}
	return p.Runs[min(from, to):to]
}
