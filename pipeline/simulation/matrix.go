// Matrices: the study of the model scheduling that crosses traces, loads and policies.

package simulation

import (
	"bytes"
	"cmp"
	_ "embed" // the template
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"gridsweep/model/scheduling"
)

// Matrix is simulations of one or several traces, loads, estimates, queue orders and policies, each
// with each of the others, in replications.
type Matrix struct {
	Factors      []Factor  // factors in the order of the rows of tables
	Settings     []Setting // settings of all runs
	Replications int
	Base         string // policy that the others are compared with; empty for none
	Seed         int64
	Command      string // the command that does the same as the study
}

// Factor is a parameter of the model scheduling with its levels. One with a single level varies
// nothing, and is a setting of all runs.
type Factor struct {
	Name   string
	Levels []Level
}

// Level is a value of a parameter and what tables call it.
type Level struct{ Label, Value string }

// Setting is the value of a parameter in all runs.
type Setting struct{ Name, Value string }

// Names of factors.
const (
	TraceFactor     = "trace"
	LoadFactor      = "load"
	EstimatesFactor = "estimates"
	OrderFactor     = "order"
	PolicyFactor    = "policy"
)

// varied returns the factors that vary, and their names, without some.
func (m *Matrix) varied(without ...string) (factors []Factor, names []string) {
	for _, f := range m.Factors {
		if len(f.Levels) > 1 && !slices.Contains(without, f.Name) {
			factors, names = append(factors, f), append(names, f.Name)
		}
	}
	return factors, names
}

// labels returns the labels of a factor's levels; none without the factor.
func (m *Matrix) labels(factor string) []string {
	for _, f := range m.Factors {
		if f.Name == factor {
			return f.labels()
		}
	}
	return nil
}

func (f Factor) labels() []string {
	var labels []string
	for _, level := range f.Levels {
		labels = append(labels, level.Label)
	}
	return labels
}

// hasLabels reports whether tables call a level by another name than its value.
func (f Factor) hasLabels() bool {
	return slices.ContainsFunc(f.Levels, func(l Level) bool { return l.Label != l.Value })
}

// studyFile is the template of the study file of a matrix.
//
//go:embed matrix.yaml.tmpl
var studyFile string

// Study returns the text of the study file of that name that does the same.
func (m *Matrix) Study(name string) []byte {
	settings := slices.Clone(m.Settings)
	for _, f := range m.Factors {
		if len(f.Levels) == 1 {
			settings = append(settings, Setting{f.Name, f.Levels[0].Value})
		}
	}
	traces, loads := m.labels(TraceFactor), m.labels(LoadFactor)
	factors, rows := m.varied()
	_, curves := m.varied(TraceFactor, LoadFactor)
	bars := append(slices.Clone(curves), "size", "run") // with the keys of the table classes
	along := max(0, len(curves)-1)                      // the last factor of curves, else size
	values := map[string]any{
		"Matrix": m, "Name": name, "Command": strings.Join(strings.Fields(m.Command), " "), "Traces": traces,
		"Model": scheduling.Spec.Name, "Settings": settings, "Factors": factors, "Rows": rows,
		"Policies": m.labels(PolicyFactor), "Curves": curves,
		"Bars": bars[along], "BarSeries": slices.Delete(slices.Clone(bars), along, along+1),
	}
	if len(loads) > 1 {
		values["Highest"] = highest(loads)
	}
	functions := template.FuncMap{
		"text": yamlText, "list": yamlList, "labels": Factor.labels, "hasLabels": Factor.hasLabels,
	}
	parsed := template.Must(template.New("").Delims("<<", ">>").Funcs(functions).Parse(studyFile))
	var text bytes.Buffer
	if err := parsed.Execute(&text, values); err != nil {
		panic(err) // the template is ours
	}
	return text.Bytes()
}

// highest returns the label of the highest number.
func highest(loads []string) string {
	return slices.MaxFunc(loads, func(a, b string) int {
		x, _ := strconv.ParseFloat(a, 64) // that they are numbers was checked
		y, _ := strconv.ParseFloat(b, 64)
		return cmp.Compare(x, y)
	})
}

// plainText is text that YAML reads as it stands, wherever it stands.
var plainText = regexp.MustCompile(`^[A-Za-z0-9._/][A-Za-z0-9._/+-]*( [A-Za-z0-9._/][A-Za-z0-9._/+-]*)*$`)

// yamlText returns a text as YAML writes it, in quotes where it needs them.
func yamlText(text string) string {
	if plainText.MatchString(text) {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(text) + `"`
}

// yamlList returns texts as a list of YAML.
func yamlList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = yamlText(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
