// Advance reservations, read from a CSV file.

package simulation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gridsweep/model/columns"
	"gridsweep/pipeline/traces"
)

// readReservations reads advance reservations from a CSV file with the columns from, to and procs,
// in any order, and returns them as the parameter reservations of the model scheduling. Its errors
// name file, line and field.
func readReservations(ctx context.Context, path string) (string, error) {
	file, err := traces.Open(ctx, path, nil)
	if err != nil {
		return "", fmt.Errorf("--reservations: %w", err)
	}
	defer file.Close()
	wanted := []columns.Column{{Name: "from"}, {Name: "to"}, {Name: "procs"}}
	reader, err := columns.NewReader(file, path, "begin with a line from,to,procs", wanted)
	if err != nil {
		return "", err
	}
	var list []string
	for {
		fields, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return strings.Join(list, ","), nil
		}
		if err != nil {
			return "", err
		}
		var values [3]int64
		for k, column := range wanted {
			values[k], err = strconv.ParseInt(fields[k], 10, 64)
			if err != nil || values[k] < 0 {
				return "", reader.WrongField(k, fmt.Errorf("%s is %q: write a whole number from 0", column.Name, fields[k]))
			}
		}
		from, to, procs := values[0], values[1], values[2]
		if to <= from {
			return "", reader.WrongField(1, fmt.Errorf("to is %d and from %d: write a later end", to, from))
		}
		list = append(list, fmt.Sprintf("%d+%d:%d", from, to-from, procs))
	}
}
