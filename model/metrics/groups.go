// Groups: the measures of jobs by a key, such as the user or the class of sizes.

package metrics

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
)

// Group is the measures of the counted jobs that share a key.
type Group struct {
	Key   int32   `json:"-"`
	Share float64 `json:"share"` // of the processor-seconds of all counted jobs
	Measures
}

// By measures the counted jobs of each key, such as the user: keys has one for each job of the
// schedule. The groups are in the order of their keys. It returns an error for a schedule that
// breaks its rules and where no job counts.
func By(s Schedule, window Window, keys []int32) ([]Group, error) {
	if len(keys) != s.Len() {
		panic(fmt.Sprintf("metrics: %d keys for %d jobs", len(keys), s.Len()))
	}
	list, err := window.counted(s)
	if err != nil {
		return nil, err
	}
	list = sortByKey(list, keys)
	overtakes := overtaking(s)
	var groups []Group
	total := 0.0
	for len(list) > 0 {
		key, n := keys[list[0]], 1
		for n < len(list) && keys[list[n]] == key {
			n++
		}
		group := Group{Key: key, Measures: measure(s, list[:n], overtakes, window.bound())}
		total += group.Work
		groups = append(groups, group)
		list = list[n:]
	}
	for i := range groups {
		groups[i].Share = groups[i].Work / total
	}
	return groups, nil
}

// sortByKey returns the indices, which are ascending, in the order of their keys, equal ones
// ascending. Keys in a narrow range, such as the users of a log, are counted, which is linear.
func sortByKey(list, keys []int32) []int32 {
	low, high := keys[list[0]], keys[list[0]]
	for _, i := range list {
		low, high = min(low, keys[i]), max(high, keys[i])
	}
	if span := int64(high) - int64(low); span > int64(4*len(list)) {
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
		return list
	}
	next := make([]int32, high-low+2) // where in sorted the next index of each key goes
	for _, i := range list {
		next[keys[i]-low+1]++
	}
	for k := range next[1:] {
		next[k+1] += next[k]
	}
	sorted := make([]int32, len(list))
	for _, i := range list {
		position := &next[keys[i]-low]
		sorted[*position] = i
		*position++
	}
	return sorted
}

// Ranges divide the whole numbers from 1 on. They are the last numbers of the ranges, rising, but
// for the last range, which has no end.
type Ranges []int64

// PowersOfTwo returns the ranges 1, 2 to 4, 5 to 8, 9 to 16 and so on, up to 2^31.
func PowersOfTwo() Ranges {
	ranges := Ranges{1}
	for last := int64(4); last <= 1<<31; last *= 2 {
		ranges = append(ranges, last)
	}
	return ranges
}

// Of returns the index of the range of a number.
func (r Ranges) Of(n int64) int { return sort.Search(len(r), func(i int) bool { return r[i] >= n }) }

// Name returns the text of a range, such as 1, 2-4 or >4; all where there is one only.
func (r Ranges) Name(i int) string {
	text := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch {
	case len(r) == 0:
		return "all"
	case i == len(r):
		return ">" + text(r[i-1])
	case i == 0 && r[0] == 1 || i > 0 && r[i] == r[i-1]+1:
		return text(r[i])
	case i == 0:
		return "1-" + text(r[0])
	default:
		return text(r[i-1]+1) + "-" + text(r[i])
	}
}
