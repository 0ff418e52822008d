package schedule

import "fmt"

// Read returns the schedule in the bytes of a file: Parquet or CSV as written here, a trace in the
// Standard Workload Format with its waits, or the CSV file of another program, whose columns are
// found by their names in the first line. The name of the file stands in errors, which say where
// something is wrong and what would be right.
func Read(data []byte, name string) (*Schedule, error) {
	read := readCSV
	switch {
	case isParquet(data):
		read = readParquet
	case isSWF(data):
		read = readSWF
	}
	s, err := read(data, name)
	if err != nil {
		return nil, err
	}
	if s.Len() == 0 {
		return nil, fmt.Errorf("%s: has no jobs", name)
	}
	return s, nil
}
