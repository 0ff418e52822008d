package metrics

// Groups: the measures of jobs by a key, such as the user or the class of sizes.

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
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
	// position of the next index of each key: first that of its first one
	next := make([]int32, high-low+2)
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

// SizeClass returns the number of the class of sizes, from 0, that a job of so many processors
// belongs to: 1, 2 to 4, 5 to 8, 9 to 16 and so on by powers of two.
func SizeClass(procs int32) int32 {
	switch {
	case procs <= 1:
		return 0
	case procs <= 4:
		return 1
	default:
		return int32(bits.Len32(uint32(procs-1))) - 1
	}
}

// SizesOf returns the least and the greatest size in a class.
func SizesOf(class int32) (low, high int64) {
	switch class {
	case 0:
		return 1, 1
	case 1:
		return 2, 4
	default:
		return 1<<class + 1, 1 << (class + 1)
	}
}
