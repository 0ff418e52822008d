package external

// Conversation: a scheduler that sends events to a program and starts the jobs of its answers.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gridsweep/model/cluster"
	"gridsweep/model/trace"
)

// conversation is a scheduler that is a program, in one simulation.
type conversation struct {
	ctx        context.Context
	name, path string
	arguments  []string
	seed       int64
	limits     limits

	process *process // nil before Begin
	answer  answer
	line    []byte      // to the program
	last    [3]exchange // the last ones, the newest at (count-1)%3
	count   int
}

// exchange is a line to the program and its answer, both cut to what an error shows.
type exchange struct{ line, answer []byte }

// mostShown is how many bytes of a line an error shows.
const mostShown = 500

// Begin starts the program and sends the machine.
func (c *conversation) Begin(machine cluster.Config) error {
	var err error
	if c.process, err = start(c.ctx, c.path, c.arguments); err != nil {
		return fmt.Errorf("program %s cannot be started: %w (the first line of a script names its interpreter, such "+
			"as #!/usr/bin/env python3)", c.name, err)
	}
	c.line = appendMachine(c.line[:0], &machine, c.seed)
	text, err := c.exchange(c.limits.start)
	if err != nil {
		return err
	}
	return parseGreeting(text)
}

// Schedule sends the events of a pass and starts the jobs of the answer.
func (c *conversation) Schedule(pass *cluster.Pass) error {
	c.line = appendEvents(c.line[:0], pass)
	text, err := c.exchange(c.limits.answer)
	if err != nil {
		return err
	}
	a := &c.answer
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
		if err := pass.Wake(*a.Wake); err != nil {
			return err
		}
	}
	return nil
}

// exchange sends the line and returns the answer.
func (c *conversation) exchange(limit time.Duration) ([]byte, error) {
	text, err := c.process.exchange(c.line, limit)
	e := &c.last[c.count%len(c.last)]
	c.count++
	e.line, e.answer = keep(e.line, c.line), keep(e.answer, text)
	return text, err
}

// keep copies a line into room, as much of it as an error shows.
func keep(room, line []byte) []byte { return append(room[:0], line[:min(len(line), mostShown)]...) }

// end ends the program, and returns the error of the simulation with what led to it.
func (c *conversation) end(err error) error {
	if c.process == nil {
		return err
	}
	patience, isOver := time.Duration(0), errors.Is(err, errOver)
	if err == nil || isOver {
		patience = c.limits.exit
	}
	how := c.process.end(patience)
	switch {
	case err == nil:
		return nil
	case c.ctx.Err() != nil:
		return c.ctx.Err()
	case isOver:
		err = fmt.Errorf("%w; it ended with: %s", err, how)
	}
	return c.explain(err)
}

// explain returns an error with the last exchanges and the standard error of the program.
func (c *conversation) explain(err error) error {
	var text strings.Builder
	if c.count > 0 {
		text.WriteString("\n  last exchanges, the newest last:")
	}
	for i := max(0, c.count-len(c.last)); i < c.count; i++ {
		e := &c.last[i%len(c.last)]
		fmt.Fprintf(&text, "\n    to it:   %s\n    from it: %s", shown(e.line), shown(e.answer))
	}
	if lines := c.process.stderr.lines(); len(lines) > 0 {
		text.WriteString("\n  on its standard error:")
		for _, line := range lines {
			text.WriteString("\n    " + shown([]byte(line)))
		}
	}
	return fmt.Errorf("program %s: %w%s", c.name, err, text.String())
}

// shown returns a line as an error shows it.
func shown(line []byte) string {
	text := strings.TrimRight(string(line[:min(len(line), mostShown)]), "\r\n")
	if len(line) >= mostShown {
		text += "…"
	}
	if text == "" {
		text = "(nothing)"
	}
	return trace.Printable(text)
}
