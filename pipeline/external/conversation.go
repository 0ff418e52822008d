// Conversation: a program in one simulation, with what an error shows of it.

package external

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gridsweep/model/trace"
)

// conversation is a model.Program.
type conversation struct {
	ctx        context.Context
	name, path string
	arguments  []string
	limits     limits

	process *process    // nil before the first exchange
	last    [3]exchange // the last ones, the newest at (count-1)%3
	count   int
}

// exchange is a line to the program and its answer, both cut to what an error shows.
type exchange struct{ line, answer []byte }

// mostShown is how many bytes of a line an error shows.
const mostShown = 500

// Exchange sends a line to the program, which the first call starts, and returns the answer.
func (c *conversation) Exchange(line []byte) ([]byte, error) {
	limit := c.limits.answer
	if c.process == nil {
		var err error
		if c.process, err = start(c.ctx, c.path, c.arguments); err != nil {
			return nil, fmt.Errorf("program %s cannot be started: %w (the first line of a script names its "+
				"interpreter, such as #!/usr/bin/env python3)", c.name, err)
		}
		limit = c.limits.start
	}
	answer, err := c.process.exchange(line, limit)
	e := &c.last[c.count%len(c.last)]
	c.count++
	e.line, e.answer = overwrite(e.line, line), overwrite(e.answer, answer)
	return answer, err
}

// overwrite copies what an error shows of a line into the memory of another.
func overwrite(old, line []byte) []byte { return append(old[:0], line[:min(len(line), mostShown)]...) }

// End ends the program, and returns the error of the simulation with what led to it.
func (c *conversation) End(err error) error {
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
