package multisite

// Gateway: choosing the provider of each Grid job, and the two-phase commit of those with
// deadlines.

import (
	"slices"

	"gridsweep/model/cluster"
)

// place decides where a Grid job that arrives now runs.
func (w *world) place(now int64, index int) error {
	j, placed := &w.jobs.grid[index], &w.placed[index]
	placed.provider, placed.expected = rejected, never
	if w.p.Gateway == "least-load" {
		return w.submit(now, index, w.leastLoaded(j))
	}
	w.findStarts(now, j)
	if deadline := w.jobs.deadline(index); deadline < never {
		return w.reserve(now, index, deadline)
	}
	chosen := w.earliest()
	if chosen < 0 {
		placed.withoutSlot = true
		return w.submit(now, index, w.mostPublished(j))
	}
	placed.expected = w.starts[chosen]
	w.book(chosen, j, placed.expected)
	return w.submit(now, index, chosen)
}

// eligible reports whether a provider has as many processors as the job needs.
func (v *provider) eligible(j *job) bool { return v.procs >= j.Procs }

// leastLoaded returns the eligible provider that reported the least load, of equal ones the first.
func (w *world) leastLoaded(j *job) int {
	least := -1
	for i := range w.providers {
		v := &w.providers[i]
		if !v.eligible(j) {
			continue
		}
		// load/procs are compared as fractions, so that equal ones are equal
		if least < 0 || v.load*int64(w.providers[least].procs) < w.providers[least].load*int64(v.procs) {
			least = i
		}
	}
	return least
}

// mostPublished returns the eligible provider with the most processors in a slot of its last list,
// published or with a refusal, of equal ones the first.
func (w *world) mostPublished(j *job) int {
	most := -1
	for i := range w.providers {
		if v := &w.providers[i]; v.eligible(j) && (most < 0 || v.slots.Most() > w.providers[most].slots.Most()) {
			most = i
		}
	}
	return most
}

// findStarts finds for each provider the earliest start by the gateway's information, never for one
// that is not eligible (Algorithm 2, lines 4 to 6). Under earliest-ask it first requests the slots
// of all providers.
func (w *world) findStarts(now int64, j *job) {
	if w.p.Gateway == "earliest-ask" {
		w.send(now, int64(len(w.providers)), slotRequest, slotList)
	}
	for i := range w.providers {
		w.starts[i] = never
		if w.providers[i].eligible(j) {
			w.starts[i] = w.startFrom(now, &w.providers[i], j)
		}
	}
}

// startFrom returns the earliest start at a provider, from a second on, by the gateway's
// information.
func (w *world) startFrom(from int64, v *provider, j *job) int64 {
	if w.p.Gateway == "earliest-ask" {
		return v.site.EarliestSlot(from, j.Procs, j.Run)
	}
	return v.slots.EarliestFit(from, j.Procs, j.Run)
}

// earliest returns the provider of the earliest start, of equal ones the first; -1 where none has
// one.
func (w *world) earliest() int {
	first := -1
	for i, start := range w.starts {
		if start < never && (first < 0 || start < w.starts[first]) {
			first = i
		}
	}
	return first
}

// book takes the processors of a job from the gateway's information about a provider's slots.
func (w *world) book(chosen int, j *job, start int64) {
	if w.p.Gateway == "earliest-partial" {
		w.providers[chosen].slots.Book(start, j.Procs, j.Run)
	}
}

// submit sends a job to a provider's queue.
func (w *world) submit(now int64, index, chosen int) error {
	w.send(now, 1, submit)
	number, err := w.providers[chosen].submit(now, &w.jobs.grid[index], true)
	w.placed[index].provider, w.placed[index].number = int32(chosen), int32(number)
	return err
}

// offered is a start at a provider.
type offered struct {
	provider int
	start    int64
}

// reserve is the two-phase commit of a job with a deadline (Algorithm 2, lines 7 to 29). The tries
// are at most the eligible providers but one, and at least one: line 29 as printed would never end
// for a single provider.
func (w *world) reserve(now int64, index int, deadline int64) error {
	j, placed := &w.jobs.grid[index], &w.placed[index]
	eligible := 0
	for i := range w.providers {
		if w.providers[i].eligible(j) {
			eligible++
		}
	}
	var refused []offered
	for range max(1, eligible-1) {
		chosen := w.earliest()
		if chosen < 0 {
			placed.withoutSlot = true
			return nil
		}
		v, start := &w.providers[chosen], w.starts[chosen]
		if w.p.Deadline == "reject_late" && start+j.Run > deadline {
			return nil
		}
		w.send(now, 1, reserve)
		if v.site.Reserve(cluster.Reservation{From: start, To: start + j.Run, Procs: j.Procs}) == nil {
			w.send(now, 1, offer, commit, acknowledge, submit)
			v.site.Pass(now)
			w.book(chosen, j, start)
			placed.provider, placed.number, placed.expected = int32(chosen), reserved, start
			return nil
		}
		placed.refusals++
		w.send(now, 1, refuse)
		if w.p.Gateway == "earliest-partial" {
			w.show(now, v)
		}
		refused = append(refused, offered{chosen, start})
		// Slots show the sum over partitions, which is more than a job can borrow: a slot that was
		// refused may be listed again.
		for w.starts[chosen] = w.startFrom(now, v, j); slices.Contains(refused, offered{chosen, w.starts[chosen]}); {
			w.starts[chosen] = w.startFrom(w.starts[chosen]+1, v, j)
		}
	}
	return nil
}
