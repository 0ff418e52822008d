// Gateway: choosing the provider of each Grid job, and the two-phase commit of those with
// deadlines.

package multisite

import (
	"slices"

	"gridsweep/model/cluster"
)

// place sends a Grid job that arrives now to a provider, or rejects it.
func (w *world) place(now int64, index int) error {
	j, d := &w.gridJobs[index], &w.decisions[index]
	d.provider, d.expected = rejected, never // unless a provider gets it
	if w.p.Gateway == "least-load" {
		return w.enqueue(now, index, w.leastLoaded(j))
	}
	deadline := w.deadline(index)
	w.findFits(now, j, deadline == never)
	if deadline < never {
		return w.reserveSlot(now, index, deadline)
	}
	chosen := w.earliestProvider()
	if chosen < 0 {
		d.withoutSlot = true
		return w.enqueue(now, index, w.mostPublished(j))
	}
	d.expected = w.fits[chosen]
	w.book(chosen, j, d.expected)
	return w.enqueue(now, index, chosen)
}

// eligible reports whether a provider has as many processors as the job needs.
func (v *provider) eligible(j *job) bool { return v.procs >= j.Procs }

// leastLoaded returns the eligible provider with the lowest reported load per processor, the first
// of equal ones.
func (w *world) leastLoaded(j *job) int {
	least := -1
	for i := range w.providers {
		v := &w.providers[i]
		if !v.eligible(j) {
			continue
		}
		// both loads are multiplied by both numbers of processors: the comparison is exact
		if least < 0 || v.load*int64(w.providers[least].procs) < w.providers[least].load*int64(v.procs) {
			least = i
		}
	}
	return least
}

// mostPublished returns the eligible provider whose last list has the slot with the most
// processors, the first of equal ones. Providers send lists when they publish and when they refuse.
func (w *world) mostPublished(j *job) int {
	most := -1
	for i := range w.providers {
		if v := &w.providers[i]; v.eligible(j) && (most < 0 || v.slots.Most() > w.providers[most].slots.Most()) {
			most = i
		}
	}
	return most
}

// findFits sets w.fits to the earliest start of a job at each provider by the information of the
// gateway; never where the provider is not eligible (Algorithm 2, lines 4 to 6). Under earliest-ask
// the gateway first requests the slots of all providers. With onlyFirst, the search stops at the
// first provider with a start at now, since no start is earlier.
func (w *world) findFits(now int64, j *job, onlyFirst bool) {
	if w.p.Gateway == "earliest-ask" {
		w.count(now, int64(len(w.providers)), slotRequest, slotList)
	}
	found := false
	for i := range w.providers {
		w.fits[i] = never
		if w.providers[i].eligible(j) && !found {
			w.fits[i] = w.startFrom(now, &w.providers[i], j)
			found = onlyFirst && w.fits[i] == now
		}
	}
}

// startFrom returns the earliest start of a job at a provider, at `from` or later, by the
// information of the gateway. Under earliest-ask this is the present plan of the provider.
func (w *world) startFrom(from int64, v *provider, j *job) int64 {
	if w.p.Gateway == "earliest-ask" {
		return v.site.EarliestFit(from, j.Procs, j.Run)
	}
	return v.slots.EarliestFit(from, j.Procs, j.Run)
}

// earliestProvider returns the provider with the earliest start in w.fits, the first of equal ones;
// -1 if none has a start.
func (w *world) earliestProvider() int {
	first := -1
	for i, start := range w.fits {
		if start < never && (first < 0 || start < w.fits[first]) {
			first = i
		}
	}
	return first
}

// book removes a job from the slots that the gateway has from a provider. Only earliest-partial
// keeps slots from one job to the next.
func (w *world) book(chosen int, j *job, start int64) {
	if w.p.Gateway == "earliest-partial" {
		w.providers[chosen].slots.Book(start, j.Procs, j.Run)
	}
}

// enqueue sends a job to the queue of a provider.
func (w *world) enqueue(now int64, index, chosen int) error {
	w.count(now, 1, submit)
	v, partition := &w.providers[chosen], int32(0)
	if v.forecast != nil {
		partition = gridPartition
	}
	number, err := v.submit(now, &w.gridJobs[index], gridPriority, partition)
	v.findNext()
	w.decisions[index].provider, w.decisions[index].number = int32(chosen), number
	return err
}

// refusal is a reservation that a provider refused.
type refusal struct {
	provider int
	start    int64
}

// reserveSlot is the two-phase commit of a job with a deadline (Algorithm 2, lines 7 to 29). The
// number of tries is that of eligible providers less one, and at least one: as printed in line 29,
// the loop would not end with a single provider.
func (w *world) reserveSlot(now int64, index int, deadline int64) error {
	j, d := &w.gridJobs[index], &w.decisions[index]
	eligible := 0
	for i := range w.providers {
		if w.providers[i].eligible(j) {
			eligible++
		}
	}
	var refusals []refusal
	for range max(1, eligible-1) {
		chosen := w.earliestProvider()
		if chosen < 0 {
			d.withoutSlot = true
			return nil
		}
		v, start := &w.providers[chosen], w.fits[chosen]
		if w.p.Deadline == "reject_late" && start+j.Run > deadline {
			return nil
		}
		w.count(now, 1, reserve)
		if v.site.Reserve(cluster.Reservation{From: start, To: start + j.Run, Procs: j.Procs}) == nil {
			w.count(now, 1, offer, commit, acknowledge, submit)
			v.site.Pass(now)
			v.findNext()
			w.book(chosen, j, start)
			d.provider, d.number, d.expected = int32(chosen), reserved, start
			return nil
		}
		d.refusals++
		w.count(now, 1, refuse)
		if w.p.Gateway == "earliest-partial" {
			w.show(now, v)
		}
		refusals = append(refusals, refusal{chosen, start})
		// A slot has the free processors of all partitions, and a job cannot always borrow all of
		// them. So the list may again have a slot that the provider refused.
		next := w.startFrom(now, v, j)
		for slices.Contains(refusals, refusal{chosen, next}) {
			next = w.startFrom(next+1, v, j)
		}
		w.fits[chosen] = next
	}
	return nil
}
