package simulation

// Advance reservations, read from a CSV file.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"gridsweep/model/cluster"
	"gridsweep/model/columns"
	"gridsweep/pipeline/traces"
)

// reservationColumns are the columns of a file of reservations and their largest numbers.
var reservationColumns = [...]struct {
	name string
	most int64
}{{"from", math.MaxInt64}, {"to", math.MaxInt64}, {"procs", math.MaxInt32}}

// ReadReservations reads advance reservations from a CSV file with the columns from, to and procs,
// in any order. Its errors name file, line and field.
func ReadReservations(ctx context.Context, path string) ([]cluster.Reservation, error) {
	file, err := traces.Open(ctx, path, nil)
	if err != nil {
		return nil, fmt.Errorf("--reservations: %w", err)
	}
	defer file.Close()
	var wanted []columns.Column
	for _, column := range reservationColumns {
		wanted = append(wanted, columns.Column{Name: column.name})
	}
	reader, err := columns.NewReader(file, path, "begin with a line from,to,procs", wanted)
	if err != nil {
		return nil, err
	}
	var list []cluster.Reservation
	for {
		fields, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		var values [len(reservationColumns)]int64
		for k, column := range reservationColumns {
			values[k], err = strconv.ParseInt(fields[k], 10, 64)
			if err != nil || values[k] < 0 || values[k] > column.most {
				return nil, reader.WrongField(k,
					fmt.Errorf("%s is %q: write a whole number from 0 to %d", column.name, fields[k], column.most))
			}
		}
		list = append(list, cluster.Reservation{From: values[0], To: values[1], Procs: int32(values[2])})
	}
}
