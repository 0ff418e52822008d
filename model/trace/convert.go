// Conversion: changing a trace between the Standard and the Grid Workload Format.

package trace

import (
	"fmt"
	"strings"
)

// unixTimes is the least submit time that is taken for seconds since 1970: 3 March 1973. Traces in
// the Grid Workload Format count from 1970 or from their beginning, and none lasts three years.
const unixTimes = 100_000_000

// hasUnixTimes reports whether submit times, of which this is the first, are seconds since 1970. If
// the header dates the trace and the first is before that date, they are not: they count from the
// date on.
func (h *Header) hasUnixTimes(first int64) bool {
	start, _ := h.number("UnixStartTime")
	return first >= max(unixTimes, start)
}

// start returns the date of second 0 of a trace, in s since 1970, if it is known; first is the
// first submit.
func (h *Header) start(first int64) (unix int64, dated bool) {
	if h.hasUnixTimes(first) {
		return 0, true
	}
	return h.number("UnixStartTime")
}

// Convert changes a trace from one format to the other, its jobs in place. It returns the header
// and names to write it with, and a list of what is lost. A trace that has the format already is
// left as it is.
//
// To the Standard Workload Format: names become numbers from 1 on, in the order of their first
// appearance; those of queues and partitions go to the header. Where no job has a partition, its
// site becomes one. Submit times stay: where they are seconds since 1970, the header's
// UnixStartTime says 0; StartAtZero moves both.
//
// To the Grid Workload Format: users and so on stay numbers.
func Convert(jobs []Job, header *Header, names *Names, from, to Format) (*Header, *Names, []string) {
	if from == to {
		return header, names, nil
	}
	converted := &Header{}
	for _, line := range header.Lines {
		converted.Lines = append(converted.Lines, to.mark()+strings.TrimLeft(strings.TrimLeft(line, " \t"), ";#"))
	}
	if to == GWF {
		return converted, names, lostBy(jobs, func(j *Job) bool { return j.After != -1 || j.Think != -1 },
			"preceding jobs and think times")
	}
	if names == nil {
		names = &Names{}
	}
	lost := lostBy(jobs, func(j *Job) bool { return j.Rest != 0 }, "fields 18 to 29 of the Grid Workload Format")
	partitions := &names.Partitions
	if sitesAsPartitions(jobs) {
		partitions = &names.Sites
	} else {
		lost = append(lost, lostBy(jobs, func(j *Job) bool { return j.Site != -1 }, "sites")...)
	}
	if converted.hasUnixTimes(firstSubmit(jobs)) {
		converted.Set(SWF, "UnixStartTime", "0")
	}
	for i := range jobs {
		j := &jobs[i]
		for _, index := range j.texts() {
			if *index >= 0 {
				*index++ // the number
			}
		}
		j.Site, j.Rest = -1, 0
	}
	converted.list("Queue", &names.Queues)
	converted.list("Partition", partitions)
	return converted, nil, lost
}

// lostBy says how many jobs lose what.
func lostBy(jobs []Job, has func(*Job) bool, what string) []string {
	n := 0
	for i := range jobs {
		if has(&jobs[i]) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of %d of %d jobs", what, n, len(jobs))}
}

// sitesAsPartitions makes the sites partitions and reports it, where no job has a partition.
func sitesAsPartitions(jobs []Job) bool {
	for i := range jobs {
		if jobs[i].Partition != -1 {
			return false
		}
	}
	for i := range jobs {
		jobs[i].Partition = jobs[i].Site
	}
	return true
}

// firstSubmit returns the least submit time that is known, 0 if there is none.
func firstSubmit(jobs []Job) int64 {
	first := int64(-1)
	for i := range jobs {
		if s := jobs[i].Submit; s >= 0 && (first < 0 || s < first) {
			first = s
		}
	}
	return max(first, 0)
}

// StartAtZero subtracts the first submit from submit times that are seconds since 1970, as is usual
// in the Standard Workload Format, and changes the header. Other submit times stay.
func StartAtZero(jobs []Job, header *Header) {
	first := firstSubmit(jobs)
	if !header.hasUnixTimes(first) {
		return
	}
	for i := range jobs {
		if jobs[i].Submit >= 0 {
			jobs[i].Submit -= first
		}
	}
	header.MoveStart(SWF, first)
}

// MoveStart adapts UnixStartTime of the header after so many seconds were subtracted from all
// submit times, which made the first one 0, or 0 if none were. It adds them, or sets it where the
// submits were seconds since 1970 themselves.
func (h *Header) MoveStart(format Format, shifted int64) {
	start, dated := h.number("UnixStartTime")
	switch {
	case h.hasUnixTimes(shifted): // the first submit, which is now 0
		h.Set(format, "UnixStartTime", fmt.Sprint(shifted))
	case dated && shifted != 0:
		h.Set(format, "UnixStartTime", fmt.Sprint(start+shifted))
	}
}

// list adds the names to a header of the Standard Workload Format, numbered from 1.
func (h *Header) list(key string, names *NameList) {
	for i, name := range names.names {
		h.Lines = append(h.Lines, fmt.Sprintf("; %s: %d %s", key, i+1, name))
	}
}
