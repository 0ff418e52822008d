// The queue from which the workers of a process take runs.

package pipeline

import (
	"sync"

	"gridsweep/sweeps"
)

// queue hands out runs in their order, in chunks of neighbours, which share memo values. A chunk is
// a fixed share of the remaining work, so that chunks shrink towards the end and the workers finish
// together (guided self-scheduling).
type queue struct {
	mu      sync.Mutex
	runs    []sweeps.Run // remaining
	cost    float64      // cost of the runs
	workers int
}

func newQueue(runs []sweeps.Run, workers int) *queue {
	return &queue{runs: runs, cost: sweeps.Cost(runs), workers: workers}
}

// take returns the next chunk; it is empty when no run remains.
func (q *queue) take() []sweeps.Run {
	// in a worker's share of the remaining work: more balance better, fewer share more memo values
	const chunksPerWorker = 4
	q.mu.Lock()
	defer q.mu.Unlock()
	share := q.cost / float64(chunksPerWorker*q.workers)
	taken, n := 0.0, 0
	for n < len(q.runs) && (n == 0 || taken+q.runs[n].Cost <= share) {
		taken += q.runs[n].Cost
		n++
	}
	chunk := q.runs[:n]
	q.runs = q.runs[n:]
	q.cost -= taken
	return chunk
}
