// RAN/RAN tests: how often each combination is drawn against the list of all, by a chi-square test.

package coallocation

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"gridsweep/model"
)

// TestRandomIsUniform draws many combinations for one request; all feasible ones must come equally
// often, and no other.
func TestRandomIsUniform(t *testing.T) {
	type busy struct{ resource, begin, end int }
	for _, test := range []struct {
		name      string
		types     int64
		resources int64
		request   request
		busy      []busy
	}{
		{"an empty system", 2, 3, request{earliest: 0, deadline: 10, service: 4, types: []uint16{0, 1}}, nil},
		{"two tasks of one type", 2, 3, request{earliest: 2, deadline: 20, service: 4, types: []uint16{0, 1, 0}},
			[]busy{{0, 0, 9}, {1, 7, 12}, {2, 3, 5}, {3, 5, 8}, {4, 0, 6}, {5, 10, 15}}},
		{"several starts a combination", 3, 2, request{earliest: 0, deadline: 30, service: 3, types: []uint16{0, 1, 2}},
			[]busy{{0, 3, 6}, {0, 10, 12}, {1, 4, 9}, {2, 0, 2}, {2, 8, 14}, {3, 12, 20}, {4, 0, 5}, {4, 9, 11}, {5, 16, 18}}},
		{"some never meet", 2, 3, request{earliest: 0, deadline: 12, service: 4, types: []uint16{0, 1}},
			[]busy{{0, 0, 8}, {1, 4, 12}, {2, 5, 7}, {3, 4, 12}, {4, 0, 8}, {5, 3, 4}}},
		{"one left", 1, 3, request{earliest: 0, deadline: 9, service: 4, types: []uint16{0, 0, 0}},
			[]busy{{0, 0, 3}, {1, 8, 9}, {2, 0, 4}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := Spec.Defaults
			p.Algorithm, p.ResourceTypes, p.Resources = "random", test.types, test.resources
			seed := study.Env(1, 0, nil).Seed
			b, slow := newBroker(p, seed), newNaive(p, seed, int(test.request.deadline)+1)
			for _, k := range test.busy {
				m := int(test.resources)
				b.byType[k.resource/m].calendar.book(k.resource%m, model.Seconds(k.begin), model.Seconds(k.end), 0)
				slow.book(&request{service: model.Seconds(k.end - k.begin)}, placement{k.begin, []int{k.resource}})
			}
			combinations := slow.combinations(&test.request)
			const each = 1000
			counts := map[string]int{}
			for range each * len(combinations) {
				start, ok := b.allocate(&test.request)
				if !ok {
					t.Fatal("rejected a request that fits")
				}
				counts[fmt.Sprint(b.placed(&test.request, start))]++
			}
			square := 0.0
			for _, c := range combinations {
				off := float64(counts[fmt.Sprint(c)] - each)
				square += off * off / each
				delete(counts, fmt.Sprint(c))
			}
			if len(counts) > 0 {
				t.Errorf("placed where no combination has its earliest start: %v", counts)
			}
			if freedom := float64(len(combinations) - 1); freedom > 0 {
				if tail := (distuv.ChiSquared{K: freedom}).Survival(square); tail < 0.001 {
					t.Errorf("chi-square %.1f over %d combinations: p = %.2g", square, len(combinations), tail)
				}
			}
		})
	}
}
