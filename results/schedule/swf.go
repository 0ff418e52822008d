// Schedules as traces in the Standard Workload Format, written and read.

package schedule

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"gridsweep/model/trace"
)

// Status of a job in the Standard Workload Format.
const (
	statusFailed    = 0 // killed at its estimate
	statusCompleted = 1
)

// SWF returns the trace with the schedule: submit, wait, run time and processors of each job are
// the simulated ones, the status is 1, or 0 for a job killed at its estimate. The jobs are those of
// the schedule, in its order, with the header, names and format that they were read with. SWF
// converts other formats as trace.Convert does. It adds the notes to the header, and which fields
// the conversion lost.
func (s *Schedule) SWF(
	jobs []trace.Job, header *trace.Header, names *trace.Names, from trace.Format, notes []string,
) ([]byte, error) {
	if len(jobs) != s.Len() {
		panic(fmt.Sprintf("schedule: %d jobs of a trace for a schedule of %d", len(jobs), s.Len()))
	}
	jobs = slices.Clone(jobs)
	for i := range jobs {
		job := &jobs[i]
		job.Submit, job.Wait, job.Run = s.Submit[i], s.Start[i]-s.Submit[i], s.End[i]-s.Start[i]
		job.Procs = s.Procs[i]
		job.Status = statusCompleted
		if s.Killed != nil && s.Killed[i] {
			job.Status = statusFailed
		}
	}
	converted, names, lost := trace.Convert(jobs, header, names, from, trace.SWF)
	head := trace.Header{Lines: slices.Clone(converted.Lines)}
	for _, note := range notes {
		head.Add(trace.SWF, "Note", note)
	}
	for _, fields := range lost {
		head.Add(trace.SWF, "Note", "without "+fields)
	}
	var text bytes.Buffer
	w := trace.NewWriter(&text, trace.SWF, &head, names)
	for i := range jobs {
		if err := w.Write(&jobs[i]); err != nil {
			return nil, err
		}
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// maxSeconds bounds the times of a job, in s, so that an int64 holds their sum.
const maxSeconds = 1 << 60

// isSWF reports whether the first line that is not empty is one of the Standard Workload Format: a
// comment, or the 18 fields of a job.
func isSWF(data []byte) bool {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		return line[0] == ';' || len(bytes.Fields(line)) == 18 && !bytes.ContainsRune(line, ',')
	}
	return false
}

// readSWF reads a trace with known waits.
func readSWF(data []byte, name string) (*Schedule, error) {
	reader := trace.NewReader(bytes.NewReader(data), name, trace.Options{Format: trace.SWF})
	s, seen := new(Schedule), map[int64]bool{}
	var job trace.Job
	for {
		err := reader.Read(&job)
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		switch {
		case job.Wait < 0:
			err = fmt.Errorf("field 3 (wait time) is %d: a schedule must have it, so this is a trace without starts", job.Wait)
		case max(job.Submit, job.Wait, job.Run) > maxSeconds:
			err = fmt.Errorf("submit %d, wait %d, run time %d: each must be at most %d",
				job.Submit, job.Wait, job.Run, maxSeconds)
		default:
			start := job.Submit + job.Wait
			err = s.add([...]int64{job.ID, job.Submit, start, start + job.Run, int64(job.Size())}, seen)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: job %d: %w", name, job.ID, err)
		}
	}
}
