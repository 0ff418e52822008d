// The transcription of the thesis on co-allocation is complete and plausible: full crossings
// without gaps, blocking ratios that are counts of 5000 or 6000 requests, and cells that were
// compared with the printed pages.

package configs

import (
	"math"
	"strings"
	"testing"
)

// thesisTables has the number of cells of each table of the thesis on co-allocation, and the number
// of its blocking ratios that are impossible with 5000 requests.
var thesisTables = []struct {
	file   string
	cells  int
	levels []int // of each dimension
	not5k  int
}{
	{"A.1.csv", 80, []int{10, 2, 4}, 0},
	{"A.2.csv", 80, []int{10, 2, 4}, 0},
	{"A.3.csv", 40, []int{5, 2, 4}, 14},
	{"A.4.csv", 40, []int{5, 2, 4}, 0},
	{"A.5.csv", 80, []int{10, 2, 4}, 17},
	{"A.6.csv", 80, []int{10, 2, 4}, 0},
	{"A.7.csv", 32, []int{4, 2, 4}, 2},
	{"A.8.csv", 32, []int{4, 2, 4}, 0},
	{"A.9.csv", 56, []int{7, 2, 4}, 0},
	{"A.10.csv", 56, []int{7, 2, 4}, 0},
	{"4-2.csv", 9, []int{3, 3}, -1},
}

// TestThesisTablesAreFullCrossings checks that none of the 585 cells is missing; the reader rejects
// repeated cells.
func TestThesisTablesAreFullCrossings(t *testing.T) {
	study := coallocation(t)
	total := 0
	for _, table := range thesisTables {
		cells := study.Published(table.file)
		total += len(cells)
		if len(cells) != table.cells {
			t.Errorf("%s has %d cells, want %d", table.file, len(cells), table.cells)
		}
		crossing := 1
		for d, want := range table.levels {
			seen := map[string]bool{}
			for _, c := range cells {
				seen[c.Levels[d].Level] = true
			}
			if len(seen) != want {
				t.Errorf("%s has %d levels of %s, want %d", table.file, len(seen), cells[0].Levels[d].Dimension, want)
			}
			crossing *= len(seen)
		}
		if crossing != len(cells) {
			t.Errorf("%s has %d of the %d cells of its crossing", table.file, len(cells), crossing)
		}
	}
	if total != 576+9 {
		t.Errorf("%d cells, want 576 of the appendix and 9 of Table 4-2", total)
	}
}

// TestThesisBlockingRatiosAreCounts checks that every blocking ratio is k of 5000 or k of 6000
// requests to two decimals, which finds digits that are mistyped by an odd amount.
func TestThesisBlockingRatiosAreCounts(t *testing.T) {
	study := coallocation(t)
	for _, table := range thesisTables[:10] {
		not5k := 0
		for _, c := range study.Published(table.file) {
			if c.Metric != "blocking" || c.Value < 0 || c.Value > 100 {
				t.Errorf("%v: %s %v is no blocking ratio in percent", c.Pos, c.Metric, c.Value)
			}
			if _, decimals, _ := strings.Cut(c.Printed, "."); len(decimals) > 2 {
				t.Errorf("%v: %s has more than the two decimals of the thesis", c.Pos, c.Printed)
			}
			if table.file == "A.5.csv" && c.Levels[1].Level == "1A" && !isShare(c.Value, 6000) {
				t.Errorf("%v: %s is not k/6000, as the columns of 1A are", c.Pos, c.Printed)
			}
			if isShare(c.Value, 5000) {
				continue
			}
			not5k++
			if !isShare(c.Value, 6000) {
				t.Errorf("%v: %s is neither k/5000 nor k/6000", c.Pos, c.Printed)
			}
			if table.file == "A.5.csv" && c.Levels[1].Level != "1A" {
				t.Errorf("%v: %s is not k/5000 though only the columns of 1A are of 6000 requests", c.Pos, c.Printed)
			}
		}
		if not5k != table.not5k {
			t.Errorf("%s has %d cells that are not k/5000, want %d", table.file, not5k, table.not5k)
		}
	}
}

// isShare reports whether some k of n is the percentage, rounded or truncated to two decimals.
func isShare(percent float64, n int) bool {
	hundredths := int(math.Round(percent * 100))
	for k := hundredths*n/10000 - 1; k <= hundredths*n/10000+2; k++ {
		truncated, rest := k*10000/n, k*10000%n
		if k >= 0 && (truncated == hundredths || truncated+1 == hundredths && 2*rest >= n) {
			return true
		}
	}
	return false
}

// TestThesisAnchors compares a few cells with the printed page: the first and last of each sort of
// table.
func TestThesisAnchors(t *testing.T) {
	study := coallocation(t)
	for _, want := range []struct{ file, labels, printed, page string }{
		{"A.1.csv", "0.05 1A 1E", "0.00", "87"},
		{"A.2.csv", "0.3 1C 1G", "6.92", "87"},
		{"A.3.csv", "1 1A 1F", "38.9", "87"},
		{"A.4.csv", "2 1D 1E", "35", "88"},
		{"A.5.csv", "1h 1A 1F", "41.21", "88"},
		{"A.6.csv", "10h 1D 1H", "33.54", "88"},
		{"A.7.csv", "U(2,6) 1B 1G", "28.96", "89"},
		{"A.8.csv", "U(2,6) 1C 1G", "29.06", "89"},
		{"A.9.csv", "20 min 1A 1E", "0.22", "89"},
		{"A.10.csv", "60 min 1D 1F", "40.00", "90"},
		{"4-2.csv", "RAN/RAN many resources", "0.592467", "73"},
	} {
		found := false
		for _, c := range study.Published(want.file) {
			var labels []string
			for _, l := range c.Levels {
				labels = append(labels, l.Level)
			}
			if strings.Join(labels, " ") == want.labels {
				found = true
				if c.Printed != want.printed || c.Page != want.page {
					t.Errorf("%s %s is %s on page %s, want %s on %s",
						want.file, want.labels, c.Printed, c.Page, want.printed, want.page)
				}
			}
		}
		if !found {
			t.Errorf("%s has no cell %s", want.file, want.labels)
		}
	}
}

func coallocation(t *testing.T) *Study {
	t.Helper()
	study, err := Load(t.Context(), "coallocation")
	if err != nil {
		t.Fatal(err)
	}
	return study
}
