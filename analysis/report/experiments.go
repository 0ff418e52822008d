// Links from the names of experiments to the rows of these in the table of experiments.

package report

import (
	"html/template"
	"strings"

	"gridsweep/analysis"
)

// experimentLinks has the anchor of the row of each experiment by name, and of the first part of
// one that is run in parts.
type experimentLinks map[string]string

func newExperimentLinks(experiments []Experiment, ids anchors) experimentLinks {
	links := experimentLinks{}
	for _, e := range experiments {
		id := ids.id("experiment", e.Name)
		links[e.Name] = id
		for i, char := range e.Name {
			if whole := e.Name[:i]; char == '/' && links[whole] == "" {
				links[whole] = id
			}
		}
	}
	return links
}

// In returns a text with a link from each quoted name of an experiment.
func (l experimentLinks) In(text string) template.HTML {
	var linked strings.Builder
	for text != "" {
		before, rest, isQuoted := strings.Cut(text, "“")
		linked.WriteString(template.HTMLEscapeString(before))
		if !isQuoted {
			break
		}
		name, after, isClosed := strings.Cut(rest, "”")
		if id := l[name]; id != "" && isClosed {
			linked.WriteString(`<a href="#` + id + `">` + template.HTMLEscapeString(analysis.Quoted(name)) + `</a>`)
			text = after
		} else {
			linked.WriteString("“")
			text = rest
		}
	}
	return template.HTML(linked.String())
}

// To returns the name of an experiment, with a link to its row on a page; an empty page is the
// one that the link is on.
func (l experimentLinks) To(page, name string) template.HTML {
	code := "<code>" + template.HTMLEscapeString(name) + "</code>"
	if id := l[name]; id != "" {
		code = `<a href="` + page + "#" + id + `">` + code + `</a>`
	}
	return template.HTML(code)
}
