// Queues: EASY with several queues, each with the jobs that it takes, a limit and its priority.

package cluster

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gridsweep/model"
)

// queueBounds are the bounds of one of the queues of policy queues. Where there is none, the number
// is the largest that is valid.
type queueBounds struct {
	longest int64 // estimate of its jobs, in s
	largest int32 // job, in processors
	limit   int32 // of the processors that its running jobs use
}

// queues is the rule of the subqueues: each job is in the first queue that takes it.
type queues struct {
	subqueues *subqueues
	bounds    []queueBounds
	used      []int32 // processors that the running jobs of each queue use
}

// parseQueues reads the queues, highest priority first, such as 1h:64:128+any:any:any.
func parseQueues(argument string) (Policy, error) {
	var bounds []queueBounds
	for i, text := range strings.Split(argument, "+") {
		b, err := parseQueue(text)
		if err != nil {
			return Policy{}, fmt.Errorf("queue %d, %q: %w", i+1, text, err)
		}
		bounds = append(bounds, b)
	}
	if last := bounds[len(bounds)-1]; last.longest < MaxSeconds || last.largest < math.MaxInt32 {
		return Policy{}, errors.New(
			"the last queue takes the rest of the jobs: write any:any and its limit, as in any:any:64")
	}
	return Policy{
		scheduler: func(s *Site) scheduler {
			subqueues := newSubqueues(s)
			for i, b := range bounds {
				q := subqueues.subqueue(i)
				q.rank, q.available = i, b.limit
			}
			subqueues.rule = &queues{subqueues: subqueues, bounds: bounds, used: make([]int32, len(bounds))}
			return subqueues
		},
		needs: simple,
		check: func(c *Config) error { return c.checkQueues(bounds) },
	}, nil
}

func parseQueue(text string) (b queueBounds, err error) {
	fields := strings.Split(text, ":")
	if len(fields) != 3 {
		return b, errors.New("write LONGEST:LARGEST:LIMIT: the longest estimate and the largest job of the queue, " +
			"and the processors that its jobs use at once, each a number or any, as in 1h:64:128")
	}
	b = queueBounds{MaxSeconds, math.MaxInt32, math.MaxInt32}
	if fields[0] != "any" {
		if b.longest, err = model.ParseTime(fields[0]); err != nil || b.longest < 1 || b.longest > MaxSeconds {
			return b, fmt.Errorf("%q: write a longest estimate from 1 s on, such as 1h, or any", fields[0])
		}
	}
	for i, number := range []*int32{&b.largest, &b.limit} {
		if field := fields[i+1]; field != "any" {
			n, err := strconv.ParseInt(field, 10, 32)
			if err != nil || n < 1 {
				return b, fmt.Errorf("%q: write a number of processors from 1 on, or any", field)
			}
			*number = int32(n)
		}
	}
	return b, nil
}

// checkQueues returns an error if a queue takes jobs that its limit never lets start.
func (c *Config) checkQueues(bounds []queueBounds) error {
	for i, b := range bounds {
		if largest := min(b.largest, c.Procs); b.limit < largest {
			return fmt.Errorf("queue %d of policy %s takes jobs of up to %d processors, which its limit of %d never "+
				"lets start", i+1, c.Policy, largest, b.limit)
		}
	}
	return nil
}

// indexOf returns the index of the first queue that takes a job.
func (q *queues) indexOf(number int32) int {
	job := &q.subqueues.site.jobs[number]
	for i, b := range q.bounds {
		if job.Estimate <= b.longest && job.Procs <= b.largest {
			return i
		}
	}
	panic("cluster: no queue takes a job")
}

func (q *queues) subqueueOf(number int32) (index int, score float64) {
	if q.subqueues.site.config.Order.Score != nil {
		score = q.subqueues.site.score(number)
	}
	return q.indexOf(number), score
}

func (q *queues) refresh() {}

func (q *queues) started(s *subqueue, number int32) {
	q.use(s.index, q.subqueues.site.jobs[number].Procs)
}

func (q *queues) ended(number int32) { q.use(q.indexOf(number), -q.subqueues.site.jobs[number].Procs) }

// use adds processors to those that the running jobs of a queue use.
func (q *queues) use(index int, procs int32) {
	q.used[index] += procs
	q.subqueues.all[index].available = q.bounds[index].limit - q.used[index]
}
