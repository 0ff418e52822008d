package cluster

// Programs: the policies exec:PROGRAM, whose schedulers are set by Policy.With.

import (
	"errors"
	"fmt"
	"strings"
)

// ProgramPolicy begins the names of policies whose scheduler is a program: exec:PROGRAM. See
// docs/reference/external-schedulers.md.
const ProgramPolicy = "exec:"

// IsProgram reports whether the name of a policy names a program.
func IsProgram(name string) bool { return strings.HasPrefix(name, ProgramPolicy) }

// parseProgram returns the policy of a program, whose scheduler is set by With.
func parseProgram(program string) (Policy, error) {
	if strings.TrimSpace(program) == "" {
		return Policy{}, errors.New("it names no program: write exec:./my_scheduler.py")
	}
	return Policy{check: (*Config).checkProgram}.With(func() Scheduler { return unopened{} }), nil
}

// unopened is the scheduler of a policy exec:PROGRAM before With.
type unopened struct{ Scheduler }

func (unopened) Begin(machine Config) error {
	return fmt.Errorf("policy %s: its program is not open", machine.Policy)
}

// checkProgram returns an error unless the machine is what a program sees of it: processors and
// reservations. It orders the queue and plans by itself.
func (c *Config) checkProgram() error {
	if err := c.checkOneProfile(); err != nil {
		return err
	}
	if c.Order.Score != nil {
		return fmt.Errorf("policy %s orders the queue itself: its order is arrival", c.Policy)
	}
	return nil
}
