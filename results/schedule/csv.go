// Schedules as CSV files, written and read.

package schedule

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"gridsweep/model/columns"
	"gridsweep/model/metrics"
)

// CSV returns the schedule as a table id,submit,start,end,procs in the order of the trace.
func (s *Schedule) CSV() []byte {
	const head, perRow = "id,submit,start,end,procs\n", 44 // bytes; most rows are shorter
	text := append(make([]byte, 0, len(head)+perRow*s.Len()), head...)
	for i := range s.ID {
		text = strconv.AppendInt(text, s.ID[i], 10)
		text = strconv.AppendInt(append(text, ','), s.Submit[i], 10)
		text = strconv.AppendInt(append(text, ','), s.Start[i], 10)
		text = strconv.AppendInt(append(text, ','), s.End[i], 10)
		text = strconv.AppendInt(append(text, ','), int64(s.Procs[i]), 10)
		text = append(text, '\n')
	}
	return text
}

// required are the columns that every schedule must have, with other simulators' names for them.
var required = [...]columns.Column{
	columnID: {Name: "id", Aliases: []string{"job_id", "jobid", "job", "job_number"}},
	columnSubmit: {Name: "submit", Aliases: []string{
		"submission_time", "submit_time", "submittime", "submission", "arrival",
	}},
	columnStart: {Name: "start", Aliases: []string{"starting_time", "start_time", "starttime"}},
	columnEnd:   {Name: "end", Aliases: []string{"finish_time", "end_time", "endtime", "finish"}},
	columnProcs: {Name: "procs", Aliases: []string{
		"requested_number_of_resources", "processors", "nprocs", "cores", "nodes", "size",
	}},
}

const (
	columnID = iota
	columnSubmit
	columnStart
	columnEnd
	columnProcs
)

// readCSV reads a table whose first line names its columns, in any order. It may have other
// columns.
func readCSV(data []byte, name string) (*Schedule, error) {
	const must = "be a schedule as CSV with a line of column names, as Parquet or as SWF"
	reader, err := columns.NewReader(bytes.NewReader(data), name, must, required[:])
	if err != nil {
		return nil, err
	}
	s, seen := new(Schedule), map[int64]bool{}
	for {
		fields, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		var row [len(required)]int64
		for c, field := range fields {
			if row[c], err = wholeNumber(field); err != nil {
				return nil, reader.WrongField(c, fmt.Errorf("%s: %w", required[c].Name, err))
			}
		}
		if err := s.add(row, seen); err != nil {
			return nil, reader.WrongRow(fmt.Errorf("job %d: %w", row[columnID], err))
		}
	}
}

// add checks and adds a job, whose id must not be among those seen.
func (s *Schedule) add(row [len(required)]int64, seen map[int64]bool) error {
	if seen[row[columnID]] {
		return errors.New("comes twice: ids must tell jobs apart, in the trace that was simulated, too")
	}
	seen[row[columnID]] = true
	procs := int32(row[columnProcs])
	if int64(procs) != row[columnProcs] {
		return fmt.Errorf("procs %d: must be from 1 to %d", row[columnProcs], math.MaxInt32)
	}
	if err := metrics.CheckJob(row[columnSubmit], row[columnStart], row[columnEnd], procs); err != nil {
		return err
	}
	s.ID = append(s.ID, row[columnID])
	s.Submit = append(s.Submit, row[columnSubmit])
	s.Start = append(s.Start, row[columnStart])
	s.End = append(s.End, row[columnEnd])
	s.Procs = append(s.Procs, procs)
	return nil
}

// wholeNumber reads a number such as 12, 12.0 or 1.2e1.
func wholeNumber(text string) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, fmt.Errorf("%q: must be a whole number", text)
	}
	return int64(x), nil
}
