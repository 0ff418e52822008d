// The rules of a machine and the measured jobs, from the texts of flags.

package simulation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gridsweep/model/cluster"
	"gridsweep/model/scheduling"
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
	Reservations string   `json:"reservations"` // path of a CSV file; empty for none
	Warmup       int64    `json:"warmup"`       // in s, see metrics.Window
	Cooldown     int64    `json:"cooldown"`     // likewise
}

// String lists the options that determine a schedule, but for the seed: the main ones always, the
// others if they are not the default.
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

// WrongOption is the error of an option with a wrong value.
type WrongOption struct {
	Name  string // name of the flag
	Value string
	Err   error
}

func (e *WrongOption) Error() string { return "--" + e.Name + ": " + e.Err.Error() }

func (e *WrongOption) Unwrap() error { return e.Err }

// Machine returns the machine of the options, without its processors and policy, and its estimates.
// The error for a wrong value is a *[WrongOption]; one in the file of reservations names the line.
func (o Options) Machine(ctx context.Context) (config cluster.Config, rule estimates.Rule, err error) {
	p := scheduling.Spec.Defaults
	p.Order, p.Estimates, p.Overrun, p.Instant, p.Pivot = o.Order, o.Estimates, o.Overrun, o.Instant, o.Pivot
	p.Partitions = strings.Join(o.Partitions, ",")
	if o.Reservations != "" {
		if p.Reservations, err = readReservations(ctx, o.Reservations); err != nil {
			return config, rule, err
		}
	}
	config, problems := p.Machine()
	if len(problems) > 0 {
		wrong := problems[0]
		value := map[string]string{
			"order": p.Order, "overrun": p.Overrun, "instant": p.Instant, "pivot": p.Pivot, "partitions": p.Partitions,
		}[wrong.Field]
		return config, rule, &WrongOption{wrong.Field, value, errors.New(wrong.Text)}
	}
	if rule, err = estimates.Parse(o.Estimates); err != nil {
		return config, rule, &WrongOption{"estimates", o.Estimates, err}
	}
	return config, rule, nil
}
