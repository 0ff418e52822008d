// Validation: the check of a point's parameters, and the parsers of the lists in them.

package scheduling

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/cluster/ordering"
	"gridsweep/model/profile"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
	"gridsweep/model/workload/estimates"
)

// validate returns the problems of a point that do not depend on its log.
func validate(p Parameters) []model.Problem {
	var found model.Problems
	found.Add("trace", p.checkTrace())
	if p.Load != 0 && p.ScaleArrivals != 1 {
		found.Report("load", "both load, %v, and scale_arrivals, %v, are set: arrivals are scaled to a load or by "+
			"a factor; leave load at 0 or scale_arrivals at 1", p.Load, p.ScaleArrivals)
	}
	if p.To != 0 && p.To <= p.From {
		found.Report("to", "the window ends at %d s, and begins at %d s: write a later end, or 0 for that of the log",
			p.To, p.From)
	}
	_, wrong := p.selection()
	found = append(found, wrong...)
	_, err := estimates.Parse(p.Estimates)
	found.Add("estimates", err)
	_, err = parseClasses(p.Classes)
	found.Add("classes", err)
	config, wrong := p.Machine()
	found = append(found, wrong...)
	if len(found) == 0 && p.Procs > 0 {
		config.Procs = int32(p.Procs)
		if _, err := cluster.New(config); err != nil {
			found.Add(rejected(config), err)
		}
	}
	return found
}

// rejected returns the parameter to change when cluster.New rejects the machine.
func rejected(config cluster.Config) string {
	config.Reservations = nil
	if _, err := cluster.New(config); err == nil {
		return "reservations"
	}
	return "procs"
}

// checkTrace returns an error if the parameter trace names no workload, or a workload model that
// cannot draw jobs for the machine.
func (p *Parameters) checkTrace() error {
	name, standIn, hasStandIn := model.SplitStandIn(p.Trace)
	_, isModel := ModelOf(name)
	switch _, isStandIn := ModelOf(standIn); {
	case name == "":
		return errors.New("is empty: write auto, a log of the catalogue, a file or a workload model")
	case hasStandIn && isModel:
		return fmt.Errorf("%q: %s is a workload model, for which none stands in: write LOG|MODEL", p.Trace, name)
	case hasStandIn && !isStandIn:
		return fmt.Errorf("%q: %q is no workload model: write LOG|MODEL, such as %s|lublin", p.Trace, standIn, name)
	}
	if !isModel && !hasStandIn {
		return nil
	}
	m, err := workload.Find(workloadModel(*p))
	if err != nil {
		return err
	}
	if isModel && m.Scalable && p.Procs > workload.MostProcs {
		return fmt.Errorf("%s draws jobs for at most %d processors, and procs is %d", m.Name, workload.MostProcs, p.Procs)
	}
	return nil
}

// Machine returns the configuration of the machine except its number of processors, and the
// problems of the parameters that set it.
func (p *Parameters) Machine() (cluster.Config, []model.Problem) {
	var config cluster.Config
	var found model.Problems
	var err error
	config.Policy, err = ordering.ParsePolicy(p.Policy)
	found.Add("policy", err)
	config.Order, err = ordering.Parse(p.Order)
	found.Add("order", err)
	config.Overrun, err = cluster.Overruns.Parse(p.Overrun)
	found.Add("overrun", err)
	config.Instant, err = cluster.Instants.Parse(p.Instant)
	found.Add("instant", err)
	config.Pivot, err = cluster.Pivots.Parse(p.Pivot)
	found.Add("pivot", err)
	config.Placement, err = cluster.Placements.Parse(p.Placement)
	found.Add("placement", err)
	config.Boundaries, err = parseBounds(p.Partitions)
	found.Add("partitions", err)
	config.Reservations, err = parseReservations(p.Reservations)
	found.Add("reservations", err)
	if config.Overrun == cluster.RunOn && len(config.Reservations) > 0 {
		found.Report("overrun", "jobs that run on cannot honour reservations: write kill or raise, or no reservations")
	}
	found.Add("policy", config.CheckPolicy())
	if config.Overrun == cluster.RunOn && config.Placement == cluster.Fixed {
		found.Report("overrun", "jobs that run on take processors that others hold: write kill or raise, or placement count")
	}
	return config, found
}

// selection returns which jobs of a log are taken, and the problems of the parameters that select
// them.
func (p *Parameters) selection() (s trace.Selection, found model.Problems) {
	s = trace.Selection{From: int64(p.From), To: int64(p.To)}
	for _, list := range []struct {
		field, text string
		most        int64
		numbers     *[]int32
	}{
		{"partition", p.Partition, math.MaxInt32, &s.Partition}, {"site", p.Site, math.MaxInt32, &s.Site},
		{"user", p.User, math.MaxInt32, &s.User}, {"queue", p.Queue, math.MaxInt32, &s.Queue},
		{"status", p.Status, math.MaxInt8, &s.Status},
	} {
		for item := range items(list.text) {
			n, err := strconv.ParseInt(item, 10, 64)
			if err != nil || n < -1 || n > list.most {
				found.Report(list.field,
					"%q is no number of the log: write whole numbers from -1, which is unknown, to %d, with commas between",
					item, list.most)
				break
			}
			*list.numbers = append(*list.numbers, int32(n))
		}
	}
	return s, found
}

// items yields the items of a list with commas between, without surrounding spaces. An empty text
// has none.
func items(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if strings.TrimSpace(text) == "" {
			return
		}
		for item := range strings.SplitSeq(text, ",") {
			if !yield(strings.TrimSpace(item)) {
				return
			}
		}
	}
}

// mostBounds is the largest number of bounds in a list, and of classes.
const mostBounds = 100

// parseBounds reads rising durations of at least 1 s, with commas between, and returns them in s.
func parseBounds(text string) ([]int64, error) {
	var bounds []int64
	for item := range items(text) {
		bound, err := model.ParseTime(item)
		switch {
		case err != nil:
			return nil, err
		case bound < 1 || bound > cluster.MaxSeconds || len(bounds) > 0 && bound <= bounds[len(bounds)-1]:
			return nil, fmt.Errorf("%q: %s: write rising durations from 1 s to 2^32 s, such as 1000,10000 or 15min,3h",
				text, item)
		case len(bounds) == mostBounds:
			return nil, fmt.Errorf("%d bounds are the most", mostBounds)
		}
		bounds = append(bounds, bound)
	}
	return bounds, nil
}

// parseReservations reads a list of FROM+DURATION:PROCS with commas between.
func parseReservations(text string) ([]cluster.Reservation, error) {
	var list []cluster.Reservation
	for item := range items(text) {
		times, size, hasSize := strings.Cut(item, ":")
		at, length, hasLength := strings.Cut(times, "+")
		if !hasSize || !hasLength {
			return nil, fmt.Errorf("%q is no reservation: write FROM+DURATION:PROCS, such as 1d+2h:64", item)
		}
		from, err := model.ParseTime(at)
		if err != nil {
			return nil, fmt.Errorf("reservation %s: %w", item, err)
		}
		duration, err := model.ParseTime(length)
		if err != nil {
			return nil, fmt.Errorf("reservation %s: %w", item, err)
		}
		procs, err := strconv.ParseInt(size, 10, 32)
		switch {
		case err != nil || procs < 1 || procs > int64(profile.MostProcs):
			return nil, fmt.Errorf("reservation %s: %q is no number of processors from 1 to %d",
				item, size, profile.MostProcs)
		case from < 0 || from > cluster.MaxSeconds || duration < 1 || duration > cluster.MaxSeconds:
			return nil, fmt.Errorf("reservation %s: write a beginning from 0 and a duration from 1 s on, "+
				"both at most 2^32 s", item)
		}
		list = append(list, cluster.Reservation{From: from, To: from + duration, Procs: int32(procs)})
	}
	return list, nil
}
