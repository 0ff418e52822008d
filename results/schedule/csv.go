package schedule

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

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

// columns are what a CSV file must have, and the names under which simulators write them.
var columns = [...]struct {
	name    string
	aliases []string
}{
	columnID: {"id", []string{"id", "job_id", "jobid", "job", "job_number"}},
	columnSubmit: {"submit", []string{
		"submit", "submission_time", "submit_time", "submittime", "submission", "arrival",
	}},
	columnStart: {"start", []string{"start", "starting_time", "start_time", "starttime"}},
	columnEnd:   {"end", []string{"end", "finish_time", "end_time", "endtime", "finish"}},
	columnProcs: {"procs", []string{
		"procs", "requested_number_of_resources", "processors", "nprocs", "cores", "nodes", "size",
	}},
}

const (
	columnID = iota
	columnSubmit
	columnStart
	columnEnd
	columnProcs
)

// readCSV reads a table whose first line names its columns, in any order and among others.
func readCSV(data []byte, name string) (*Schedule, error) {
	reader := csv.NewReader(bytes.NewReader(data))
	reader.ReuseRecord = true
	reader.TrimLeadingSpace = true
	head, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf(
			"%s: is empty: it must be a schedule as CSV with a line of column names, as Parquet or as SWF", name)
	}
	if err != nil {
		return nil, csvError(name, err)
	}
	var places [len(columns)]int
	for c, column := range columns {
		if places[c] = findColumn(head, column.aliases); places[c] < 0 {
			return nil, fmt.Errorf("%s:1: has no column %s (other names: %s); it has %s",
				name, column.name, strings.Join(column.aliases[1:], ", "), strings.Join(head, ", "))
		}
	}
	s := new(Schedule)
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, csvError(name, err)
		}
		var row [len(columns)]int64
		for c, place := range places {
			if row[c], err = wholeNumber(record[place]); err != nil {
				line, column := reader.FieldPos(place)
				return nil, fmt.Errorf("%s:%d:%d: %s: %w", name, line, column, columns[c].name, err)
			}
		}
		if err := s.add(row); err != nil {
			line, _ := reader.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: job %d: %w", name, line, row[columnID], err)
		}
	}
}

// add adds a job after checking that it can be one.
func (s *Schedule) add(row [len(columns)]int64) error {
	if row[columnProcs] > math.MaxInt32 {
		return fmt.Errorf("procs %d: must be at most %d", row[columnProcs], math.MaxInt32)
	}
	procs := int32(max(row[columnProcs], 0))
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

func findColumn(head, aliases []string) int {
	for _, alias := range aliases {
		for i, title := range head {
			if strings.EqualFold(strings.Trim(title, " \ufeff"), alias) {
				return i
			}
		}
	}
	return -1
}

// wholeNumber reads a number such as 12, 12.0 or 1.2e1.
func wholeNumber(text string) (int64, error) {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, fmt.Errorf("%q: must be a whole number", text)
	}
	return int64(x), nil
}

// csvError returns what is wrong with the form of a CSV file as file:line:column.
func csvError(name string, err error) error {
	if wrong := new(csv.ParseError); errors.As(err, &wrong) {
		return fmt.Errorf("%s:%d:%d: %w", name, wrong.Line, wrong.Column, wrong.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}
