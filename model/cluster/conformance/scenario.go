// Package conformance reads the conformance set: small workloads with the exact schedules that
// follow from docs/reference/scheduling.md. Each shows one rule and can be checked by hand. Its one
// idea is to compare schedules to the second, job by job, so that a simulator either follows a rule
// or shows the first job for which it does not.
//
// [Parse] reads a scenario file, [ReadSchedules] the schedules of another program, and [Compare]
// finds the differences. docs/reference/conformance/README.md has the grammar of the files.
package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gridsweep/model/cluster"
)

// Scenario is a workload, a machine, and schedules of it.
type Scenario struct {
	Name         string   // of the file, without .txt
	Text         []string // the title, then an explanation of the schedules
	Procs        int32    // of the machine
	Jobs         []cluster.Job
	Reservations []cluster.Reservation
	Blocks       []Block
}

// Title says what the scenario shows.
func (s *Scenario) Title() string { return s.Text[0] }

// ScheduleCount returns the number of configurations with a schedule.
func (s *Scenario) ScheduleCount() int {
	n := 0
	for _, block := range s.Blocks {
		n += len(block.Configurations)
	}
	return n
}

// Block is a schedule and the configurations that result in it.
type Block struct {
	Configurations []Configuration
	Text           []string // explanation
	Schedule       cluster.Schedule
}

// Configuration is a policy and the rules of a simulation, as the flags of the command line name
// them. Empty values, other than of Policy, are defaults.
type Configuration struct {
	Policy     string
	Order      string
	Instant    string
	Overrun    string
	Pivot      string
	Placement  string
	Partitions []int64 // boundaries by estimate, in s
}

// ParseConfiguration reads a configuration such as "policy=easy:2 instant=each partitions=10,100",
// in any order. It returns an error for an unknown key, or one that occurs twice.
func ParseConfiguration(text string) (Configuration, error) {
	var c Configuration
	seen := map[string]bool{}
	for _, word := range strings.Fields(text) {
		key, value, _ := strings.Cut(word, "=")
		if value == "" || seen[key] {
			return c, fmt.Errorf("%q: write each of policy, order, instant, overrun, pivot, placement and partitions "+
				"at most once, as in policy=easy", word)
		}
		seen[key] = true
		if err := c.set(key, value); err != nil {
			return c, fmt.Errorf("%q: %w", word, err)
		}
	}
	if c.Policy == "" {
		return c, fmt.Errorf("%q has no policy=NAME", text)
	}
	return c, nil
}

// field is a key of a configuration with its default and value.
type field struct {
	key, fallback string
	value         *string
}

// fields returns the keys but partitions.
func (c *Configuration) fields() []field {
	return []field{
		{"policy", "", &c.Policy}, {"order", "arrival", &c.Order}, {"instant", "batch", &c.Instant},
		{"overrun", "kill", &c.Overrun}, {"pivot", "replanned", &c.Pivot}, {"placement", "count", &c.Placement},
	}
}

func (c *Configuration) set(key, value string) error {
	if key == "partitions" {
		for _, text := range strings.Split(value, ",") {
			boundary, err := strconv.ParseInt(text, 10, 64)
			if err != nil || boundary < 1 || len(c.Partitions) > 0 && boundary <= c.Partitions[len(c.Partitions)-1] {
				return fmt.Errorf("boundary %q: write seconds that ascend from 1, as in 1000,10000", text)
			}
			c.Partitions = append(c.Partitions, boundary)
		}
		return nil
	}
	for _, field := range c.fields() {
		if field.key == key {
			*field.value = value
			if value == field.fallback {
				*field.value = ""
			}
			if key == "policy" && value == "easy:1" {
				*field.value = "easy"
			}
			return nil
		}
	}
	return fmt.Errorf("%s is none of policy, order, instant, overrun, pivot, placement, partitions", key)
}

// isAmong reports whether the configuration equals one of a list.
func (c Configuration) isAmong(list []Configuration) bool {
	return slices.ContainsFunc(list, func(other Configuration) bool { return other.String() == c.String() })
}

// String returns the values that are not defaults, in a fixed order: equal configurations have
// equal texts.
func (c Configuration) String() string {
	var words []string
	for _, field := range c.fields() {
		if *field.value != "" {
			words = append(words, field.key+"="+*field.value)
		}
	}
	if len(c.Partitions) > 0 {
		words = append(words, "partitions="+c.Boundaries())
	}
	return strings.Join(words, " ")
}

// Boundaries returns the boundaries of the partitions, separated by commas.
func (c Configuration) Boundaries() string {
	boundaries := make([]string, len(c.Partitions))
	for i, boundary := range c.Partitions {
		boundaries[i] = strconv.FormatInt(boundary, 10)
	}
	return strings.Join(boundaries, ",")
}

// Words returns policy, order, instant, overrun, pivot and placement, including defaults.
func (c Configuration) Words() []string {
	var words []string
	for _, field := range c.fields() {
		words = append(words, cmp.Or(*field.value, field.fallback))
	}
	return words
}
