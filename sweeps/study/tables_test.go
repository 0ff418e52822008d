// Which published numbers fit names.

package study

import (
	"fmt"
	"strings"
	"testing"
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
