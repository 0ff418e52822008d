package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/model/cluster"
	"gridsweep/model/columns"
	"gridsweep/pipeline/traces"
)

// clusterFlags are the flags that say what a machine does besides its policy.
type clusterFlags struct {
	order, estimates, overrun, instant, pivot string
	seed                                      int64
	partitions                                []string
	reservations                              string
}

// String says what of the flags decides on a schedule: the main ones always, the others where they are not the default.
func (f *clusterFlags) String() string {
	said := fmt.Sprintf("order %s, estimates %s, overrun %s, instant %s", f.order, f.estimates, f.overrun, f.instant)
	if f.pivot != "replanned" {
		said += ", pivot " + f.pivot
	}
	if len(f.partitions) > 0 {
		said += ", partitions " + strings.Join(f.partitions, ",")
	}
	if f.reservations != "" {
		said += ", reservations " + f.reservations
	}
	return said
}

func (f *clusterFlags) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.order, "order", "arrival",
		"how the queue is sorted: `"+strings.Join(cluster.OrderNames()[:3], ", ")+", ...`")
	flags.StringVar(&f.estimates, "estimates", "exact",
		"run times that the scheduler is told: `exact`, user, factor:F or uniform:F")
	flags.Int64Var(&f.seed, "seed", 1, "`number` that the random estimates are drawn from")
	flags.StringVar(&f.overrun, "overrun", "kill",
		"what happens to a job at the end of its estimate: `kill`, run or raise (the estimate)")
	flags.StringVar(&f.instant, "instant", "batch", "order of what happens in one second: `batch` or each")
	flags.StringVar(&f.pivot, "pivot", "replanned", "what becomes of easy's bookings between passes: `replanned` or kept")
	flags.StringSliceVar(&f.partitions, "partitions", nil,
		"divide the machine by estimate at these `seconds`, such as 1000,10000, with borrowing")
	flags.StringVar(&f.reservations, "reservations", "",
		"advance reservations: a CSV `file` with columns from,to,procs, in seconds of the trace")
}

// config returns the machine that the flags say, without its processors and policy.
func (f *clusterFlags) config(ctx context.Context) (config cluster.Config, estimates cluster.Estimates, err error) {
	if config.Order, err = cluster.ParseOrder(f.order); err != nil {
		return config, estimates, wrongChoice("order", f.order, usageErrorf("--order: %w", err))
	}
	if estimates, err = cluster.ParseEstimates(f.estimates); err != nil {
		return config, estimates, wrongChoice("estimates", f.estimates, usageErrorf("--estimates: %w", err))
	}
	if config.Overrun, err = cluster.ParseOverrun(f.overrun); err != nil {
		return config, estimates, wrongChoice("overrun", f.overrun, usageErrorf("--overrun: %w", err))
	}
	if config.Instant, err = cluster.ParseInstant(f.instant); err != nil {
		return config, estimates, wrongChoice("instant", f.instant, usageErrorf("--instant: %w", err))
	}
	if config.Pivot, err = cluster.ParsePivot(f.pivot); err != nil {
		return config, estimates, wrongChoice("pivot", f.pivot, usageErrorf("--pivot: %w", err))
	}
	for i, text := range f.partitions {
		boundary, err := strconv.ParseInt(text, 10, 64)
		if err != nil || boundary < 1 || i > 0 && boundary <= config.Boundaries[i-1] {
			return config, estimates, usageErrorf(
				"--partitions %s: write rising whole numbers of seconds from 1 on, such as 1000,10000", strings.Join(f.partitions, ","))
		}
		config.Boundaries = append(config.Boundaries, boundary)
	}
	if f.reservations != "" {
		if config.Reservations, err = readReservations(ctx, f.reservations); err != nil {
			return config, estimates, usageError(err)
		}
	}
	return config, estimates, nil
}

// reservationColumns are those of a file of reservations, with the largest number that may stand there.
var reservationColumns = [...]struct {
	name string
	most int64
}{{"from", math.MaxInt64}, {"to", math.MaxInt64}, {"procs", math.MaxInt32}}

// readReservations reads a file whose first line is from,to,procs, in any order.
func readReservations(ctx context.Context, path string) ([]cluster.Reservation, error) {
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
