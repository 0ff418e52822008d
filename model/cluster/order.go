// Orders: the scores by which the queue is sorted.

package cluster

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gridsweep/model/rng"
)

// Order is how the queue is sorted: by score, lowest first, then by further keys, then by arrival.
// The zero Order is arrival. ParseOrder returns those of docs/reference/scheduling.md, and package
// ordering others; one of your own is a literal.
type Order struct {
	Name string
	// Score returns a job's score at now, in s, at or after its submit. It must depend on its
	// arguments alone, and not be NaN. The job's Estimate is the one that the scheduler plans with,
	// at least 1 s. Nil: all scores are equal.
	Score func(job *Job, now int64) float64
	// Changes is set if scores depend on now. If it is set in any key, the queue is sorted again at
	// each pass and compression.
	Changes bool
	// Then are further keys: each orders the jobs whose scores are equal under the keys before it.
	// The first key needs a Score.
	Then []Order
}

// changes reports whether scores of a key depend on time.
func (o *Order) changes() bool {
	return o.Changes || slices.ContainsFunc(o.Then, func(key Order) bool { return key.changes() })
}

// compareTies compares two jobs of equal scores at now by the further keys.
func (o *Order) compareTies(a, b *Job, now int64) int {
	for i := range o.Then {
		key := &o.Then[i]
		if key.Score != nil {
			if c := cmp.Compare(key.Score(a, now), key.Score(b, now)); c != 0 {
				return c
			}
		}
		if c := key.compareTies(a, b, now); c != 0 {
			return c
		}
	}
	return 0
}

// orders are the queue orders of docs/reference/scheduling.md.
var orders = []Order{
	{Name: "arrival"},
	{Name: "shortest", Score: func(j *Job, _ int64) float64 { return float64(j.Estimate) }},
	{Name: "longest", Score: func(j *Job, _ int64) float64 { return -float64(j.Estimate) }},
	{Name: "smallest", Score: func(j *Job, _ int64) float64 { return float64(j.Procs) }},
	{Name: "largest", Score: func(j *Job, _ int64) float64 { return -float64(j.Procs) }},
	{Name: "smallest-area", Score: func(j *Job, _ int64) float64 { return area(j) }},
	{Name: "largest-area", Score: func(j *Job, _ int64) float64 { return -area(j) }},
	{Name: "wfp3", Score: wfp3, Changes: true},
	{Name: "unicef", Score: unicef, Changes: true},
	{Name: "priority", Score: func(j *Job, _ int64) float64 { return -float64(j.Priority) }},
}

// OrderNames lists the orders that ParseOrder accepts.
func OrderNames() []string {
	names := make([]string, len(orders))
	for i, o := range orders {
		names[i] = o.Name
	}
	return names
}

// ParseOrder returns the order of that name. The error lists the names.
func ParseOrder(name string) (Order, error) {
	for _, o := range orders {
		if o.Name == name {
			return o, nil
		}
	}
	return Order{}, fmt.Errorf("there is no queue order %q; known are %s", name, strings.Join(OrderNames(), ", "))
}

func area(j *Job) float64 { return float64(j.Procs) * float64(j.Estimate) }

// wfp3 is the WFP3 of Tang, Lan, Desai & Buettner (CLUSTER 2009): (waited / estimate)³ ×
// processors, the highest first.
func wfp3(j *Job, now int64) float64 {
	waited := float64(now-j.Submit) / float64(j.Estimate)
	return -waited * waited * waited * float64(j.Procs)
}

// unicef is the UNICEF of the same paper: waited / estimate / log₂(processors), the highest first.
// The logarithm of a serial job is 0: it is ahead of all others, whatever its wait.
func unicef(j *Job, now int64) float64 {
	if j.Procs == 1 {
		return math.Inf(-1)
	}
	return -(float64(now-j.Submit) / float64(j.Estimate)) / rng.Log2(float64(j.Procs))
}
