package brokering

import "slices"

// queues are the jobs that wait at brokers where the head of each queue blocks those behind it.
type queues struct {
	waiting [][]int32 // at each broker, in the order of arrival
	blocked []bool    // brokers, in the pass that goes on
}

func newQueues(domains int) *queues {
	return &queues{waiting: make([][]int32, domains), blocked: make([]bool, domains)}
}

// join lets a job wait at a broker.
func (q *queues) join(d, number int32) {
	at, _ := slices.BinarySearch(q.waiting[d], number)
	q.waiting[d] = slices.Insert(q.waiting[d], at, number)
}

// pass tries, in the order of arrival, the jobs that no other one blocks. try returns at which broker the job now waits;
// absent if it has started.
func (q *queues) pass(try func(number, at int32) int32) {
	clear(q.blocked)
	for {
		next := int32(absent)
		for d, list := range q.waiting {
			if !q.blocked[d] && len(list) > 0 && (next == absent || list[0] < q.waiting[next][0]) {
				next = int32(d)
			}
		}
		if next == absent {
			return
		}
		number := q.waiting[next][0]
		at := try(number, next)
		if at != next {
			q.waiting[next] = slices.Delete(q.waiting[next], 0, 1)
		}
		if at == absent {
			continue
		}
		if at != next {
			q.join(at, number)
		}
		q.blocked[at] = true
	}
}
