package multisite

import "math"

// naiveForecast is what ArEbMf remembers.
type naiveForecast struct {
	windowFrom int64     // never before the first window
	loads      []float64 // of the intervals, latest first
	resizedAt  int64
	forecast   float64
	checking   bool // until the next publication
}

// localLoad is the load of [from, to) by local jobs that wait or run.
func (s *naiveProvider) localLoad(from, to int64) float64 {
	work := int64(0)
	for number, j := range s.local {
		end := int64(never)
		if j.start != never {
			end = j.start + s.world.jobs.local[s.index][number].run
		}
		work += int64(j.procs) * max(0, min(end, to)-max(j.submit, from))
	}
	return float64(work) / float64(int64(s.procs)*(to-from))
}

// publishForecast is a publication of ArEbMf: Algorithm 1, lines 1 to 15.
func (n *naiveWorld) publishForecast(now int64, s *naiveProvider) {
	s.unlimited = true
	s.pass(now)
	s.unlimited = false

	if now >= int64(n.p.Warmup-n.p.Training) {
		if s.windowFrom != never {
			s.loads = append([]float64{s.localLoad(s.windowFrom, now)}, s.loads...)
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
	if s.partitions[1] > 0 {
		n.publish(now, s)
	}
	s.checking = s.partitions[1] > 0 && len(s.loads) > 0 && n.p.Underestimate != "ignore"
}

// average is the weighted mean of the last 25 loads.
func average(loads []float64) float64 {
	const alpha = 2.0 / 26
	sum, weights, weight := 0.0, 0.0, 1.0
	for _, load := range loads[:min(25, len(loads))] {
		sum += float64(weight * load)
		weights += weight
		weight *= 1 - alpha
	}
	return sum / weights
}

// resize leaves a load to local jobs and gives the Grid the rest.
func (s *naiveProvider) resize(load float64) {
	grid := max(0, int(math.Floor(float64((1-load)*float64(s.procs)))))
	s.partitions = []int{s.procs - grid, grid}
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
	if load <= s.forecast {
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
