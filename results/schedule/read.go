// The reader of schedules in any of the formats.

package schedule

import "fmt"

// Read reads the schedule in the bytes of a file: Parquet, a trace in the Standard Workload Format
// with waits, or CSV, also of another program, whose columns it finds by their names in the first
// line. Errors name the file, the position and what would be right.
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
