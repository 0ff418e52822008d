// Tests of links to the rows of experiments.

package report

import (
	"strings"
	"testing"
)

// A quoted name of an experiment, or of one that is run in parts, links to its first row. Other
// quotes, and what is markup in a text, stay text.
func TestLinksToExperiments(t *testing.T) {
	ids := anchors{"experiment-rate": true} // of another study
	experiments := []Experiment{{Name: "rate"}, {Name: "readings/rate"}, {Name: "readings/start tasks/x"}}
	links := newExperimentLinks(experiments, ids)
	for text, want := range map[string]string{
		"In “rate” and “readings”.": `In <a href="#experiment-rate-2">“rate”</a> and ` +
			`<a href="#experiment-readings-rate">“readings”</a>.`,
		"“readings/start tasks”":   `<a href="#experiment-readings-start-tasks-x">“readings/start tasks”</a>`,
		"“<b>” & “rate, “x”, rate": "“&lt;b&gt;” &amp; “rate, “x”, rate",
		"“rate":                    "“rate",
		"":                         "",
	} {
		if have := string(links.In(text)); have != want {
			t.Errorf("%s: %s, want %s", text, have, want)
		}
	}
	const want = `<a href="report.html#experiment-rate-2"><code>rate</code></a>`
	if have := string(links.To("report.html", "rate")); have != want {
		t.Errorf("%s, want %s", have, want)
	}
	if have := string(links.To("", "<x>")); have != "<code>&lt;x&gt;</code>" {
		t.Errorf("%s of an experiment without a row", have)
	}
}

// The page links to experiments in sentences on claims and agreement, and so does the page of
// assumptions.
func TestPageLinksToExperiments(t *testing.T) {
	content, assumptions, err := HTML(t.Context(), fakePage())
	if err != nil {
		t.Fatal(err)
	}
	row := `<tr id="experiment-open-rate">`
	link := `<a href="#experiment-open-rate">“open”</a>`
	if !strings.Contains(string(content), row) || !strings.Contains(string(content), link) {
		t.Errorf("the page does not have %s and %s", row, link)
	}
	link = `<a href="report.html#experiment-open-rate"><code>open</code></a>`
	if !strings.Contains(string(assumptions), link) {
		t.Errorf("the assumptions do not have %s", link)
	}
}
