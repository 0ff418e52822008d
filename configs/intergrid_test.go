// The transcription of Table 2 on contracts between Grids is consistent: counts are means of eight
// replications, the jobs that leave one Grid run in the others, and claims on all CPUs equal those
// on offered CPUs.

package configs

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// table2 returns the numbers of Table 2 of the paper on contracts between Grids, by metric,
// contract and Grid.
func table2(t *testing.T) map[[3]string]float64 {
	t.Helper()
	study, err := Load(t.Context(), "intergrid")
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[[3]string]float64{}
	for _, c := range study.Published("2.csv") {
		numbers[[3]string{c.Metric, c.Levels[0].Level, c.Levels[1].Level}] = c.Value
	}
	if len(numbers) != 60 {
		t.Errorf("Table 2 has %d numbers, want 60", len(numbers))
	}
	return numbers
}

// Every count is the mean of 8 replications, to two decimals, and the sums of the columns are those
// in the study's claim.
func TestTable2CountsAreEighths(t *testing.T) {
	least, most := math.Inf(1), math.Inf(-1)
	totals := map[string]float64{}
	for at, value := range table2(t) {
		if at[0] != "served" {
			continue
		}
		if eighths := math.Round(8 * value); math.Abs(eighths/8-value) > 0.005+1e-9 {
			t.Errorf("%s of %s: %v is no multiple of 1/8", at[2], at[1], value)
		}
		totals[at[1]] += value
	}
	for _, total := range totals {
		least, most = min(least, total), max(most, total)
	}
	if math.Abs(least-656.63) > 1e-9 || math.Abs(most-672) > 1e-9 {
		t.Errorf("the columns' sums are %v to %v, want 656.63 to 672.00", least, most)
	}
}

// Work that leaves AuverGrid runs elsewhere. With the 475 CPUs of AuverGrid and the 400 of DAS-2,
// each column gives the number of CPUs of Grid'5000, nearly the same in all; a mistyped digit would
// change it.
func TestTable2UtilisationBalances(t *testing.T) {
	numbers := table2(t)
	for at, fall := range numbers {
		if at[0] != "utilisation" || at[2] != "AuverGrid" {
			continue
		}
		das2, grid5000 := numbers[[3]string{at[0], at[1], "DAS-2"}], numbers[[3]string{at[0], at[1], "Grid'5000"}]
		if cpus := (-fall*475 - das2*400) / grid5000; cpus < 1269 || cpus > 1374 {
			t.Errorf("%s: Grid'5000 would have %.0f CPUs, want 1270 to 1373", at[1], cpus)
		}
	}
}

// Claims on the utilisation of all CPUs equal those on the utilisation of offered CPUs, except for
// the column.
func TestClaimsOfAllCPUsEqualThoseOfOffered(t *testing.T) {
	study, err := Load(t.Context(), "intergrid")
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]Claim{}
	for _, c := range study.Claims {
		claims[c.Name.Value] = c
	}
	ignored := []cmp.Option{cmpopts.IgnoreTypes(Pos{}), cmpopts.IgnoreFields(Claim{}, "Name", "Doc", "Source", "Main",
		"Origin")}
	found := 0
	for name, all := range claims {
		twin, isAll := strings.CutSuffix(name, ", of all CPUs")
		offered, isTwin := claims[twin]
		switch {
		case !isAll:
			continue
		case !isTwin:
			t.Errorf("%s: no claim is called %s", name, twin)
			continue
		case offered.Show[0].Value == "imbalance": // there is no column of it for all CPUs
			continue
		}
		found++
		offered.Show = []Text{{Value: "utilisation_all"}}
		if diff := cmp.Diff(offered, all, ignored...); diff != "" {
			t.Errorf("%s (-offered +all):\n%s", name, diff)
		}
	}
	if found != 10 {
		t.Errorf("%d claims are on all CPUs and on offered CPUs, want 10", found)
	}
}
