// The transcription of the tables on interoperable Grids is consistent: rows sum to 100 %, overall
// rows are the means of the other rows, and notes mark exactly the cells that contradict this. Each
// percentage in the paper's text has a claim.

package configs

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// row1 is a row of Table 1 of the paper on interoperable Grids: column to cell.
type row1 map[string]PublishedCell

// table1 returns Table 1 by its rows: system, ranking and preference.
func table1(t *testing.T) map[string]row1 {
	t.Helper()
	study, err := Load(t.Context(), "brokering/brokering")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]row1{}
	for _, c := range study.Published("1.csv") {
		name := c.Levels[0].Level + " " + c.Levels[1].Level + " " + c.Levels[2].Level
		if rows[name] == nil {
			rows[name] = row1{}
		}
		rows[name][c.Metric] = c
	}
	if len(rows) != 15 {
		t.Errorf("Table 1 has %d rows, want 15", len(rows))
	}
	for name, row := range rows {
		if len(row) != 7 {
			t.Errorf("%s has %d numbers, want 7", name, len(row))
		}
	}
	return rows
}

// In every row the shares of conflicts sum to 100 %, up to rounding to two decimals.
func TestTable1SharesSumTo100(t *testing.T) {
	for name, row := range table1(t) {
		sum := row["conflicts_cpu"].Value + row["conflicts_mem"].Value + row["conflicts_disk"].Value
		if math.Abs(sum-100) > 0.015 {
			t.Errorf("%s: the shares sum to %v", name, sum)
		}
	}
}

// Overall is the mean of the twelve rows above it, or for the execution time their maximum. Cells
// that differ have a note.
func TestTable1OverallIsTheMean(t *testing.T) {
	rows := table1(t)
	for metric, overall := range rows["Overall Overall Overall"] {
		sum, most := 0.0, 0.0
		for name, row := range rows {
			if strings.HasSuffix(name, " none") {
				sum += row[metric].Value
				most = max(most, row[metric].Value)
			}
		}
		want := sum / 12
		if metric == "exec_time" {
			want = most
		}
		_, decimals, _ := strings.Cut(overall.Printed, ".")
		agrees := math.Abs(want-overall.Value) <= 0.5*math.Pow10(-len(decimals))+1e-9
		if noted := overall.Note != ""; agrees == noted {
			t.Errorf("%s: Overall is %s, the rows give %v, the note is %q", metric, overall.Printed, want, overall.Note)
		}
	}
}

// The cells with notes are exactly the odd ones: those that contradict the text or the other rows,
// or are printed in another form than all others.
func TestTable1OddCellsAreNoted(t *testing.T) {
	rows := table1(t)
	// the first for its comma, the second by the test above
	odd := []string{`Interoperable bal equal exec_time`, "Overall Overall Overall rescheduled"}
	for name, row := range rows {
		for metric, c := range row {
			if _, decimals, _ := strings.Cut(c.Printed, "."); metric == "exec_time" && len(decimals) != 2 {
				odd = append(odd, name+" "+metric)
			}
		}
	}
	for _, system := range []string{"DAS-2", "Grid5000", "Sharcnet"} {
		share := func(ranking, metric string) float64 { return rows[system+" "+ranking+" none"][metric].Value }
		// If the two cells were exchanged, ranking by mem would raise the conflicts of mem, as the
		// text says, and ranking by disk would have the most conflicts of disk.
		if share("mem", "conflicts_mem") < share("bal", "conflicts_mem") && share("mem", "conflicts_disk") > share("disk",
			"conflicts_disk") {
			odd = append(odd, system+" mem none conflicts_mem", system+" mem none conflicts_disk")
		}
	}
	var noted []string
	for name, row := range rows {
		for metric, c := range row {
			if c.Note != "" {
				noted = append(noted, name+" "+metric)
			}
		}
	}
	slices.Sort(odd)
	slices.Sort(noted)
	if diff := cmp.Diff(odd, noted); diff != "" {
		t.Errorf("(-odd +noted):\n%s", diff)
	}
}

// 1-p95.csv has the numbers of cells of 1.csv, interpreted as 95th percentiles.
func TestTable1Percentiles(t *testing.T) {
	study, err := Load(t.Context(), "brokering/brokering")
	if err != nil {
		t.Fatal(err)
	}
	rows, found := table1(t), 0
	for _, c := range study.Published("1-p95.csv") {
		mean, isP95 := strings.CutSuffix(c.Metric, "_p95")
		name := c.Levels[0].Level + " " + c.Levels[1].Level + " " + c.Levels[2].Level
		if other := rows[name][mean]; !isP95 || c.Printed != other.Printed || c.Note != other.Note {
			t.Errorf("%s %s is %s, and %s in 1.csv", name, c.Metric, c.Printed, other.Printed)
		}
		found++
	}
	if found != 30 {
		t.Errorf("%d numbers, want 30", found)
	}
}

// Every percentage of sections 6.1 and 6.3 has a claim on its column.
func TestPercentagesAreClaimed(t *testing.T) {
	study, err := Load(t.Context(), "brokering/brokering")
	if err != nil {
		t.Fatal(err)
	}
	for file, cells := range map[string]int{"5.csv": 4, "8-regular.csv": 13, "8-simple.csv": 2, "8-growth.csv": 4} {
		if n := len(study.Published(file)); n != cells {
			t.Errorf("%s has %d numbers, want %d", file, n, cells)
		}
		for _, c := range study.Published(file) {
			claims := func(claim Claim) bool {
				return claim.Near != nil && *claim.Near == c.Value && slices.ContainsFunc(claim.Show,
					func(name Text) bool { return name.Value == c.Metric })
			}
			if !slices.ContainsFunc(study.Claims, claims) {
				t.Errorf("%s: no claim is near %s of %s", file, c.Printed, c.Metric)
			}
		}
	}
}
