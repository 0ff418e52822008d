package cluster

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// PolicyNames lists the policies that ParsePolicy understands.
const PolicyNames = "fcfs, easy, easy:k (k = 1, 2, …), easy:all, conservative, conservative:fixed"

// Policy is what a pass does. ParsePolicy makes those of docs/scheduling.md, NewPolicy one's own.
type Policy struct {
	name   string
	kind   kind
	pivots int         // of easy: how many jobs are booked
	pass   func(*Pass) // of custom
}

// unlimited is the number of pivots of easy:all.
const unlimited = math.MaxInt

type kind uint8

const (
	fcfs kind = iota
	easy
	conservative // with compression
	fixed        // conservative without compression
	custom
)

// ParsePolicy returns the policy of that name. The error lists the names.
func ParsePolicy(name string) (Policy, error) {
	switch name {
	case "fcfs":
		return Policy{name: name, kind: fcfs}, nil
	case "easy":
		return Policy{name: name, kind: easy, pivots: 1}, nil
	case "easy:all":
		return Policy{name: name, kind: easy, pivots: unlimited}, nil
	case "conservative":
		return Policy{name: name, kind: conservative}, nil
	case "conservative:fixed":
		return Policy{name: name, kind: fixed}, nil
	}
	if number, ok := strings.CutPrefix(name, "easy:"); ok {
		if k, err := strconv.Atoi(number); err == nil && k >= 1 {
			return Policy{name: name, kind: easy, pivots: k}, nil
		}
		return Policy{}, fmt.Errorf("policy %q: the number of pivots is a whole number from 1 on, or all", name)
	}
	return Policy{}, fmt.Errorf("there is no policy %q; known are %s", name, PolicyNames)
}

// NewPolicy returns one's own policy: pass is called at each pass and starts and books jobs through its argument. It
// must depend on nothing else, or rows are not the same everywhere.
func NewPolicy(name string, pass func(*Pass)) Policy {
	return Policy{name: name, kind: custom, pass: pass}
}

// String returns the policy's name.
func (p Policy) String() string { return p.name }

// books reports whether the policy books each job when it arrives.
func (p Policy) books() bool { return p.kind == conservative || p.kind == fixed }

// ParseOverrun understands kill, run and raise.
func ParseOverrun(name string) (Overrun, error) {
	return parse("overrun", name, map[string]Overrun{"kill": Kill, "run": RunOn, "raise": Raise}, "kill, run, raise")
}

// ParseInstant understands batch and each.
func ParseInstant(name string) (Instant, error) {
	return parse("rule for one second", name, map[string]Instant{"batch": Batch, "each": Each}, "batch, each")
}

// ParsePivot understands replanned and kept.
func ParsePivot(name string) (Pivot, error) {
	return parse("treatment of pivots", name, map[string]Pivot{"replanned": Replanned, "kept": Kept}, "replanned, kept")
}

// ParsePlacement understands count and fixed.
func ParsePlacement(name string) (Placement, error) {
	return parse("placement", name, map[string]Placement{"count": Count, "fixed": Fixed}, "count, fixed")
}

func parse[T any](what, name string, known map[string]T, list string) (T, error) {
	value, found := known[name]
	if !found {
		return value, fmt.Errorf("there is no %s %q; known are %s", what, name, list)
	}
	return value, nil
}
