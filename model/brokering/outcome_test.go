// Tests of metrics on a system worked out by hand.

package brokering

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestOutcomeByHand measures a run that was worked out by hand. Of home's jobs 2 and 4 find home
// full; 4 then waits from 1,800 to 3,600 s, and takes home before 3 arrives there. So home runs 1
// and 4, away 2, 3 and its own.
func TestOutcomeByHand(t *testing.T) {
	p := defaults
	p.Sample = 1
	domains := parseDomains(t,
		`home 1000 2 2 2
		 away 1000 2 2 2`,
		`home    0 3600 2 1 1
		 home    0 3600 1 1 1
		 home 1800 1800 2 1 1
		 home 3600   30 1 1 1
		 away 7200 3600 1 1 1`)
	domains[0].span, domains[1].span = 3750, 14400
	have, _ := requireRun(t, p, domains)
	value := func(x float64) *float64 { return &x }
	count := func(n int64) *int64 { return &n }
	cluster := func(domain, name string, ran, utilisation, bsld float64) ClusterRow {
		return ClusterRow{Domain: domain, Cluster: name, Ran: ran, Utilisation: utilisation, BSLD: &bsld}
	}
	away := 100 * 7230.0 / 21600 // % used
	want := Outcome{
		Jobs: 5, Exec: 3, Wait: 360, WaitP95: 1800, BSLD: 1.2, BSLDP95: 2, BrokerBSLD: 1.25, BrokerBSLDSD: 0.25,
		ClusterBSLD: 1.25,
		Attempts:    6, Conflicts: 4, ConflictsCPU: value(100), ConflictsMemory: value(0), ConflictsDisk: value(0),
		Rescheduled: 20, Forwarded: 40, ForwardingEntropy: value(0), ForwardingDistance: value(1),
		Utilisation: (50 + away) / 2, UtilisationSD: (50 - away) / 2,
		ClusterUtilisation: (50 + away) / 2, ClusterUtilisationSD: (50 - away) / 2, UtilisationAll: 100 * 18030.0 / 43200,
		DomainRows: []DomainRow{
			{
				Domain: "home", Jobs: 4, Ran: 2, Sent: 2, Received: 0, HomeOnly: value(0), Exec: value(1.5), Wait: value(450),
				WaitP95: value(1800),
				BSLD:    value(1.25), BSLDP95: value(2), BrokerBSLD: value(1.5),
				ConflictsCPU: value(100), ConflictsMemory: value(0), ConflictsDisk: value(0), Rescheduled: value(25),
				Utilisation: 50,
			},
			{
				Domain: "away", Jobs: 1, Ran: 3, Sent: 0, Received: 2, HomeOnly: value(0), Exec: value(1), Wait: value(0),
				WaitP95: value(0),
				BSLD:    value(1), BSLDP95: value(1), BrokerBSLD: value(1), Rescheduled: value(0), Utilisation: away,
			},
		},
		Clusters: []ClusterRow{
			cluster("home", "1", 2, 50, 1.5), cluster("home", "mean", 2, 50, 1.5),
			cluster("away", "1", 3, away, 1), cluster("away", "mean", 3, away, 1),
		},
		Slowdown: []SlowdownRow{
			{1, "home", value(1)}, {1, "away", value(1)},
			{2, "home", value(1.5)}, {2, "away", value(1)},
			{3, "home", value(1.5)}, {3, "away", value(1)},
		},
		ClusterSlowdown: []ClusterSlowdownRow{
			{1, "home", "1", value(1)}, {1, "away", "1", value(1)},
			{2, "home", "1", value(1.5)}, {2, "away", "1", value(1)},
			{3, "home", "1", value(1.5)}, {3, "away", "1", value(1)},
		},
		Forwarding: []ForwardingRow{
			{"home", "home", 2, nil}, {"home", "away", 2, count(2)}, {"away", "home", 0, count(0)}, {"away", "away", 1, nil},
		},
	}
	// 48 % of 3,750 s are 1,800 s, 96 % are 3,600
	for passed := int64(0); passed <= 100; passed += 2 {
		arrived := 50.0
		if passed >= 48 {
			arrived = 75
		}
		if passed >= 96 {
			arrived = 100
		}
		want.Arrivals = append(want.Arrivals, ArrivalRow{"home", passed, &arrived})
	}
	for passed := int64(0); passed <= 100; passed += 2 {
		arrived := 0.0
		if passed >= 50 {
			arrived = 100
		}
		want.Arrivals = append(want.Arrivals, ArrivalRow{"away", passed, &arrived})
	}
	if diff := cmp.Diff(want, have, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("outcomes differ (-want +have):\n%s", diff)
	}
}

// The 95th percentile is the value at position ceil(0.95 n).
func TestPercentile95(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 2: 2, 19: 19, 20: 19, 21: 20, 40: 38, 100: 95, 101: 96} {
		var values []float64
		for i := range n {
			values = append(values, float64(n-i))
		}
		if have := percentile95(values); *have != want {
			t.Errorf("of 1 to %d: %v, want %v", n, *have, want)
		}
	}
	if have := percentile95(nil); have != nil {
		t.Errorf("of no values: %v, want nil", *have)
	}
}

// Too many samples over time are an error long before the last job ends.
func TestSamplesAreBounded(t *testing.T) {
	p := defaults
	p.Sample = 1
	domains := parseDomains(t, strings.TrimSpace(strings.Repeat("home 1000 2 2 2\n", 2000)), `home 0 4000000000 1 1 1`)
	_, err := runJobs(t.Context(), p, domains)
	if want := "sample: every 1 h are more than 10000000 numbers: take more hours"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
