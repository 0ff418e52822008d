// Names of policies: what ParsePolicy accepts keeps its name, and what it refuses is answered with
// what would be right; configurations that a policy cannot honour are errors.

package cluster

import (
	"strings"
	"testing"
)

func TestPoliciesKeepTheirNames(t *testing.T) {
	for _, name := range []string{
		"fcfs", "easy", "easy:3", "easy:all", "conservative", "conservative:fixed", "sjbf", "easy++", "easy++:estimate",
		"lookahead", "lookahead:7", "selective", "selective:2.5", "slack:0", "slack:1.5", "multifactor",
		"multifactor:1:2:3", "multifactor:1:2:3:14d", "multifactor:1:2:3:14d:1d:600", "queues:1h:64:128+any:any:any",
	} {
		if policy, err := ParsePolicy(name); err != nil || policy.String() != name {
			t.Errorf("%s is read as %q (%v)", name, policy, err)
		}
	}
}

func TestWrongPoliciesAreErrors(t *testing.T) {
	for name, want := range map[string]string{
		"sjbg":                           "known are fcfs",
		"fcfs:2":                         "known are fcfs",
		"easy:":                          "known are fcfs",
		"easy:0":                         "a whole number from 1 on, or all",
		"conservative:fix":               "conservative or conservative:fixed",
		"easy++:run":                     "easy++ or easy++:estimate",
		"lookahead:-1":                   "a whole number from 1 on",
		"selective:0.9":                  "a number from 1 on",
		"selective:NaN":                  "a number from 1 on",
		"slack":                          "a number from 0",
		"slack:-1":                       "a number from 0",
		"slack:Inf":                      "a number from 0",
		"multifactor:1:2":                "as in multifactor:",
		"multifactor:1:2:10001":          "from 0 to 10000",
		"multifactor:1:2:3:0":            "a time from 1 s on",
		"multifactor:1:2:3:1:1:1:1":      "as in multifactor:",
		"queues:any:any":                 "LONGEST:LARGEST:LIMIT",
		"queues:1h:64:128":               "the last queue takes the rest",
		"queues:0:64:128+any:any:any":    `queue 1, "0:64:128": "0"`,
		"queues:1h:many:128+any:any:any": `"many": write a number of processors`,
	} {
		if _, err := ParsePolicy(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

func TestPoliciesRefuseConfigs(t *testing.T) {
	order, err := ParseOrder("shortest")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		policy, want string
		config       Config
	}{
		{"sjbf", "has one partition", Config{Boundaries: []int64{10}}},
		{"lookahead", "placement is count", Config{Placement: Fixed}},
		{"lookahead", "cannot plan around reservations", Config{Reservations: []Reservation{{1, 2, 1}}}},
		{"easy++", "cannot plan around reservations", Config{Reservations: []Reservation{{1, 2, 1}}}},
		{"selective", "an overrun is kill or raise", Config{Overrun: RunOn}},
		{"slack:1", "an overrun is kill or raise", Config{Overrun: RunOn}},
		{"multifactor", "it needs the order arrival, not shortest", Config{Order: order}},
		{"queues:any:any:7", "never lets start", Config{}},
		{"queues:any:any:any", "is replanned", Config{Pivot: Kept}},
	} {
		config := c.config
		config.Procs = 8
		if config.Policy, err = ParsePolicy(c.policy); err != nil {
			t.Fatal(err)
		}
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.policy, err, c.want)
		}
	}
}
