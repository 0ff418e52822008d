// Tests of the validation of parameters, of those without effect, and of the cost of a run.

package brokering

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gridsweep/model"
	"pgregory.net/rapid"
)

func TestValidate(t *testing.T) {
	platforms := func(n int) string {
		clusters := "A/1 1"
		for i := 2; i <= n; i++ {
			clusters += fmt.Sprintf("; A/%d 1", i)
		}
		return clusters
	}
	for name, c := range map[string]struct {
		change      func(*Parameters)
		field, want string // no problem where empty
	}{
		"defaults": {func(*Parameters) {}, "", ""},
		"domains": {func(p *Parameters) { p.Domains = 7 }, "domains",
			"7 is no multiple of 3: take 6 or 9, equally many of each type"},
		"clocks": {func(p *Parameters) { p.ClockMin = 3001 }, "clock_min",
			"3001 is above clock_max 3000: take at most that"},
		"one clock": {func(p *Parameters) { p.ClockMin = 3000 }, "", ""},
		"bursts":    {func(p *Parameters) { p.BurstMin = 7 }, "burst_min", "7 is above burst_max 6: take at most that"},
		"one burst": {func(p *Parameters) { p.BurstMin = 6 }, "", ""},
		"mix":       {func(p *Parameters) { p.MemoryMix = "128:0.5" }, "memory_mix", "the shares sum to 0.5, want 1"},
		"small":     {func(p *Parameters) { p.SmallClusters = "" }, "small_clusters", `entry 1 begins with ""`},
		"medium":    {func(p *Parameters) { p.MediumClusters = "Intel 7" }, "medium_clusters", `entry 1 begins with "Intel"`},
		"big": {func(p *Parameters) { p.Scope, p.BigClusters = "small", "Intel/Linux x" }, "big_clusters",
			`Intel/Linux: sizes "x": number 1 is "x"`},
		"own queue": {func(p *Parameters) { p.Preference, p.OwnAs, p.BrokerQueue = "own", "queue", "fcfs" }, "own_as",
			"queue lets a broker's own jobs pass those that wait, which broker_queue fcfs does not: take first-fit or " +
				"own_as priority"},
		"own":         {func(p *Parameters) { p.Preference, p.OwnAs = "own", "queue" }, "", ""},
		"equal queue": {func(p *Parameters) { p.OwnAs, p.BrokerQueue = "queue", "fcfs" }, "", ""},
		"large": {func(p *Parameters) { p.SmallClusters = "A/B 268435457" }, "small_clusters",
			"a resource of 268435457 CPUs: take at most 268435456"},
		"largest": {func(p *Parameters) { p.SmallClusters = "A/B 268435456" }, "", ""},
		"memory": {func(p *Parameters) { p.SmallClusters, p.MemoryPerCPU = "A/B 10000000", 1e9 }, "memory_per_cpu",
			"1000000000 MB for each of the 10000000 CPUs of small_clusters are more than 2^53 MB: take at most 900719925"},
		"most memory": {func(p *Parameters) { p.SmallClusters, p.MemoryPerCPU = "A/B 10000000", 900719925 }, "", ""},
		"disk": {func(p *Parameters) { p.BigClusters, p.DiskPerCPU = "A/B 5000000;A/C 5000000", 1e9 },
			"disk_per_cpu", "for each of the 10000000 CPUs of big_clusters"},
		"many jobs": {func(p *Parameters) { p.Domains, p.SmallJobs, p.MediumJobs = 15, 999_700, 17 }, "domains", "15 " +
			"domains have 5065000 jobs together: take fewer domains or smaller ones, so that there are at most 5000000"},
		"most jobs":    {func(p *Parameters) { p.Domains, p.SmallJobs, p.MediumJobs = 15, 986_700, 17 }, "", ""},
		"without them": {func(p *Parameters) { p.Domains, p.SmallJobs, p.Scope = 60, 1e6, "big" }, "", ""},
		"many resources": {func(p *Parameters) { p.Domains, p.MediumClusters = 300, "A/B 1"+strings.Repeat(",1", 199) },
			"domains",
			"300 domains have 21800 resources together: take fewer domains or smaller ones, so that there are at most 20000"},
		"many platforms": {func(p *Parameters) { p.SmallClusters = platforms(501) }, "small_clusters",
			"501 vendors with operating systems: take at most 500"},
		"most platforms": {func(p *Parameters) { p.SmallClusters = platforms(500) + "; A/1 7" }, "", ""},
		"many CPUs": {func(p *Parameters) { p.Domains, p.SmallClusters = 30, "A/B 268435456" }, "domains",
			"30 domains have 2684401530 CPUs together"},
	} {
		p := defaults
		c.change(&p)
		problems := validate(p)
		switch {
		case c.field == "" && problems != nil:
			t.Errorf("%s: %v", name, problems)
		case c.field != "" && (len(problems) != 1 || problems[0].Field != c.field ||
			!strings.Contains(problems[0].Text, c.want)):
			t.Errorf("%s: %v, want %s: %s", name, problems, c.field, c.want)
		}
	}
}

// All problems are reported at once, each under an existing parameter.
func TestValidateReportsAll(t *testing.T) {
	p := defaults
	p.Domains, p.ClockMin, p.BurstMin, p.MemoryMix, p.Preference, p.OwnAs, p.BrokerQueue = 4, 5000, 7, "x", "own",
		"queue", "fcfs"
	p.SmallClusters, p.MediumClusters, p.MemoryPerCPU, p.DiskPerCPU = ";", "A/B 268435457", 1e9, 1e9
	m := model.New(Spec)
	var fields []string
	for _, problem := range validate(p) {
		fields = append(fields, problem.Field)
		if m.Parameter(problem.Field) < 0 || problem.Text == "" {
			t.Errorf("%+v", problem)
		}
	}
	want := "domains clock_min burst_min own_as memory_mix small_clusters medium_clusters memory_per_cpu disk_per_cpu"
	if have := strings.Join(fields, " "); have != want {
		t.Errorf("problems with %s, want %s", have, want)
	}
}

// Costs are above 0 and rise with the number of jobs and domains.
func TestCost(t *testing.T) {
	costOf := func(change func(*Parameters)) float64 {
		p := defaults
		change(&p)
		return cost(p)
	}
	all := costOf(func(*Parameters) {})
	small := costOf(func(p *Parameters) { p.Scope = "small" })
	day := costOf(func(p *Parameters) { p.Days = 1 })
	aggregated := costOf(func(p *Parameters) { p.Strategy = "AGGR_CAT" })
	many := costOf(func(p *Parameters) { p.Strategy, p.Domains = "AGGR_CAT", 18 })
	if !(0 < day && day < all && 0 < small && small < all && all < aggregated && 6*aggregated < many) {
		t.Errorf("costs: all %v, small %v, a day %v, aggregated %v, 18 domains %v", all, small, day, aggregated, many)
	}
}

// TestCanonical changes parameters at random: if the canonical ones stay equal, so do outcome and
// jobs. Each parameter that canonical knows has to be without effect in some draw.
func TestCanonical(t *testing.T) {
	seen := map[string]int{}
	forStrategies(t, func(t *rapid.T, strategy, preference string) {
		p, domains := drawSimulation(t, strategy, preference)
		want, wantJobs := requireRun(t, p, domains)
		for name, change := range map[string]func(*Parameters){
			"slow":         func(p *Parameters) { p.Slow = other(p.Slow, "inverse", "lexicographic") },
			"local":        func(p *Parameters) { p.Local = other(p.Local, "easy", "fcfs") },
			"local_needs":  func(p *Parameters) { p.LocalNeeds = other(p.LocalNeeds, "all", "cpus") },
			"broker_queue": func(p *Parameters) { p.BrokerQueue = other(p.BrokerQueue, "first-fit", "fcfs") },
			"split":        func(p *Parameters) { p.Split = other(p.Split, "each", "joint") },
			"own_as":       func(p *Parameters) { p.OwnAs = other(p.OwnAs, "priority", "queue") },
			"rank":         func(p *Parameters) { p.Rank = other(p.Rank, "best", "mean") },
			"factor":       func(p *Parameters) { p.Factor++ },
		} {
			changed := p
			change(&changed)
			if canonical(changed) != canonical(p) || len(validate(changed)) > 0 {
				continue
			}
			if name == "rank" && preference != "none" {
				name = "rank of one aggregated computer"
			}
			seen[name]++
			got, jobs := requireRun(t, changed, domains)
			if diff := cmp.Diff(want, got) + cmp.Diff(wantJobs, jobs); diff != "" {
				t.Fatalf("%s has an effect (-before +after):\n%s\n%s", name, diff, describeNaive(p, domains))
			}
		}
	})
	if len(seen) < 9 {
		t.Errorf("parameters without effect: only %v", seen)
	}
}

// other returns a value other than this one.
func other(value, a, b string) string {
	if value == a {
		return b
	}
	return a
}

// TestCanonicalDomains draws domains of points with equal canonical parameters, which have equal
// domains.
func TestCanonicalDomains(t *testing.T) {
	for _, scope := range types {
		p := quickly()
		p.Scope = scope
		changed := p
		changed.Copies = "seeded"
		for domainType, name := range types {
			if name == scope {
				continue
			}
			switch domainType {
			case 0:
				changed.SmallJobs, changed.SmallSpan = 9, day
				changed.SmallLongest, changed.SmallClusters = hour, "A/B 9"
			case 1:
				changed.MediumJobs, changed.MediumSpan = 9, day
				changed.MediumLongest, changed.MediumClusters = hour, "A/B 9"
			case 2:
				changed.BigJobs, changed.BigSpan = 9, day
				changed.BigLongest, changed.BigClusters = hour, "A/B 9"
			}
		}
		if canonical(changed) != canonical(p) {
			t.Fatalf("%s: canonical parameters differ:\n%+v\n%+v", scope, canonical(p), canonical(changed))
		}
		want, got := drawnBy(t, p, envOf(0, nil)), drawnBy(t, changed, envOf(0, nil))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(domain{}, cluster{}, job{})); diff != "" {
			t.Errorf("%s: %s", scope, diff)
		}
		changed.SmallSpan, changed.MediumSpan, changed.BigSpan = 2*day, 2*day, 2*day
		if canonical(changed) == canonical(p) {
			t.Errorf("%s: the span of the domains in the scope has no effect", scope)
		}
	}
}
