// Multifactor: EASY in the order of a priority of age, size and fair share, as Slurm has it.

package cluster

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// maxWeight bounds weights, so that priorities are exact numbers.
const maxWeight = 10_000

// factors are the parameters of policy multifactor.
type factors struct {
	age, size, fairShare int64 // weights
	halfLife             int64 // of usage, in s
	maxAge               int64 // wait in s, from which on the age factor is 1
	period               int64 // of the computation of usage, in s
}

// slurmFactors has the times that Slurm has by default. Slurm's default weights are 0; these are
// ours.
var slurmFactors = factors{
	age: 1000, size: 1000, fairShare: 1000, halfLife: 7 * 24 * 60 * 60, maxAge: 7 * 24 * 60 * 60, period: 5 * 60,
}

// multifactor is EASY in the order of the priority of Slurm's plugin priority/multifactor with the
// classic fair share (slurm.schedmd.com/priority_multifactor.html and classic_fair_share.html):
//
//	priority = age × min(1, wait / maxAge) + size × processors / machine
//	           + fairShare × 2^-(usage of the user / usage of all × users)
//
// in units of 1/maxAge, each term a whole number of them. Users are those with jobs so far. Usage
// is processors × s, halved in each half-life; the first pass in each period computes it.
//
// Between two computations of usage, the priorities of all jobs of a user that have not reached
// maxAge grow by the same amount, and those of the others stay. So the jobs of a user are in two
// subqueues, each of which keeps its order.
type multifactor struct {
	factors
	subqueues *subqueues
	users     []*account
	index     map[int32]int // of a user in users
	aged      int           // jobs of lower numbers came maxAge ago or earlier
	at        int64         // s, of the last computation of usage; below 0: none
}

// account is the usage of a user.
type account struct {
	work    processorSeconds // of all jobs of the user
	counted int64            // area of work at the last computation
	usage   float64          // processors × s, decayed
	share   float64          // term of the priority
}

func parseMultifactor(argument string) (Policy, error) {
	f := slurmFactors
	weights := []*int64{&f.age, &f.size, &f.fairShare}
	times := []*int64{&f.halfLife, &f.maxAge, &f.period}
	fields := strings.Split(argument, ":")
	if argument == "" {
		fields = nil
	} else if len(fields) < len(weights) || len(fields) > len(weights)+len(times) {
		return Policy{}, errors.New("write the weights of age, size and fair share, and, where they are not Slurm's, " +
			"half-life, longest age and period of computation, as in multifactor:1000:500:2000:14d")
	}
	for i, field := range fields {
		if i < len(weights) {
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil || n < 0 || n > maxWeight {
				return Policy{}, fmt.Errorf("weight %q: write a whole number from 0 to %d", field, maxWeight)
			}
			*weights[i] = n
			continue
		}
		n, err := model.ParseTime(field)
		if err != nil || n < 1 || n > MaxSeconds {
			return Policy{}, fmt.Errorf("%q: write a time from 1 s on, such as 14d", field)
		}
		*times[i-len(weights)] = n
	}
	return Policy{
		scheduler: func(s *Site) scheduler {
			subqueues := newSubqueues(s)
			subqueues.rule = &multifactor{factors: f, subqueues: subqueues, index: map[int32]int{}, at: -f.period}
			return subqueues
		},
		needs: simple | noOrder,
	}, nil
}

// subqueueOf returns the subqueue of a job and its score there, which is lower the higher its
// priority. Subqueues 2i and 2i+1 are those of user i: of jobs that have not reached maxAge, and of
// the others.
func (m *multifactor) subqueueOf(number int32) (index int, score float64) {
	s := m.subqueues.site
	job := &s.jobs[number]
	user := m.user(job.User)
	score = -math.Round(float64(m.size*m.maxAge) * float64(job.Procs) / float64(s.config.Procs))
	if int(number) < m.aged {
		return 2*user + 1, score
	}
	return 2 * user, score + float64(m.age*job.Submit)
}

// user returns the index of a user. All unknown users are one.
func (m *multifactor) user(id int32) int {
	id = max(id, -1)
	index, known := m.index[id]
	if !known {
		index = len(m.users)
		m.index[id], m.users = index, append(m.users, &account{share: float64(m.fairShare * m.maxAge)})
	}
	return index
}

// refresh moves jobs that have reached maxAge, and sets the offsets of the subqueues.
func (m *multifactor) refresh() {
	s := m.subqueues.site
	for m.aged < len(s.jobs) && s.now-s.jobs[m.aged].Submit >= m.maxAge {
		number := int32(m.aged)
		index, score := m.subqueueOf(number) // in which it waits, before it has aged
		m.aged++
		if s.ends[number] != Never {
			continue
		}
		q, w := m.subqueues.all[index], s.waiting(number)
		w.score = score
		m.subqueues.remove(q, q.find(&w))
		m.subqueues.insert(number)
	}
	if s.now/m.period > m.at/m.period {
		m.computeShares()
	}
	for _, q := range m.subqueues.nonempty {
		age := s.now
		if q.index%2 == 1 {
			age = m.maxAge
		}
		q.offset = float64(m.age*age) + m.users[q.index/2].share
	}
}

// computeShares computes the usage and the fair share of all users.
func (m *multifactor) computeShares() {
	now := m.subqueues.site.now
	decay, total := rng.Exp(-math.Ln2*float64(now-max(m.at, 0))/float64(m.halfLife)), 0.0
	for _, user := range m.users {
		area := user.work.until(now)
		user.usage = float64(user.usage*decay) + float64(area-user.counted)
		user.counted = area
		total += user.usage
	}
	for _, user := range m.users {
		share := 1.0
		if total > 0 {
			share = rng.Exp(-math.Ln2 * (user.usage / total) * float64(len(m.users)))
		}
		user.share = math.Round(float64(m.fairShare*m.maxAge) * share)
	}
	m.at = now
}

func (m *multifactor) started(q *subqueue, number int32) {
	s := m.subqueues.site
	m.users[q.index/2].work.change(s.now, s.jobs[number].Procs)
}

func (m *multifactor) ended(number int32) {
	s := m.subqueues.site
	job := &s.jobs[number]
	m.users[m.user(job.User)].work.change(s.now, -job.Procs)
}
