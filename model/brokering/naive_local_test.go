// The naive simulator: local schedulers.

package brokering

import (
	"math"
	"slices"
)

// join adds a job to the queue of a resource of the broker that keeps it.
func (n *naive) join(j *naiveJob, d int) {
	c, ok := n.bestFitting(j, d)
	if !ok {
		n.branches["shortest queue"]++
		c = n.shortestQueue(j, d)
	}
	n.begun++
	j.state, j.broker, j.cluster, j.begun = "queued", d, c, n.begun
	n.pass(d, c)
}

// shortestQueue returns the resource with the fewest jobs in its queue of those that could hold the
// job, of these the one of highest rank.
func (n *naive) shortestQueue(j *naiveJob, d int) int {
	best := -1
	for c := range n.domains[d].clusters {
		if !n.couldHold(j, d, c) {
			continue
		}
		if best < 0 || len(n.queue(d, c)) < len(n.queue(d, best)) ||
			len(n.queue(d, c)) == len(n.queue(d, best)) && n.resourceRank(j, d, c) > n.resourceRank(j, d, best) {
			best = c
		}
	}
	return best
}

// queue returns the queue of a resource: in the order of joining, local jobs ahead where own jobs
// come first in queues.
func (n *naive) queue(d, c int) []*naiveJob {
	list := n.list(func(j *naiveJob) bool { return j.state == "queued" && j.broker == d && j.cluster == c })
	slices.SortFunc(list, func(a, b *naiveJob) int { return a.begun - b.begun })
	if !n.ownQueue() {
		return list
	}
	var local, other []*naiveJob
	for _, j := range list {
		if j.origin == d {
			if len(other) > 0 {
				n.branches["local job ahead in a local queue"]++
			}
			local = append(local, j)
		} else {
			other = append(other, j)
		}
	}
	return append(local, other...)
}

// naiveRoom is what a resource has of CPUs, memory and disk.
type naiveRoom [3]int64

// needs returns the requirements of a job that a local scheduler considers.
func (n *naive) needs(j *naiveJob) naiveRoom {
	if n.p.LocalNeeds == "cpus" {
		return naiveRoom{int64(j.cpus)}
	}
	return naiveRoom{int64(j.cpus), j.memory, j.disk}
}

// left returns what running jobs leave free of a resource at second t, now or later.
func (n *naive) left(d, c int, t int64) naiveRoom {
	resource := n.domains[d].clusters[c]
	left := naiveRoom{int64(resource.cpus), resource.memory, resource.disk}
	for _, j := range n.running {
		if j.broker == d && j.cluster == c && j.end() > t {
			left = left.without(n.needs(j))
		}
	}
	return left
}

func (r naiveRoom) without(used naiveRoom) naiveRoom {
	return naiveRoom{r[0] - used[0], r[1] - used[1], r[2] - used[2]}
}

func (r naiveRoom) suffices(need naiveRoom) bool {
	return r[0] >= need[0] && r[1] >= need[1] && r[2] >= need[2]
}

// pass is a pass of a resource: EASY backfilling with one pivot, or FCFS.
func (n *naive) pass(d, c int) {
	var pivot *naiveJob
	shadow := int64(math.MaxInt64) // start of the pivot
	for _, j := range n.queue(d, c) {
		fits := n.left(d, c, n.now).suffices(n.needs(j))
		switch {
		case pivot == nil && fits:
			n.begin(j, d, c)
		case pivot == nil && n.p.Local == "fcfs":
			return
		case pivot == nil:
			pivot, shadow = j, n.now
			for !n.left(d, c, shadow).suffices(n.needs(j)) {
				shadow = n.nextEnd(d, c, shadow)
			}
		case fits && n.now+j.run <= shadow:
			n.branches["backfilled before the pivot"]++
			n.begin(j, d, c)
		case fits && n.left(d, c, shadow).without(n.needs(pivot)).suffices(n.needs(j)):
			n.branches["backfilled beside the pivot"]++
			n.begin(j, d, c)
		case fits:
			n.branches["held back by the pivot"]++
		}
	}
}

// passWhere makes a pass at each resource where a job has ended.
func (n *naive) passWhere(stopped []*naiveJob) {
	for d := range n.domains {
		for c := range n.domains[d].clusters {
			if slices.ContainsFunc(stopped, func(j *naiveJob) bool { return j.broker == d && j.cluster == c }) {
				n.pass(d, c)
			}
		}
	}
}

// nextEnd returns the first end of a job of a resource after second t: only then is there more
// room.
func (n *naive) nextEnd(d, c int, t int64) int64 {
	next := int64(math.MaxInt64)
	for _, j := range n.running {
		if j.broker == d && j.cluster == c && j.end() > t {
			next = min(next, j.end())
		}
	}
	return next
}
