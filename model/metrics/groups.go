package metrics

import (
	"fmt"
	"math/bits"
	"slices"
)

// Group is the measures of the counted jobs that share a key.
type Group struct {
	Key   int32
	Share float64 // of the processor-seconds of all counted jobs
	Measures
}

// By measures the jobs that count apart by their key, such as the user: keys has one for each job
// of the schedule. The groups come in the order of their keys. It returns an error for a schedule
// that breaks its rules and where no job counts.
func By(s Schedule, window Window, keys []int32) ([]Group, error) {
	if len(keys) != s.Len() {
		panic(fmt.Sprintf("metrics: %d keys for %d jobs", len(keys), s.Len()))
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	list, err := window.counted(s)
	if err != nil {
		return nil, err
	}
	order := make([]uint64, len(list)) // key, then index: one number to sort by
	for k, i := range list {
		order[k] = uint64(uint32(keys[i])^1<<31)<<32 | uint64(i)
	}
	slices.Sort(order)
	for k, v := range order {
		list[k] = int32(uint32(v))
	}
	overtakes := overtaking(s)
	var groups []Group
	total := 0.0
	for from := 0; from < len(list); {
		key, to := keys[list[from]], from
		for to < len(list) && keys[list[to]] == key {
			to++
		}
		group := Group{Key: key, Measures: measure(s, list[from:to], overtakes)}
		total += group.Work
		groups = append(groups, group)
		from = to
	}
	for i := range groups {
		groups[i].Share = groups[i].Work / total
	}
	return groups, nil
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
