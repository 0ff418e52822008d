// Tests of the validation of parameters, and of the cost of a run.

package brokering

import (
	"fmt"
	"strings"
	"testing"

	"gridsweep/model"
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
		"small":     {func(p *Parameters) { p.SmallClusters = "" }, "small_clusters", `part 1 begins with ""`},
		"medium":    {func(p *Parameters) { p.MediumClusters = "Intel 7" }, "medium_clusters", `part 1 begins with "Intel"`},
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
	of := func(change func(*Parameters)) float64 {
		p := defaults
		change(&p)
		return cost(p)
	}
	all := of(func(*Parameters) {})
	small := of(func(p *Parameters) { p.Scope = "small" })
	day := of(func(p *Parameters) { p.Days = 1 })
	aggregated := of(func(p *Parameters) { p.Strategy = "AGGR_CAT" })
	many := of(func(p *Parameters) { p.Strategy, p.Domains = "AGGR_CAT", 18 })
	if !(0 < day && day < all && 0 < small && small < all && all < aggregated && 6*aggregated < many) {
		t.Errorf("costs: all %v, small %v, a day %v, aggregated %v, 18 domains %v", all, small, day, aggregated, many)
	}
}
