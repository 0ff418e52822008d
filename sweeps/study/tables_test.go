// Which published numbers fit names.

package study

import (
	"fmt"
	"strings"
	"testing"

	"gridsweep/analysis/statistics"
)

// Fit names tables, of which it takes the columns with published numbers, and single columns.
func TestFit(t *testing.T) {
	const tables = `
tables:
  rate: {of: rate, show: [loss, wait], rows: lambda, columns: [policy, metric], published: rate.csv}
  solo: {of: solo, show: [loss, wait], rows: policy, columns: metric, published: solo.csv}
  rest: {of: solo, show: loss, rows: policy, columns: metric, published: solo.csv}
`
	published := map[string]string{
		"rate.csv": "lambda,policy,metric,value,page\n0.1,a,loss,3,7\n0.1,a,wait,4,7\n",
		"solo.csv": "policy,metric,value,page\na,loss,3,8\n",
	}
	for fit, want := range map[string]string{
		`[solo, "rate: loss"]`:         "rate[loss] solo[loss] rest[]",
		`[rate]`:                       "rate[loss wait] solo[] rest[]",
		`["rate: wait", "rate: loss"]`: "rate[loss wait] solo[] rest[]",
		`["solo: loss", rest]`:         "rate[] solo[loss] rest[loss]",
		`["rest: loss"]`:               "rate[] solo[] rest[loss]",
		`[]`:                           "rate[] solo[] rest[]",
		`null`:                         "rate[] solo[] rest[]",
		`["rate: wiat"]`:               `no table "rate: wiat" has published numbers that are results; did you mean rate: wa`,
		`["solo: wait"]`:               `no table "solo: wait" has published numbers that are results`,
	} {
		bound, problems := Bind(t.Context(), readStudy(t, head+"fit: "+fit+tables, published), toyModel(), Overrides{})
		var fitted []string
		for _, table := range bound.Tables {
			fitted = append(fitted, fmt.Sprint(table.Name, table.Fitted))
		}
		have := strings.Join(fitted, " ")
		if len(problems) > 0 {
			have = problems.Error()
		}
		if have != want && (len(problems) == 0 || !strings.Contains(have, want)) {
			t.Errorf("fit: %s: %s\nwant %s", fit, have, want)
		}
	}
}

// A published number in percent is a hundredth of it where the column is a share.
func TestPublishedPercent(t *testing.T) {
	const tables = `
tables:
  rate: {of: rate, show: place, rows: lambda, where: {policy: a}, published: rate.csv}
  growth: {of: rate, show: place, rows: lambda, where: {policy: b}, against: {policy: a}, as: percent,
    published: rate.csv}
`
	published := map[string]string{"rate.csv": "lambda,metric,value,page\n0.1,place,60.30%,7\n0.2,place,0.5,7\n"}
	bound, problems := Bind(t.Context(), readStudy(t, head+tables, published), toyModel(), Overrides{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for i, want := range []string{"0.6030 0.603", "60.30 60.3"} {
		n := bound.Tables[i].Blocks[0].Printed[0]
		if have := fmt.Sprint(n.Text, " ", n.Value); have != want {
			t.Errorf("table %s has %s, want %s", bound.Tables[i].Name, have, want)
		}
	}
	for printed, want := range map[string]string{
		"100": "1.00", "5": "0.05", "-0.5": "-0.005", "1234": "12.34", "0": "0.00", "+7.": "+0.07",
	} {
		if have := hundredth(printed); have != want {
			t.Errorf("%s %% are %s, want %s", printed, have, want)
		}
	}
	for _, c := range []struct {
		printed, want string
		problems      int // with that of 99: one for all that may be percentages
	}{
		{"60.3", "60.3 is outside [0,1] of place, which is a share: write 60.3%, or 0.603\n", 1},
		{"150", "150 is outside [0,1] of place\n", 2},
		{"120%", "120% is outside [0,1] of place\n", 2},
	} {
		published["rate.csv"] = "lambda,metric,value,page\n0.1,place," + c.printed + ",7\n0.2,place,99,7\n"
		_, problems = Bind(t.Context(), readStudy(t, head+tables, published), toyModel(), Overrides{})
		want := "rate.csv:2:11: tables.rate.published: " + c.want
		if have := problems.Error() + "\n"; len(problems) != c.problems || !strings.Contains(have, want) {
			t.Errorf("%s: problems %v, want %s", c.printed, problems, want)
		}
	}
	for _, s := range statistics.All() {
		published["rate.csv"] = "lambda,metric,value,page\n0.1,place,2,7\n"
		stat := strings.ReplaceAll(tables, "show: place,", "show: place, stat: "+string(s)+",")
		_, problems = Bind(t.Context(), readStudy(t, head+stat, published), toyModel(), Overrides{})
		isOutside := strings.Contains(problems.Error(), "2 is outside [0,1] of place")
		if want := s.Measures() != statistics.Dispersion; isOutside != want {
			t.Errorf("%s: a number outside of the range is reported: %t, want %t: %v", s, isOutside, want, problems)
		}
	}
	published["rate.csv"] = "lambda,metric,value,page\n0.1,wait,60.30%,7\n"
	file := readStudy(t, head+strings.ReplaceAll(tables, "place", "wait"), published)
	_, problems = Bind(t.Context(), file, toyModel(), Overrides{})
	want := "rate.csv:2:10: tables.rate.published: a number in % is published of wait, which is in s; write it in s"
	if !strings.Contains(problems.Error(), want) {
		t.Errorf("problems %v, want %s", problems, want)
	}
}

// A table that replaces one which the inherited fit names is reported at its own line.
func TestFitIsInherited(t *testing.T) {
	published := map[string]string{
		"rate.csv": "lambda,metric,value,page\n0.1,loss,3,7\n",
		"../base.yaml": head + "fit: [\"rate: loss\", kept]\ntables:\n" +
			"  rate: {of: rate, show: loss, rows: lambda, where: {policy: a}, published: rate.csv}\n" +
			"  kept: {of: rate, show: loss, rows: lambda, where: {policy: b}, published: rate.csv}\n",
	}
	const own = "study: own\nextends: base.yaml\ntables: {rate: {of: solo, show: loss, rows: policy}}\n"
	for text, want := range map[string]string{
		own: `toy.yaml:3:10: tables.rate: takes the place of an inherited table, and the inherited fit names ` +
			`"rate: loss"`,
		own + "fit: []\n":   "[]",
		own + "fit: null\n": "[]",
		own + "fit: kept\n": "[kept]",
		"study: own\nextends: base.yaml\ntables: {rate: null}\n": "[kept]",
	} {
		bound, problems := Bind(t.Context(), readStudy(t, text, published), toyModel(), Overrides{})
		fitted := []string{}
		for _, table := range bound.Tables {
			if len(table.Fitted) > 0 {
				fitted = append(fitted, table.Name)
			}
		}
		have := fmt.Sprint(fitted)
		if len(problems) > 0 {
			have = problems.Error()
		}
		if have != want && (len(problems) == 0 || !strings.Contains(have, want)) {
			t.Errorf("%s: %s\nwant %s", text, have, want)
		}
	}
}
