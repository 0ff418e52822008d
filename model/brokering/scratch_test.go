package brokering

import (
	"context"
	"fmt"
	"testing"

	"gridsweep/model"
)

func one(p Parameters, label string) {
	m := model.New(Spec)
	p.Trace = "model"
	o, err := simulate(context.Background(), p, m.Env(1, 0, nil))
	if err != nil {
		fmt.Println(label, err)
		return
	}
	f := func(x *float64) float64 {
		if x == nil {
			return -1
		}
		return *x
	}
	fmt.Printf("%s %s %d: exec %.1f wait %.0f p95 %.0f bsld %.3f broker %.3f att %d %.1f/%.1f/%.1f resch %.2f fwd %.2f util %.2f sd %.2f\n", label, p.Strategy, p.Domains, o.Exec, o.Wait, o.WaitP95, o.BSLD, o.BrokerBSLD, o.Attempts, f(o.ConflictsCPU), f(o.ConflictsMemory), f(o.ConflictsDisk), o.Rescheduled, o.Forwarded, o.Utilisation, o.UtilisationSD)
}

func TestScratch(t *testing.T) {
	for _, c := range []float64{1e9, 338, 100, 48} {
		for _, sh := range []float64{0.925, 0.5} {
			Cap = [3]float64{min(150, c) * 3600, min(744, c) * 3600, min(338, c) * 3600}
			if c == 1e9 {
				Cap = [3]float64{1e12, 1e12, 1e12}
			}
			Share = sh
			for _, s := range []string{"small", "medium", "big", "all"} {
				p := defaults
				p.Scope = s
				p.Days = 100
				one(p, fmt.Sprint(c, sh, s))
			}
		}
	}
}
