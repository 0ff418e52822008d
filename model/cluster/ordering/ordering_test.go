// Ordering tests: values against Go's arithmetic, drawn expressions against their trees, errors
// with columns, and schedules against the orders of package cluster.

package ordering

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model/cluster"
	"gridsweep/model/profile"
	"gridsweep/model/rng"
	"gridsweep/model/workload"
)

// sample is a job that has waited 600 s at second 1000.
var sample = cluster.Job{Submit: 400, Run: 50, Estimate: 1200, Procs: 24}

const sampleNow = 1000

// TestValues compares expressions with the same arithmetic in Go.
func TestValues(t *testing.T) {
	for text, want := range map[string]float64{
		"wait": 600, "estimate": 1200, "procs": 24, "submit": 400, "-procs": -24, "+procs": 24,
		"procs + 2*3": 30, "procs - 2 - 3": 19, "procs/4/3": 2, "(procs + 2)*3": 78, "procs - (2 - 3)": 25,
		"procs^2": 576, "-procs^2": -576, "procs*2^3^2": 24 * 512,
		"procs^-1": 1.0 / 24, "procs^0": 1, "(0 - procs)^3": -13824,
		"2^-procs": math.Pow(2, -24), "procs^0.5": math.Sqrt(24), "procs^min(wait/600, 2)": 24,
		"procs - -2": 26, "- - procs": 24,
		"log2(procs + 8)": 5, "log10(procs*1e3 + 76000)": 5, "ln(procs)": math.Log(24), "sqrt(procs + 1)": 5,
		"abs(procs - 30)": 6, "min(procs, wait, 3)": 3, "max(procs, wait)": 600, "8.70e2*procs": 20880, ".5 * procs": 12,
		"1.5e-1*procs": 3.6, "\tprocs \t": 24, "wait/max(log2(procs), 1)": 600 / math.Log2(24),
	} {
		order, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		have := order.Score(&sample, sampleNow)
		if math.Abs(have-want) > 1e-13*math.Abs(want) {
			t.Errorf("%s is %v, want %v", text, have, want)
		}
		if order.Name != strings.TrimSpace(text) || order.Changes != strings.Contains(text, "wait") || len(order.Then) > 0 {
			t.Errorf("%s: %q, changes: %v, %d further keys", text, order.Name, order.Changes, len(order.Then))
		}
	}
}

// The named orders are the formulas of their papers.
func TestNames(t *testing.T) {
	const e, p, s, w = 1200.0, 24.0, 400.0, 600.0
	for name, want := range map[string]float64{
		"sjf": e, "spf": e, "sqf": p, "saf": e * p,
		"xfactor": -(w + e) / e, "lxf": -(w + e) / e, "unicep": -w / (math.Log2(p) * e),
		"f1": math.Log10(e)*p + 870*math.Log10(s), "f2": math.Sqrt(e)*p + 25_600*math.Log10(s),
		"F3": e*p + 6_860_000*math.Log10(s), "F4": e*math.Sqrt(p) + 530_000*math.Log10(s),
		"WFP3": -(w / e) * (w / e) * (w / e) * p, "Smallest-Area": e * p,
	} {
		order, err := Parse(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if have := order.Score(&sample, sampleNow); math.Abs(have-want) > 1e-13*math.Abs(want) {
			t.Errorf("%s is %v, want %v", name, have, want)
		}
		if order.Name != strings.ToLower(name) {
			t.Errorf("%s is named %s", name, order.Name)
		}
	}
	// Errors list each name with an expression of the same score, except for arrival, for priority,
	// which expressions lack, and for unicef, which may be infinite.
	for _, name := range cluster.OrderNames() {
		order, err := cluster.ParseOrder(name)
		if err != nil {
			t.Fatal(err)
		}
		switch meaning, has := meanings[name]; {
		case name == "arrival":
		case !has:
			t.Errorf("%s has no meaning", name)
		case name != "priority" && name != "unicef":
			same, err := Parse(meaning)
			if err != nil || same.Score(&sample, sampleNow) != order.Score(&sample, sampleNow) {
				t.Errorf("%s is not %s: %v", name, meaning, err)
			}
		}
	}
	for _, n := range Literature() {
		if slices.Contains(cluster.OrderNames(), n.Name) {
			t.Errorf("%s is an order of package cluster", n.Name)
		}
		if order, err := Parse(n.Name); err != nil || len(order.Then) > 0 || n.Source == "" {
			t.Errorf("%+v: %d further keys, %v", n, len(order.Then), err)
		}
	}
}

func TestKeys(t *testing.T) {
	order, err := Parse("sqf, -min(wait, 60), smallest-area,arrival")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, key := range append([]cluster.Order{order}, order.Then...) {
		have = append(have, fmt.Sprint(key.Name, " ", key.Changes))
	}
	want := []string{"sqf false", "-min(wait, 60) true", "smallest-area false", "arrival false"}
	if !slices.Equal(have, want) {
		t.Errorf("keys %q, want %q", have, want)
	}
}

// Invalid orders are found when the text is read.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		column int
		want   string
	}{
		{"", 1, "a value is missing: write a number or wait, estimate, procs, submit"},
		{"procs,", 7, "a value is missing"},
		{"procs,,wait", 7, "a value is missing"},
		{"procs + ", 9, "a value is missing"},
		{"procs + foo", 9, `there is no "foo"; variables are wait, estimate, procs, submit, ` +
			"functions log2, log10, ln, sqrt, abs, min, max, orders arrival, shortest (estimate), longest (-estimate)"},
		{"procs, procz", 8, `there is no "procz"`},
		{"saf + procs", 1, `there is no "saf"`},
		{"exp(procs)", 1, `there is no "exp"`},
		{"log2", 1, "log2 is a function: write log2(…)"},
		{"log2(procs, wait)", 1, "log2 has 2 arguments: write log2(…)"},
		{"min(procs)", 1, "min has 1 arguments: write min(…, …)"},
		{"sqrt()", 6, `')' does not belong here`},
		{"(procs", 1, "this parenthesis is not closed"},
		{"1 + sqrt(procs", 5, "the parenthesis of sqrt is not closed"},
		{"procs)", 6, `')' does not belong here: write an operator`},
		{"procs wait", 7, `'w' does not belong here: write an operator`},
		{"procs × wait", 7, `'×' does not belong here: write an operator`},
		{"procs * ×", 9, `'×' does not belong here: write a number`},
		{"ü, procs", 1, `'ü' does not belong here`},
		{"procs * 1e", 9, `"1e" is no number`},
		{"procs * 1e999", 9, `"1e999" is no number, or one too large`},
		{"procs * .", 9, `"." is no number`},
		{"1 + 2*3", 1, "the same for all jobs: write one that uses wait"},
		{"procs, 5", 8, "the same for all jobs"},
		{"procs/0", 6, "division by zero: it is 0; divide by what cannot be 0"},
		{"procs/(2 - 2)", 6, "division by zero: it is 0"},
		{"estimate/wait", 9, "division by zero: it is from 0 to 9.223372036854776e+18 and can be 0"},
		{"wait/log2(procs)", 5, "division by zero: it is from 0 to 28"},
		{"1/(procs - 3)", 2, "division by zero"},
		{"procs^(wait - 1)", 6, "the value can be too large"},
		{"wait^-2", 5, "division by zero: it is from 0 to 9.223372036854776e+18 and can be 0, and the exponent is -2"},
		{"wait^-0.5", 5, "division by zero"},
		{"(procs - 5)^0.5", 12, "it is from -4 to 2.68435451e+08 and can be -4: a negative number has powers only of whole"},
		{"wait^16*wait", 8, "the value can be too large"},
		{"estimate^procs", 9, "the value can be too large"},
		{"1e300*wait", 6, "the value can be too large"},
		{"procs*1e308 + 1e308*procs", 6, "the value can be too large"},
		{"log10(submit)", 1, "log10 of what can be too small: it is from 0 to 9.22337" +
			"2036854776e+18 and can be 0; write log10(max(…, 1)) or log10(1 + …)"},
		{"ln(procs - 1)", 1, "ln of what can be too small"},
		{"sqrt(procs - 2)", 1, "sqrt of what can be too small: it is from -1 to 2.68435454e+08 and can be -1;" +
			" write sqrt(max(…, 0)) or sqrt(abs(…))"},
		{"log2(-1)*procs", 1, "log2 of what can be too small: it is -1; write"},
		{"arrival, procs", 1, "arrival leaves no ties: write it as the last key"},
		{strings.Repeat("procs+", 200) + "procs", 0, "a queue order of 1205 characters: write at most 1000"},
	} {
		_, err := Parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			c.column > 0 && !strings.Contains(err.Error(), fmt.Sprintf("queue order %q: column %d: ", c.text, c.column)) {
			t.Errorf("%q: %v; want column %d: %s", c.text, err, c.column, c.want)
		}
	}
}

// tree is a drawn expression, evaluated node by node.
type tree struct {
	symbol   string // a variable, number, operator or function
	operands []tree
}

// precedence returns that of an operator, from the loosest; all other symbols bind closest.
func (n tree) precedence() int {
	switch {
	case len(n.operands) == 2 && (n.symbol == "+" || n.symbol == "-"):
		return 1
	case len(n.operands) == 2 && (n.symbol == "*" || n.symbol == "/"):
		return 2
	case n.symbol == "negative":
		return 3
	case n.symbol == "^":
		return 4
	default:
		return 5
	}
}

// String writes the tree with no more parentheses than it needs.
func (n tree) String() string {
	operand := func(i, least int) string {
		if n.operands[i].precedence() < least {
			return "(" + n.operands[i].String() + ")"
		}
		return n.operands[i].String()
	}
	switch at := n.precedence(); at {
	case 1, 2:
		return operand(0, at) + n.symbol + operand(1, at+1)
	case 3:
		return "-" + operand(0, 3)
	case 4:
		return operand(0, 5) + "^" + operand(1, 3)
	}
	if len(n.operands) == 0 {
		return n.symbol
	}
	var arguments []string
	for _, argument := range n.operands {
		arguments = append(arguments, argument.String())
	}
	return n.symbol + "(" + strings.Join(arguments, ", ") + ")"
}

func (n tree) at(j *cluster.Job, now int64) float64 {
	var x [3]float64
	for i := range n.operands {
		x[i] = n.operands[i].at(j, now)
	}
	switch n.symbol {
	case "wait":
		return float64(now - j.Submit)
	case "estimate":
		return float64(j.Estimate)
	case "procs":
		return float64(j.Procs)
	case "submit":
		return float64(j.Submit)
	case "+":
		return x[0] + x[1]
	case "-":
		return x[0] - x[1]
	case "*":
		return float64(x[0] * x[1])
	case "/":
		return x[0] / x[1]
	case "negative":
		return -x[0]
	case "^":
		if x[1] == 2 {
			return float64(x[0] * x[0])
		}
		if x[1] == 3 {
			return float64(float64(x[0]*x[0]) * x[0])
		}
		return rng.Pow(x[0], x[1])
	case "log2":
		if x[0] == math.Exp2(math.Round(math.Log2(x[0]))) {
			return math.Round(math.Log2(x[0]))
		}
		return rng.Log(x[0]) / rng.Log(2)
	case "log10":
		return rng.Log(x[0]) / rng.Log(10)
	case "ln":
		return rng.Log(x[0])
	case "sqrt":
		return math.Sqrt(x[0])
	case "abs":
		return math.Abs(x[0])
	case "min":
		return slices.Min(x[:len(n.operands)])
	case "max":
		return slices.Max(x[:len(n.operands)])
	}
	var value float64
	if _, err := fmt.Sscan(n.symbol, &value); err != nil {
		panic(err)
	}
	return value
}

func drawTree(t *rapid.T, depth int) tree {
	leaf := func() tree {
		leaves := []string{"wait", "estimate", "procs", "submit", "1", "0.25", "870", "1e3"}
		return tree{symbol: rapid.SampledFrom(leaves).Draw(t, "leaf")}
	}
	if depth == 0 {
		return leaf()
	}
	next := func() tree { return drawTree(t, depth-1) }
	switch symbol := rapid.SampledFrom([]string{
		"+", "+", "-", "*", "*", "/", "^", "negative", "leaf", "log2", "log10", "ln", "sqrt", "abs", "min", "max",
	}).Draw(t, "symbol"); symbol {
	case "leaf":
		return leaf()
	case "+", "-", "*":
		return tree{symbol, []tree{next(), next()}}
	case "/": // by a value above 0
		return tree{symbol, []tree{next(), {"+", []tree{{"abs", []tree{next()}}, {symbol: "1"}}}}}
	case "^":
		return tree{symbol, []tree{next(), {symbol: rapid.SampledFrom([]string{"2", "3"}).Draw(t, "exponent")}}}
	case "negative", "abs":
		return tree{symbol, []tree{next()}}
	case "sqrt":
		return tree{symbol, []tree{{"abs", []tree{next()}}}}
	case "min":
		return tree{symbol, []tree{next(), next()}}
	case "max":
		return tree{symbol, []tree{next(), next(), next()}}
	default: // logarithms
		return tree{symbol, []tree{{"max", []tree{next(), {symbol: "1"}}}}}
	}
}

func drawJob(t *rapid.T) (cluster.Job, int64) {
	job := cluster.Job{
		Submit: rapid.Int64Range(0, 1<<32).Draw(t, "submit"), Estimate: rapid.Int64Range(1, 1<<32).Draw(t, "estimate"),
		Procs: rapid.Int32Range(1, profile.MostProcs).Draw(t, "procs"),
	}
	return job, job.Submit + rapid.Int64Range(0, 1<<62).Draw(t, "wait")
}

// An expression written with the fewest parentheses has the same bits as its tree, and is a finite
// number. Parse may refuse drawn expressions whose values can be too large.
func TestExpressionsAreTheirTrees(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		root := drawTree(t, rapid.IntRange(0, 5).Draw(t, "depth"))
		text := root.String()
		order, err := Parse(text)
		if err != nil {
			known := func(reason string) bool { return strings.Contains(err.Error(), reason) }
			if !slices.ContainsFunc([]string{"too large", "the same for all jobs", "write at most"}, known) {
				t.Fatal(err)
			}
			return
		}
		accepted++
		job, now := drawJob(t)
		have, want := order.Score(&job, now), root.at(&job, now)
		if have != want || math.IsNaN(have) || math.IsInf(have, 0) {
			t.Fatalf("%s is %v, want %v", text, have, want)
		}
	})
	if accepted == 0 {
		t.Error("no expression was accepted")
	}
}

// Every text is parsed or an error. A parsed expression is a finite number for every job.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"saf", "wait/(estimate + 1), procs", "-(wait/estimate)^3*procs", "log10(estimate)*procs + 870*log10(max(submit, 1))",
		"2^-3^procs", "min(1, 2, procs)^0.5", "wait^-1", "((procs", "1e5e", "ü(procs)", "sqrt(abs(procs - 4)),",
		"procs/(estimate^-20)", "ln(1+wait/1e18)",
	} {
		f.Add(text)
	}
	jobs := []cluster.Job{{Estimate: 1, Procs: 1}, sample}
	for _, submit := range []int64{0, 1, 1 << 32} {
		for _, estimate := range []int64{1, 2, 1 << 32} {
			for _, procs := range []int32{1, 2, profile.MostProcs} {
				jobs = append(jobs, cluster.Job{Submit: submit, Estimate: estimate, Procs: procs})
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		order, err := Parse(text)
		if err != nil {
			return
		}
		for _, key := range append([]cluster.Order{order}, order.Then...) {
			if key.Score == nil || slices.Contains(cluster.OrderNames(), strings.ToLower(key.Name)) || key.Name == "unicep" {
				continue
			}
			for i := range jobs {
				for _, wait := range []int64{0, 1, 12345, 1 << 61} {
					if score := key.Score(&jobs[i], jobs[i].Submit+wait); math.IsNaN(score) || math.IsInf(score, 0) {
						t.Fatalf("%q is %v for %+v after %d s", key.Name, score, jobs[i], wait)
					}
				}
			}
		}
	})
}

// Written as expressions, the orders of package cluster give the same schedules.
func TestSchedules(t *testing.T) {
	model, err := workload.Find("lublin")
	if err != nil {
		t.Fatal(err)
	}
	options := workload.Options{Jobs: 2000, Procs: 64, Load: 0.9}
	drawn, err := model.Generate(context.Background(), options, rng.New("ordering"))
	if err != nil {
		t.Fatal(err)
	}
	jobs := make([]cluster.Job, len(drawn))
	for i := range drawn {
		jobs[i] = cluster.Job{Submit: drawn[i].Submit, Run: drawn[i].Run, Procs: drawn[i].Procs}
		jobs[i].Run = max(1, jobs[i].Run)
	}
	policy, err := cluster.ParsePolicy("easy")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"smallest-area": "saf", "shortest": "estimate", "largest": "-procs", "wfp3": "-(wait/estimate)^3*procs",
		"arrival": "submit",
	} {
		builtin, err := cluster.ParseOrder(name)
		if err != nil {
			t.Fatal(err)
		}
		order, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := cluster.Simulate(context.Background(), cluster.Config{Procs: 64, Policy: policy, Order: builtin}, jobs)
		if err != nil {
			t.Fatal(err)
		}
		have, err := cluster.Simulate(context.Background(), cluster.Config{Procs: 64, Policy: policy, Order: order}, jobs)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(have.Start, want.Start) {
			t.Errorf("%s as %s gives another schedule", name, text)
		}
	}
}

// Jobs that need the whole machine start one after the other in the order of the keys; those that
// are equal under all keys in the order of their submits.
func TestTiesGoToTheNextKey(t *testing.T) {
	jobs := []cluster.Job{
		{Procs: 4, Run: 10}, {Procs: 3, Run: 5}, {Procs: 4, Run: 5}, {Procs: 3, Run: 9}, {Procs: 3, Run: 5},
		{Procs: 4, Run: 9},
	}
	policy, err := cluster.ParsePolicy("fcfs")
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs[1:] { // the first job runs; each waits 1 s less than the one before
		jobs[i+1].Submit = int64(i) + 1
	}
	for text, want := range map[string][]int{ // indices of jobs
		"procs, -estimate":               {0, 3, 1, 4, 5, 2},
		"procs, estimate":                {0, 1, 4, 3, 2, 5},
		"procs, wait":                    {0, 4, 3, 1, 5, 2},
		"-procs, estimate, -submit":      {0, 2, 5, 4, 1, 3},
		"-procs, shortest, lxf, arrival": {0, 2, 5, 1, 4, 3},
	} {
		order, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		have, err := cluster.Simulate(t.Context(), cluster.Config{Procs: 4, Policy: policy, Order: order}, jobs)
		if err != nil {
			t.Fatal(err)
		}
		started := []int{0, 1, 2, 3, 4, 5}
		slices.SortFunc(started, func(a, b int) int { return cmp.Compare(have.Start[a], have.Start[b]) })
		if !slices.Equal(started, want) {
			t.Errorf("%s: jobs start in the order %v, want %v", text, started, want)
		}
	}
}

func BenchmarkScore(b *testing.B) {
	for _, text := range []string{"saf", "-(wait/estimate)^3*procs", "wfp3", "f1", "f2", "xfactor"} {
		order, err := Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			sum := 0.0
			for b.Loop() {
				sum += order.Score(&sample, sampleNow)
			}
			if math.IsNaN(sum) {
				b.Fatal(sum)
			}
		})
	}
}

func TestScoresAllocateNothing(t *testing.T) {
	order, err := Parse("min(log2(procs), sqrt(wait))^1.5 + max(abs(-estimate), submit^2, 3)")
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { order.Score(&sample, sampleNow) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
