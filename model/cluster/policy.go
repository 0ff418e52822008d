// Policies: the names of scheduling policies and of the rules beside them, and their parsers.

package cluster

import (
	"fmt"
	"slices"
	"strings"
)

// Policy is what a pass does. ParsePolicy makes those of docs/reference/scheduling.md, NewPolicy
// your own.
type Policy struct {
	name      string
	scheduler func(*Site) scheduler // puts the policy to work on a new site
	needs     needs                 // of the other rules, see Config.CheckPolicy
	check     func(*Config) error   // of the policy's own numbers; may be nil
}

// needs are what a policy needs of the other rules, as bits.
type needs uint8

const (
	oneProfile     needs = 1 << iota // one partition of counted processors
	newPivot                         // pivots that are planned anew in each pass
	noReservations                   // no reservations: the plan has running jobs and one pivot
	endInTime                        // ends by the estimates, so that a booking can be honoured
	noOrder                          // no queue order: the policy or its program has one

	simple = oneProfile | newPivot
)

// PolicyNames lists the policies that ParsePolicy accepts. Words in capitals stand for arguments, k
// for a number from 1 on.
func PolicyNames() []string {
	return []string{
		"fcfs", "easy", "easy:k", "easy:all", "conservative", "conservative:fixed", "sjbf",
		"easy++", "easy++:estimate", "lookahead", "lookahead:k",
		"selective", "selective:X", "slack:F",
		"multifactor", "multifactor:AGE:SIZE:FAIRSHARE[:HALFLIFE[:MAXAGE[:PERIOD]]]",
		"queues:LONGEST:LARGEST:LIMIT[+…]",
		"exec:PROGRAM",
	}
}

// ParsePolicy returns the policy of that name. The error for an unknown name lists the names.
func ParsePolicy(name string) (Policy, error) {
	family, argument, hasArgument := strings.Cut(name, ":")
	parse := map[string]func(argument string) (Policy, error){
		"easy": parseEASY, "conservative": parseConservative, "easy++": parsePredicting, "lookahead": parseLookahead,
		"selective": parseSelective, "slack": parseSlack, "multifactor": parseMultifactor, "queues": parseQueues,
		"exec": parseProgram,
	}[family]
	var p Policy
	var err error
	switch {
	case parse != nil && (argument != "" || !hasArgument): // a colon needs an argument
		p, err = parse(argument)
	case name == "fcfs":
		p = Policy{scheduler: func(s *Site) scheduler { return fcfs{s} }}
	case name == "sjbf":
		p = Policy{scheduler: func(s *Site) scheduler { return newShortest(s) }, needs: simple}
	default:
		return Policy{}, fmt.Errorf("there is no policy %q; known are %s", name, strings.Join(PolicyNames(), ", "))
	}
	if err != nil {
		return Policy{}, fmt.Errorf("policy %q: %w", name, err)
	}
	p.name = name
	return p, nil
}

// String returns the policy's name.
func (p Policy) String() string { return p.name }

// Enumeration is the values of a rule beside the policy, by their names.
type Enumeration[T ~uint8] struct {
	what  string
	names []string // in the order of the constants
}

// The rules beside the policy.
var (
	Overruns   = Enumeration[Overrun]{"overrun", []string{"kill", "run", "raise"}}
	Instants   = Enumeration[Instant]{"event order within a second", []string{"batch", "each"}}
	Pivots     = Enumeration[Pivot]{"treatment of pivots", []string{"replanned", "kept"}}
	Placements = Enumeration[Placement]{"placement", []string{"count", "fixed"}}
)

// Names lists the names that Parse accepts, in the order of the constants.
func (e Enumeration[T]) Names() []string { return slices.Clone(e.names) }

// Parse returns the value of that name. The error lists the names.
func (e Enumeration[T]) Parse(name string) (T, error) {
	if i := slices.Index(e.names, name); i >= 0 {
		return T(i), nil
	}
	return 0, fmt.Errorf("there is no %s %q; known are %s", e.what, name, strings.Join(e.names, ", "))
}
