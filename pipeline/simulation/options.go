package simulation

// The rules of a machine and the measured jobs, from the texts of flags.

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/ordering"
	"gridsweep/model/workload/estimates"
)

// Options are the rules of a machine besides its policy, and which jobs are measured, as the flags
// of the command line name them.
type Options struct {
	Order        string   `json:"order"`
	Estimates    string   `json:"estimates"`
	Seed         int64    `json:"seed"`
	Overrun      string   `json:"overrun"`
	Instant      string   `json:"instant"`
	Pivot        string   `json:"pivot"`
	Partitions   []string `json:"partitions"`
	Reservations string   `json:"reservations"`
	Warmup       int64    `json:"warmup"`
	Cooldown     int64    `json:"cooldown"`
}

// String lists the options that determine a schedule: the main ones always, the others if they are
// not the default.
func (o Options) String() string {
	text := fmt.Sprintf("order %s, estimates %s, overrun %s, instant %s", o.Order, o.Estimates, o.Overrun, o.Instant)
	if o.Pivot != "replanned" {
		text += ", pivot " + o.Pivot
	}
	if len(o.Partitions) > 0 {
		text += ", partitions " + strings.Join(o.Partitions, ",")
	}
	if o.Reservations != "" {
		text += ", reservations " + o.Reservations
	}
	return text
}

// WrongOption is the error of an option whose value is not among the known ones.
type WrongOption struct {
	Name  string // of the flag
	Value string
	Err   error
}

func (e *WrongOption) Error() string { return "--" + e.Name + ": " + e.Err.Error() }

func (e *WrongOption) Unwrap() error { return e.Err }

// Machine returns the machine of the options, without its processors and policy, and its estimates.
// The error for an unknown name is a [WrongOption].
func (o Options) Machine(ctx context.Context) (config cluster.Config, rule estimates.Rule, err error) {
	if config.Order, err = ordering.Parse(o.Order); err != nil {
		return config, rule, &WrongOption{"order", o.Order, err}
	}
	if rule, err = estimates.Parse(o.Estimates); err != nil {
		return config, rule, &WrongOption{"estimates", o.Estimates, err}
	}
	if config.Overrun, err = cluster.ParseOverrun(o.Overrun); err != nil {
		return config, rule, &WrongOption{"overrun", o.Overrun, err}
	}
	if config.Instant, err = cluster.ParseInstant(o.Instant); err != nil {
		return config, rule, &WrongOption{"instant", o.Instant, err}
	}
	if config.Pivot, err = cluster.ParsePivot(o.Pivot); err != nil {
		return config, rule, &WrongOption{"pivot", o.Pivot, err}
	}
	for i, text := range o.Partitions {
		boundary, err := strconv.ParseInt(text, 10, 64)
		if err != nil || boundary < 1 || i > 0 && boundary <= config.Boundaries[i-1] {
			return config, rule, fmt.Errorf("--partitions %s: write rising whole numbers of seconds from 1 on, "+
				"such as 1000,10000", strings.Join(o.Partitions, ","))
		}
		config.Boundaries = append(config.Boundaries, boundary)
	}
	if o.Reservations != "" {
		config.Reservations, err = ReadReservations(ctx, o.Reservations)
	}
	return config, rule, err
}
