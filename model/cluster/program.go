// Programs: the policies exec:PROGRAM, whose schedulers are set by Policy.With.

package cluster

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
	return Policy{needs: oneProfile | noOrder}.With(func() Scheduler { return unopened{} }), nil
}

// unopened is the scheduler of a policy exec:PROGRAM before With. No pass comes after its Begin.
type unopened struct{ Scheduler }

func (unopened) Begin(machine Config) error {
	return fmt.Errorf("policy %s: its program is not open", machine.Policy)
}
