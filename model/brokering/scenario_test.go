// The runner of the scenarios, and the parser of their systems.

package brokering

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gridsweep/model/brokering/pool"
)

func TestScenarios(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			p := defaults
			for _, setting := range strings.Fields(s.set) {
				set(t, &p, setting)
			}
			domains := parseDomains(t, s.clusters, s.jobs)
			system, err := simulateAll(p, domains)
			if err != nil {
				t.Fatal(err)
			}
			var have []string
			for i := range system.requests {
				have = append(have, system.describe(i))
			}
			slices.Sort(have)
			want := strings.Split(s.want, "\n")
			for i := range want {
				want[i] = strings.TrimSpace(want[i])
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("schedules differ (-want +have):\n%s", diff)
			}
		})
	}
}

// simulateAll simulates the domains and returns the system after the last event.
func simulateAll(p Parameters, domains []domain) (*system, error) {
	sim := newSimulation(context.Background(), p, domains)
	return sim.system, sim.run()
}

// set gives a parameter of type string a value.
func set(t *testing.T, p *Parameters, setting string) {
	t.Helper()
	name, value, _ := strings.Cut(setting, "=")
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("name") == name {
			v.Field(i).SetString(value)
			return
		}
	}
	t.Fatalf("no parameter %q", name)
}

// parseDomains returns the domains of a scenario.
func parseDomains(t *testing.T, clusters, jobs string) []domain {
	t.Helper()
	var domains []domain
	find := func(name string) *domain {
		i := slices.IndexFunc(domains, func(d domain) bool { return d.name == name })
		if i < 0 {
			i = len(domains)
			domains = append(domains, domain{name: name, span: 1000})
		}
		return &domains[i]
	}
	for line := range strings.Lines(clusters) {
		name, numbers, platform, _ := parseLine(t, line, 4)
		d := find(name)
		d.clusters = append(d.clusters, cluster{platform, numbers[0], int32(numbers[1]), numbers[2], numbers[3]})
	}
	for line := range strings.Lines(jobs) {
		name, numbers, platform, clock := parseLine(t, line, 5)
		d := find(name)
		d.jobs = append(d.jobs, job{numbers[0], numbers[1], platform, clock, int32(numbers[2]), numbers[3], numbers[4]})
	}
	return domains
}

// parseLine returns the name at the beginning of a line, so many numbers, and a platform and a
// clock if they follow.
func parseLine(
	t *testing.T, line string, count int,
) (name string, numbers []int64, platform pool.Platform, clock int64) {
	t.Helper()
	fields := strings.Fields(line)
	platform, clock = pool.Platform{Vendor: "Intel", System: "Linux"}, 1
	for i, field := range fields {
		number, err := strconv.ParseInt(field, 10, 64)
		switch {
		case i == 0:
			name = field
		case i == count+1:
			platform.Vendor, platform.System, _ = strings.Cut(field, "/")
		case err != nil:
			t.Fatalf("%q: %v", line, err)
		case i == count+2:
			clock = number
		default:
			numbers = append(numbers, number)
		}
	}
	if len(numbers) != count {
		t.Fatalf("%q has %d numbers, want %d", line, len(numbers), count)
	}
	return name, numbers, platform, clock
}

// describe returns the outcome of a job as text.
func (s *system) describe(number int) string {
	r, tally := &s.requests[number], &s.tallies[number]
	m := &s.resources[r.resource]
	text := fmt.Sprintf("%s.%d %s/%d at %d, %d attempt", s.domains[r.origin].name, r.index+1, s.domains[m.Domain].name,
		m.inDomain+1, r.start, tally.Attempts)
	if tally.Attempts > 1 {
		text += "s"
	}
	text += fmt.Sprintf(", %d/%d/%d", tally.Conflicts[pool.LacksCPUs], tally.Conflicts[pool.LacksMemory],
		tally.Conflicts[pool.LacksDisk])
	if tally.Rescheduled {
		text += ", re-scheduled"
	}
	return text
}
