// Naive forecast: Algorithm 1 with exact fractions.

package multisite

import "math/big"

// naiveForecast is the state of ArEbMf. Its fractions are exact, so that a constant load equals its
// forecast, and a tenth of ten processors is one.
type naiveForecast struct {
	windowFrom int64      // never before the first window
	loads      []*big.Rat // of the intervals, latest first
	resizedAt  int64
	forecast   *big.Rat
	checking   bool // until the next publication
}

// localLoad is the load of [from, to) by local jobs that wait or run.
func (s *naiveProvider) localLoad(from, to int64) *big.Rat {
	work := int64(0)
	for number, j := range s.local {
		end := int64(never)
		if j.start != never {
			end = j.start + s.world.jobs.localJobs[s.index][number].Run
		}
		begin := j.Submit
		if s.world.p.ForecastLoad == "running" {
			begin = j.start
		}
		work += int64(j.Procs) * max(0, min(end, to)-max(begin, from))
	}
	return big.NewRat(work, int64(s.procs)*(to-from))
}

// publishForecast is a publication of ArEbMf: Algorithm 1, lines 1 to 15.
func (n *naiveWorld) publishForecast(now int64, s *naiveProvider) {
	s.unlimited = true
	s.pass(now)
	s.unlimited = false

	if now >= int64(n.p.Warmup-n.p.Training) {
		if s.windowFrom != never {
			s.loads = append([]*big.Rat{s.localLoad(s.windowFrom, now)}, s.loads...)
		}
		s.windowFrom = now
	}
	s.resizedAt = now
	if len(s.loads) > 0 {
		s.forecast = average(s.loads)
		if n.p.Forecast == "oracle" {
			s.forecast = n.base.providers[s.index].localLoad(now, now+int64(n.p.Interval))
		}
		if n.p.Line8 == "actual" {
			s.resize(s.loads[0])
		} else {
			s.resize(s.forecast)
		}
	}
	if s.partitions[1] > 0 || n.p.NoShare == "empty" {
		n.publish(now, s)
	}
	s.checking = s.partitions[1] > 0 && len(s.loads) > 0 && n.p.Underestimate != "ignore"
}

// average is the weighted mean of the last 25 loads: with α = 2/26, 1 − α is 12/13.
func average(loads []*big.Rat) *big.Rat {
	sum, weights, weight := new(big.Rat), new(big.Rat), big.NewRat(1, 1)
	for _, load := range loads[:min(25, len(loads))] {
		sum.Add(sum, new(big.Rat).Mul(weight, load))
		weights.Add(weights, weight)
		weight = new(big.Rat).Mul(weight, big.NewRat(12, 13))
	}
	return sum.Quo(sum, weights)
}

// resize leaves a load to local jobs and gives the Grid the whole processors of the rest.
func (s *naiveProvider) resize(load *big.Rat) {
	rest := new(big.Rat).Sub(big.NewRat(1, 1), load)
	rest.Mul(rest, big.NewRat(int64(s.procs), 1))
	offered := 0
	if rest.Sign() > 0 {
		offered = int(new(big.Int).Quo(rest.Num(), rest.Denom()).Int64())
	}
	s.partitions = []int{s.procs - offered, offered}
}

// isCheck reports whether now is the time of a check, which no publication is.
func (s *naiveProvider) isCheck(now int64) bool {
	for k := int64(1); k < s.world.p.Checks; k++ {
		if now == s.resizedAt+int64(s.world.p.Interval)*k/s.world.p.Checks {
			return true
		}
	}
	return false
}

// check is Algorithm 1, lines 16 to 29.
func (n *naiveWorld) check(now int64, s *naiveProvider) {
	load := s.localLoad(s.resizedAt, now)
	if load.Cmp(s.forecast) <= 0 {
		return
	}
	s.checking = false
	s.resize(load)
	s.unlimited = true
	queue := s.queue()
	localFirst(queue)
	s.kept(now, queue)
	if n.p.Underestimate == "republish" {
		n.publish(now, s)
		if now >= int64(n.p.Warmup) {
			n.published++
		}
	}
}
