// Package protocol is the protocol of schedulers that are programs: lines of JSON with the machine
// and events, answered by starts. docs/reference/external-schedulers.md defines it. Its one idea:
// it knows no process, only a model.Program, to which it sends lines and which answers.
package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"gridsweep/model"
	"gridsweep/model/cluster"
)

// Version is the version of the protocol.
const Version = 1

// Simulate is cluster.Simulate for jobs with the numbers ids in a log, by which errors of invalid
// jobs name them; ids is nil where they have none. Where the policy is exec:PROGRAM it opens the
// program, which gets the numbers and a seed for random numbers, and ends it.
func Simulate(
	ctx context.Context, config cluster.Config, jobs []cluster.Job, ids []int64,
	open func(ctx context.Context, reference string) (model.Program, error), seed int64,
) (schedule cluster.Schedule, err error) {
	if reference := config.Policy.String(); cluster.IsProgram(reference) {
		var program model.Program
		if program, err = open(ctx, reference); err != nil {
			return schedule, err
		}
		defer func() { err = program.End(err) }() // after a panic too
		config.Policy = config.Policy.With(func() cluster.Scheduler {
			return &scheduler{program: program, ids: ids, seed: seed}
		})
	}
	schedule, err = cluster.Simulate(ctx, config, jobs)
	if job := new(cluster.JobError); ids != nil && errors.As(err, &job) {
		err = fmt.Errorf("job %d: %w", ids[job.Job], job.Err)
	}
	return schedule, err
}

// scheduler is a program as a cluster.Scheduler.
type scheduler struct {
	program model.Program
	ids     []int64 // of the jobs in the log; nil where they have none
	seed    int64
	line    []byte // to the program
	answer  answer
}

// Begin sends the machine.
func (s *scheduler) Begin(machine cluster.Config) error {
	s.line = appendMachine(s.line[:0], &machine, s.seed)
	text, err := s.program.Exchange(s.line)
	if err != nil {
		return err
	}
	return parseGreeting(text)
}

// Schedule sends the events of a pass and starts the jobs of the answer. The error is a
// *cluster.RuleError where the answer breaks a rule.
func (s *scheduler) Schedule(pass *cluster.Pass) error {
	s.line = appendEvents(s.line[:0], pass, s.ids)
	text, err := s.program.Exchange(s.line)
	if err != nil {
		return err
	}
	a := &s.answer
	if err := parseAnswer(text, a); err != nil {
		return err
	}
	if *a.Time != pass.Now() {
		return &cluster.RuleError{Rule: cluster.InThePast, Time: pass.Now(), Job: cluster.NoJob, Text: fmt.Sprintf(
			"the answer is for %d s; jobs start at the time of the events", *a.Time)}
	}
	for _, job := range a.Start {
		if err := pass.Start(int(job - 1)); err != nil {
			return err
		}
	}
	if a.Wake != nil {
		return pass.Wake(*a.Wake)
	}
	return nil
}

// appendMachine appends the first line to a program.
func appendMachine(line []byte, machine *cluster.Config, seed int64) []byte {
	line = fmt.Appendf(line,
		`{"type":"machine","protocol":%d,"procs":%d,"overrun":%q,"instant":%q,"seed":%d,"reservations":[`, Version,
		machine.Procs, cluster.Overruns.Names()[machine.Overrun], cluster.Instants.Names()[machine.Instant], seed)
	for i, r := range machine.Reservations {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, '{')
		line = appendReservation(line, r)
		line = append(line, '}')
	}
	return append(line, "]}\n"...)
}

func appendReservation(line []byte, r cluster.Reservation) []byte {
	line = appendInt(line, `"from":`, r.From)
	line = appendInt(line, `,"to":`, r.To)
	return appendInt(line, `,"procs":`, int64(r.Procs))
}

func appendInt(line []byte, key string, n int64) []byte {
	return strconv.AppendInt(append(line, key...), n, 10)
}

// appendEvents appends the line of a pass.
func appendEvents(line []byte, pass *cluster.Pass, ids []int64) []byte {
	line = appendInt(line, `{"type":"events","time":`, pass.Now())
	line = appendInt(line, `,"free":`, int64(pass.Free()))
	line = append(line, `,"events":[`...)
	for i, event := range pass.Events() {
		if i > 0 {
			line = append(line, ',')
		}
		switch event.Type {
		case cluster.Submitted:
			job := pass.Job(event.Job)
			line = appendInt(line, `{"type":"submit","job":`, int64(event.Job)+1)
			if ids != nil {
				line = appendInt(line, `,"id":`, ids[event.Job])
			}
			line = appendInt(line, `,"procs":`, int64(job.Procs))
			line = appendInt(line, `,"estimate":`, job.Estimate)
			if job.User >= 0 {
				line = appendInt(line, `,"user":`, int64(job.User))
			}
		case cluster.Ended:
			line = appendInt(line, `{"type":"end","job":`, int64(event.Job)+1)
		case cluster.ReservationBegan:
			line = appendReservation(append(line, `{"type":"reservation_begin",`...), event.Reservation)
		case cluster.ReservationEnded:
			line = appendReservation(append(line, `{"type":"reservation_end",`...), event.Reservation)
		case cluster.Woken:
			line = append(line, `{"type":"wake"`...)
		}
		line = append(line, '}')
	}
	return append(line, "]}\n"...)
}

// greeting is a program's answer to the first line. Other keys than these are errors.
type greeting struct {
	Protocol *int64 `json:"protocol"`
	Name     string `json:"name"`
	Version  string `json:"version"`
}

func parseGreeting(line []byte) error {
	var g greeting
	const example = `it is such as {"protocol":1,"name":"my-easy","version":"1.0"}`
	switch err := decode(line, &g); {
	case err != nil:
		return fmt.Errorf("the first answer: %w; %s", err, example)
	case g.Protocol == nil:
		return fmt.Errorf("the first answer has no protocol; %s", example)
	case *g.Protocol != Version:
		return fmt.Errorf("the program speaks version %d of the protocol, gridsweep version %d", *g.Protocol, Version)
	}
	return nil
}

// answer is a program's answer to the events of a pass.
type answer struct {
	Time  *int64  `json:"time"`  // of the pass, in s
	Start []int64 `json:"start"` // jobs, from 1
	Wake  *int64  `json:"wake"`  // s; none: no pass is requested
}

// parseAnswer parses a line into a, whose list it uses again.
func parseAnswer(line []byte, a *answer) error {
	*a = answer{Start: a.Start[:0]}
	if err := decode(line, a); err != nil {
		return fmt.Errorf(`%w; an answer is such as {"time":60,"start":[3,5]}`, err)
	}
	if a.Time == nil {
		return errors.New(`the answer has no time: it repeats that of the events, as in {"time":60,"start":[3,5]}`)
	}
	return nil
}

// decode reads a line that is one JSON object of known keys.
func decode(line []byte, into any) error {
	reader := json.NewDecoder(bytes.NewReader(line))
	reader.DisallowUnknownFields()
	err := reader.Decode(into)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("the answer is a JSON %s, not an object", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("the answer has a %s as %s, which has another type", wrong.Value, wrong.Field)
	case err != nil:
		return fmt.Errorf("the answer is no JSON object of the protocol: %w", err)
	case len(bytes.TrimSpace(line[reader.InputOffset():])) > 0:
		return errors.New("the answer has more than one JSON object in a line")
	}
	return nil
}
