// Schedules as Parquet files, written and read.

package schedule

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"gridsweep/model"
	"gridsweep/results"
)

// parquetColumns are the columns of a Parquet file. Those from the sixth on are optional.
var parquetColumns = [...]model.Column{
	{Name: "id", Type: model.TypeInt, Doc: "number of the job in its trace"},
	{Name: "submit", Type: model.TypeInt, Unit: "s", Doc: "when it was submitted"},
	{Name: "start", Type: model.TypeInt, Unit: "s", Doc: "when it started"},
	{Name: "end", Type: model.TypeInt, Unit: "s", Doc: "when it ended"},
	{Name: "procs", Type: model.TypeInt, Doc: "processors that it had"},
	{Name: "estimate", Type: model.TypeInt, Unit: "s", Doc: "estimate of its run time, by which it was scheduled"},
	{Name: "user", Type: model.TypeInt, Doc: "number of its user in the trace, -1 where unknown"},
	{Name: "killed", Type: model.TypeBool, Doc: "whether it ended at its estimate, before its run time was over"},
}

// WriteParquet writes the schedule as one Parquet file, completely or not at all, with metadata.
// When ctx is done, its error is returned.
func (s *Schedule) WriteParquet(ctx context.Context, path string, metadata map[string]string) error {
	written := slices.Clone(parquetColumns[:len(required)])
	optional := []bool{s.Estimate != nil, s.User != nil, s.Killed != nil}
	for k, isWritten := range optional {
		if isWritten {
			written = append(written, parquetColumns[len(required)+k])
		}
	}
	return results.WriteTable(ctx, path, written, s.rows(), metadata)
}

// rows yields the rows of the Parquet file; the slice is reused.
func (s *Schedule) rows() iter.Seq[[]model.Value] {
	return func(yield func([]model.Value) bool) {
		var row []model.Value
		for i := range s.ID {
			row = append(row[:0], model.IntValue(s.ID[i]), model.IntValue(s.Submit[i]), model.IntValue(s.Start[i]),
				model.IntValue(s.End[i]), model.IntValue(int64(s.Procs[i])))
			if s.Estimate != nil {
				row = append(row, model.IntValue(s.Estimate[i]))
			}
			if s.User != nil {
				row = append(row, model.IntValue(int64(s.User[i])))
			}
			if s.Killed != nil {
				row = append(row, model.BoolValue(s.Killed[i]))
			}
			if !yield(row) {
				return
			}
		}
	}
}

// isParquet reports whether a file begins as Parquet files do.
func isParquet(data []byte) bool { return bytes.HasPrefix(data, []byte("PAR1")) }

// readParquet reads a file with the columns of CSV. It ignores others.
func readParquet(data []byte, name string) (*Schedule, error) {
	names := make([]string, len(required))
	for c := range required {
		names[c] = parquetColumns[c].Name
	}
	lists, err := results.ReadIntegers(data, names...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for c, list := range lists {
		if list == nil {
			return nil, fmt.Errorf("%s: has no column %s", name, names[c])
		}
	}
	s, seen := new(Schedule), map[int64]bool{}
	var row [len(required)]int64
	for i := range lists[columnID] {
		for c, list := range lists {
			row[c] = list[i]
		}
		if err := s.add(row, seen); err != nil {
			return nil, fmt.Errorf("%s: row %d: job %d: %w", name, i+1, row[columnID], err)
		}
	}
	return s, nil
}
