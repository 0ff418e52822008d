// The page that the tests of this package share: wide tables, figures, and claims with every
// verdict.

package report

import (
	"fmt"
	"math"

	"gridsweep/analysis"
	"gridsweep/analysis/effects"
	"gridsweep/analysis/statistics"
	"gridsweep/results"
	"gridsweep/sweeps/study"
)

func estimate(value, half float64) statistics.Estimate {
	return statistics.Estimate{Value: value, Low: value - half, High: value + half, N: 10, SD: half}
}

func lone(value float64) statistics.Estimate {
	return statistics.Estimate{Value: value, Low: math.NaN(), High: math.NaN(), N: 1, SD: math.NaN()}
}

var rates = []string{"0.05", "0.1", "0.15", "0.2", "0.25", "0.3", "0.4", "0.5", "0.7", "1"}

var blocking = analysis.Axis{Name: "blocking", Title: "B: blocking ratio, rejected requests of all (Equation 3.2)",
	Symbol: "B", Unit: "%"}

// wideTable is a table like those of the thesis: ten rates, up to 16 algorithms.
func wideTable(name string, starts, nexts string) analysis.Table {
	table := analysis.Table{Name: name, Title: "Blocking ratio against the arrival rate", Source: name + ".csv",
		RowDimensions: []string{"lambda"}, ColumnDimensions: []string{"start", "next"}, Values: []analysis.Axis{blocking}}
	for _, start := range starts {
		for _, next := range nexts {
			table.Columns = append(table.Columns, []string{"1" + string(start), "1" + string(next)})
		}
	}
	for i, rate := range rates {
		row := analysis.Row{Labels: []string{rate}}
		for j := range table.Columns {
			value := 90*(1-math.Exp(-0.3*float64(i+1))) + float64(j)/3
			cell := &analysis.Cell{Metric: "blocking", Ours: estimate(value, 0.4+0.05*float64(j)),
				Published:  &study.PublishedNumber{Value: value + 1, Text: fmt.Sprintf("%.2f", value+float64(j%3)), Page: "101"},
				Prediction: [2]float64{value - 1.5, value + 1.5}, Verdict: analysis.AgreeInside}
			if j%3 == 2 {
				cell.Verdict = analysis.AgreeOutside
			}
			row.Cells = append(row.Cells, cell)
		}
		table.Rows = append(table.Rows, row)
	}
	table.Rows[1].Cells[2] = nil
	table.Rows[2].Cells[1].Published = nil
	table.Rows[0].Cells[0].Published.Note = "printed with a comma"
	table.Agreement = []analysis.Agreement{{Metric: "blocking", Cells: 78, Inside: 52, Bias: estimate(-0.92, 0.31),
		Biased: []analysis.BiasedSubtable{{Labels: []string{"1B", "1H"}, Bias: estimate(-2.1, 0.4)},
			{Labels: []string{"1A", "1F"}, Bias: estimate(1.2, 0.3)}, {Labels: []string{"1A", "1E"}, Bias: estimate(-1, 0.3)}},
		RMSE: 1.44, Evidence: analysis.Evidence{Cells: 70, Inside: 47, Trivial: 3, Repeated: 5},
		Denominators: "the published percentages are consistent with denominators 5000 and 6000 in 66 cells, with 5000 " +
			"alone in 12"}}
	return table
}

func figure(name string, series int) analysis.Figure {
	f := analysis.Figure{Name: name, Title: "Blocking ratio of the start-task criteria", Kind: "line", Y: blocking,
		X:       analysis.Axis{Name: "lambda", Title: "λ: arrival rate of requests", Symbol: "λ", Unit: "1/min"},
		Caption: "Mean over 10 replications with 95 % intervals."}
	panel := analysis.Panel{Y: blocking}
	for i := range series {
		s := analysis.Series{Label: fmt.Sprintf("1%c,1E", 'A'+i)}
		for j := range rates {
			x := float64(j+1) / 10
			y := 90*(1-math.Exp(-3*x)) - 4*float64(i)
			s.Points = append(s.Points, analysis.Point{X: x, Y: estimate(y, 2)})
			s.Published = append(s.Published, analysis.Point{X: x, Y: lone(y + 1)})
		}
		panel.Series = append(panel.Series, s)
	}
	f.Panels = []analysis.Panel{panel}
	return f
}

func judgement(verdict analysis.Verdict, n, holding int) analysis.Judgement {
	j := analysis.Judgement{Verdict: verdict, MeanMargin: estimate(2.34, 0.56), Holding: holding}
	for i := range n {
		direction := 0
		if i < holding {
			direction = 1
		} else if i%4 == 3 {
			direction = -1
		}
		j.Comparisons = append(j.Comparisons, analysis.Comparison{Labels: []string{"lambda=" + rates[i%10], "next=1E"},
			What: "1B − 1C", Margin: estimate(float64(holding-i)/2, 0.9), Clear: direction})
	}
	return j
}

func fakePage() Page {
	published := judgement(analysis.Inconclusive, 34, 23)
	published.Shared = 10
	verdicts := []analysis.Verdict{analysis.Reproduced, analysis.NotReproduced, analysis.Inconclusive, analysis.NotRun}
	result := &analysis.Result{
		Tables:  []analysis.Table{wideTable("A.1", "AB", "EFGH"), wideTable("A.2", "ABCD", "EFGH")},
		Figures: []analysis.Figure{figure("4-1", 4), figure("4-2", 2)},
		Missing: []string{"readings"},
	}
	for i, verdict := range verdicts {
		claim := analysis.Claim{Number: analysis.ClaimNumber(i + 1), Name: []string{"1C best, 1A worst",
			"gap largest between", "7.86 points", "RAN/RAN between"}[i],
			Doc: "With 1E, the start-task criterion 1C has the lowest blocking ratio and 1A the highest; 1B and 1D lie " +
				"between.",
			Source: "§4.2.1, Figures 4-1 and 4-2",
			Test:   "order along start: 1C, then 1B and 1D, then 1A, at most levels of lambda",
			Unit:   "percentage points", Ours: judgement(verdict, 10, 7)}
		if i == 0 {
			claim.Published = &published
		}
		if i < 3 {
			for k, level := range []string{"window=shrinking", "leftover=gap", "types=random"} {
				claim.Assumptions = append(claim.Assumptions, analysis.AssumptionJudgement{Experiment: "readings",
					Universe: study.Universe{Label: level}, Judgement: judgement(verdicts[(i+k)%3], 10, 8)})
			}
		}
		result.Claims = append(result.Claims, claim)
	}
	result.Assumptions = []study.Assumption{
		{Name: "slack", Levels: []string{"with", "beyond"}},
		{Name: "ties", Levels: []string{"list", "index"}},
	}
	result.Claims[0].Main, result.Claims[1].Main = true, true
	result.Claims[1].Source = "section 3.1; Table 2"
	result.Claims[2].Source, result.Claims[3].Source = "section 10", "ours"
	failing := &result.Claims[1]
	failing.Reason = &analysis.Reason{Class: analysis.ClassAssumption, Text: "Reproduced under slack: beyond"}
	for _, u := range []study.Universe{
		{Label: "default", Levels: []int{0, 0}}, {Label: "slack: beyond", Levels: []int{1, 0}},
		{Label: "ties: index", Levels: []int{0, 1}}, {Label: "slack: beyond, ties: index", Levels: []int{1, 1}},
	} {
		verdict := verdicts[1-u.Levels[0]]
		failing.Assumptions = append(failing.Assumptions,
			analysis.AssumptionJudgement{Experiment: "open", Universe: u, Judgement: judgement(verdict, 10, 8)})
	}
	universes := [][]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}}
	failing.Universes = []analysis.Robustness{{
		Experiment: "open", Judgements: failing.Assumptions[3:],
		Changes: effects.Compare(universes, []effects.Judged{{Outcome: effects.Fails, Margin: -1},
			{Outcome: effects.Holds, Margin: 1}, {Outcome: effects.Fails, Margin: -1}, {Outcome: effects.Holds, Margin: 1}}),
		Effects: effects.New(universes).Fit([][]float64{{-1, -1.1}, {1, 1.1}, {-1, -1.2}, {1, 1.2}}),
	}}
	result.Tables[0].Universes = []analysis.Agreements{{Experiment: "open", Universes: []analysis.UniverseAgreement{
		{Universe: study.Universe{Label: "default", Levels: []int{0, 0}}, Cells: 78, Inside: 52},
		{Universe: study.Universe{Label: "slack: beyond", Levels: []int{1, 0}}, Cells: 78, Inside: 70, Numbers: 1},
	}}}
	result.Unjudged = []study.Statement{{Name: "tasks are rarely larger", Doc: "tasks are rarely larger",
		Source: "§3.1", Why: "the thesis has no log"}}
	result.Claims[3].Ours = analysis.Judgement{Verdict: analysis.NotRun, Note: "experiment reference has no rows"}
	return Page{
		Name:     "coallocation",
		Citation: "Thirukailayanathan, MASc thesis, Carleton University, 2011. https://doi.org/10.22215/etd/2011-09478.",
		Command:  "gridsweep reproduce coallocation", Version: "0.1.0", Commit: "0123456789ab", Dirty: true,
		Machine: "linux/amd64, AMD EPYC, 2 cores",
		Studies: []Study{{
			Name: "coallocation", Title: "Co-allocation", Result: result, Directory: ".",
			HasPublished: true,
			Parameters: []Parameter{
				{Name: "lambda", Symbol: "λ", Value: "0.4", Unit: "1/min", Doc: "arrival rate of requests", Varied: true},
				{Name: "laxity", Symbol: "L", Value: "5", Default: "2", Doc: "deadline over execution time (Equation 3.7)"}},
			Deviations: []Deviation{
				{Name: "laxity", Value: "5", Printed: "2", Source: "Table 4-1", Why: "the default rows are those of L = 5"},
				{Name: "types", Value: "nested", Source: "section 3.2", Why: "others block less"},
			},
			Experiments: []Experiment{{Name: "rate", Doc: "Tables A.1 and A.2", Varies: "lambda (10), start (4), next (4)",
				Replications: "10", Cells: 160, Runs: 1600, Done: 1599},
				{Name: "open/rate", Doc: "open choices", Varies: "universe (4)", Replications: "10", Cells: 4, Runs: 40, Done: 40}},
			Provenance: Provenance{Model: "coallocation", ModelVersion: 1, Seed: 1, StudyFile: "coallocation/coallocation.yaml",
				StudyHash:    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
				PlanChecksum: "b94d27b9934d3e08a52e52d7da7dabfa", DatasetDigest: "2c26b46b68ffc68ff99b453c1d304134"},
			Failures: []results.Failure{{ID: "0a1b2c3d", Error: "simulate: no event for 3000 s",
				Command: "gridsweep run coallocation --only 0a1b2c3d"}},
			Warnings: []string{"1 of 1600 runs of experiment rate is missing"},
		}},
	}
}
