// Queues of brokers under broker_queue fcfs.

package brokering

import "slices"

// brokerQueues are the queues of brokers. The first job of a queue blocks those behind it.
type brokerQueues struct {
	waiting [][]int32 // at each broker, in the order of arrival
	blocked []bool    // of each broker, in the current pass
}

func newBrokerQueues(domains int) *brokerQueues {
	return &brokerQueues{waiting: make([][]int32, domains), blocked: make([]bool, domains)}
}

// join inserts a job into the queue of a broker.
func (q *brokerQueues) join(d, number int32) {
	at, _ := slices.BinarySearch(q.waiting[d], number)
	q.waiting[d] = slices.Insert(q.waiting[d], at, number)
}

// retry retries the jobs that no other one blocks, in the order of arrival. attempt returns the
// broker where the job waits then; absent if it has started.
func (q *brokerQueues) retry(attempt func(number, at int32) int32) {
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
		at := attempt(number, next)
		if at != next {
			q.waiting[next] = q.waiting[next][1:] // moves none of perhaps a million jobs
			if at == absent {
				continue
			}
			q.join(at, number)
		}
		q.blocked[at] = true
	}
}
