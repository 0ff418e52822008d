package cluster

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// PolicyNames lists the policies that ParsePolicy understands; k stands for a number from 1 on.
func PolicyNames() []string {
	return []string{"fcfs", "easy", "easy:k", "easy:all", "conservative", "conservative:fixed"}
}

// Policy is what a pass does. ParsePolicy makes those of docs/reference/scheduling.md, NewPolicy
// one's own.
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
	return Policy{}, fmt.Errorf("there is no policy %q; known are %s", name, strings.Join(PolicyNames(), ", "))
}

// NewPolicy returns one's own policy: pass is called at each pass and starts and books jobs through
// its argument. It must depend on nothing else, or rows are not the same everywhere.
func NewPolicy(name string, pass func(*Pass)) Policy {
	return Policy{name: name, kind: custom, pass: pass}
}

// String returns the policy's name.
func (p Policy) String() string { return p.name }

// books reports whether the policy books each job when it arrives.
func (p Policy) books() bool { return p.kind == conservative || p.kind == fixed }

// OverrunNames lists the names that ParseOverrun understands.
func OverrunNames() []string { return []string{"kill", "run", "raise"} }

// InstantNames lists the names that ParseInstant understands.
func InstantNames() []string { return []string{"batch", "each"} }

// PivotNames lists the names that ParsePivot understands.
func PivotNames() []string { return []string{"replanned", "kept"} }

// ParseOverrun understands kill, run and raise.
func ParseOverrun(name string) (Overrun, error) {
	return parse("overrun", name, OverrunNames(), []Overrun{Kill, RunOn, Raise})
}

// ParseInstant understands batch and each.
func ParseInstant(name string) (Instant, error) {
	return parse("rule for one second", name, InstantNames(), []Instant{Batch, Each})
}

// ParsePivot understands replanned and kept.
func ParsePivot(name string) (Pivot, error) {
	return parse("treatment of pivots", name, PivotNames(), []Pivot{Replanned, Kept})
}

// ParsePlacement understands count and fixed.
func ParsePlacement(name string) (Placement, error) {
	return parse("placement", name, []string{"count", "fixed"}, []Placement{Count, Fixed})
}

// parse returns the value that has the index of the name among all names.
func parse[T any](what, name string, names []string, values []T) (T, error) {
	if i := slices.Index(names, name); i >= 0 {
		return values[i], nil
	}
	var none T
	return none, fmt.Errorf("there is no %s %q; known are %s", what, name, strings.Join(names, ", "))
}
