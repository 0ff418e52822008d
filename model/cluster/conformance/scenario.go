// Package conformance reads the conformance set: small workloads with the exact schedules that
// follow from docs/reference/scheduling.md, each of one rule and small enough to check by hand. Its
// one idea is that a schedule is compared to the second, job by job, so that a simulator either
// follows a rule or shows the job where it does not. [Parse] reads a scenario file, [ReadSchedules]
// what another program made of it, and [Compare] tells where they differ.
// docs/reference/conformance/README.md has the grammar of the files.
package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gridsweep/model/cluster"
)

// Scenario is a workload, a machine, and schedules of it.
type Scenario struct {
	Name         string   // of the file, without .txt
	Text         []string // why the schedules are what they are; the first line is the title
	Procs        int32    // of the machine
	Jobs         []cluster.Job
	Reservations []cluster.Reservation
	Blocks       []Block
}

// Title says what the scenario shows.
func (s *Scenario) Title() string { return s.Text[0] }

// Schedules returns how many configurations the scenario has a schedule for.
func (s *Scenario) Schedules() int {
	n := 0
	for _, block := range s.Blocks {
		n += len(block.Configurations)
	}
	return n
}

// Block is one schedule and the configurations that give it.
type Block struct {
	Configurations []Configuration
	Text           []string // why
	Schedule       cluster.Schedule
}

// Configuration is how the queue is worked off, in the words of the command line. The zero value of
// all but Policy stands for the default.
type Configuration struct {
	Policy     string
	Order      string
	Instant    string
	Overrun    string
	Pivot      string
	Placement  string
	Partitions []int64 // boundaries by estimate, in s
}

// ParseConfiguration reads words such as "policy=easy:2 instant=each partitions=10,100" in any
// order. What has no word has its default. It returns an error for a word that is none of them, or
// one that is there twice.
func ParseConfiguration(text string) (Configuration, error) {
	var c Configuration
	seen := map[string]bool{}
	for _, word := range strings.Fields(text) {
		key, value, _ := strings.Cut(word, "=")
		if value == "" || seen[key] {
			return c, fmt.Errorf("%q: write each of policy, order, instant, overrun, pivot, placement and partitions at most once, "+
				"as in policy=easy", word)
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

// fields are the words that choose by a name, and what is chosen without them.
func (c *Configuration) fields() []struct {
	key, fallback string
	value         *string
} {
	return []struct {
		key, fallback string
		value         *string
	}{
		{"policy", "", &c.Policy}, {"order", "arrival", &c.Order}, {"instant", "batch", &c.Instant},
		{"overrun", "kill", &c.Overrun}, {"pivot", "replanned", &c.Pivot}, {"placement", "count", &c.Placement},
	}
}

func (c *Configuration) set(key, value string) error {
	if key == "partitions" {
		for _, field := range strings.Split(value, ",") {
			boundary, err := strconv.ParseInt(field, 10, 64)
			if err != nil || boundary < 1 || len(c.Partitions) > 0 && boundary <= c.Partitions[len(c.Partitions)-1] {
				return fmt.Errorf("boundary %q: write seconds that ascend from 1, as in 1000,10000", field)
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

// String returns the words that are not the default's, in a fixed order: equal configurations give
// equal text.
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

// Boundaries returns those between partitions as they are written, with commas.
func (c Configuration) Boundaries() string {
	boundaries := make([]string, len(c.Partitions))
	for i, boundary := range c.Partitions {
		boundaries[i] = strconv.FormatInt(boundary, 10)
	}
	return strings.Join(boundaries, ",")
}

// Words returns the policy, order, instant, overrun, pivot and placement by name, the defaults too.
func (c Configuration) Words() []string {
	var words []string
	for _, field := range c.fields() {
		word := *field.value
		if word == "" {
			word = field.fallback
		}
		words = append(words, word)
	}
	return words
}

// Config returns what [cluster.Simulate] needs to run the scenario so. It returns an error for a
// name that it does not know.
func (s *Scenario) Config(c Configuration) (cluster.Config, error) {
	config := cluster.Config{
		Procs: s.Procs, Boundaries: slices.Clone(c.Partitions), Reservations: slices.Clone(s.Reservations),
	}
	words := c.Words()
	for i, set := range []func(string) error{
		parsed(&config.Policy, cluster.ParsePolicy), parsed(&config.Order, cluster.ParseOrder),
		parsed(&config.Instant, cluster.ParseInstant), parsed(&config.Overrun, cluster.ParseOverrun),
		parsed(&config.Pivot, cluster.ParsePivot), parsed(&config.Placement, cluster.ParsePlacement),
	} {
		if err := set(words[i]); err != nil {
			return config, err
		}
	}
	return config, nil
}

func parsed[T any](to *T, parse func(string) (T, error)) func(string) error {
	return func(word string) (err error) {
		*to, err = parse(word)
		return err
	}
}
