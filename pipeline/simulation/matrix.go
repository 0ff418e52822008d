package simulation

// Matrices: the study of the model scheduling that crosses traces, loads and policies.

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

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

// measures are the columns that the tables of a matrix show.
const measures = "[wait_mean, wait_p95, bounded_slowdown_mean, utilisation]"

// varied returns the names of the factors that vary, without some.
func (m *Matrix) varied(without ...string) []string {
	var names []string
	for _, f := range m.Factors {
		if len(f.Levels) > 1 && !slices.Contains(without, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// labels returns the labels of a factor's levels.
func (m *Matrix) labels(factor string) []string {
	var labels []string
	for _, f := range m.Factors {
		for _, level := range f.Levels {
			if f.Name == factor {
				labels = append(labels, level.Label)
			}
		}
	}
	return labels
}

// Study returns the text of the study file of that name that does the same.
func (m *Matrix) Study(name string) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s", strings.Join(strings.Fields(m.Command), " "))
	line("#")
	line("# gridsweep reproduce runs this file, and gridsweep show lists its parameters and columns.")
	line("# docs/reference/study-files.md has all keys, docs/reference/scheduling-model.md the model.")
	line("study: %s", yamlText(name))
	line("title: %s", yamlText(m.title()))
	line("model: %s", scheduling.Spec.Name)
	line("seed: %d", m.Seed)
	m.writeSettings(line)
	m.writeFactors(line)
	line("")
	line("experiments:                    # every level of a factor with every level of the others")
	line("  matrix: {%srounds: %d}", keyOf("cross", m.varied()), m.Replications)
	m.writeTables(line)
	m.writeFigures(line)
	return []byte(b.String())
}

// keyOf returns a key with a list for a map in flow style, nothing for an empty list.
func keyOf(key string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return key + ": " + yamlList(names) + ", "
}

func (m *Matrix) title() string {
	traces := m.labels(TraceFactor)
	if len(traces) == 1 {
		return "Scheduling of " + traces[0]
	}
	return fmt.Sprintf("Scheduling of %d traces", len(traces))
}

func (m *Matrix) writeSettings(line func(string, ...any)) {
	settings := slices.Clone(m.Settings)
	for _, f := range m.Factors {
		if len(f.Levels) == 1 {
			settings = append(settings, Setting{f.Name, f.Levels[0].Value})
		}
	}
	if len(settings) == 0 {
		return
	}
	line("")
	line("set:                            # in all runs; what is not set has its default")
	for _, s := range settings {
		line("  %s: %s", s.Name, yamlText(s.Value))
	}
}

func (m *Matrix) writeFactors(line func(string, ...any)) {
	if len(m.varied()) == 0 {
		return
	}
	line("")
	line("factors:                        # what varies")
	for _, f := range m.Factors {
		hasOwnName := func(l Level) bool { return l.Label != l.Value }
		switch {
		case len(f.Levels) < 2:
		case slices.ContainsFunc(f.Levels, hasOwnName):
			line("  %s:", f.Name)
			for _, level := range f.Levels {
				line("    %s: {%s: %s}", yamlText(level.Label), f.Name, yamlText(level.Value))
			}
		default:
			line("  %s: %s", f.Name, yamlList(m.labels(f.Name)))
		}
	}
}

func (m *Matrix) writeTables(line func(string, ...any)) {
	rows := keyOf("rows", m.varied())
	if rows == "" {
		rows = "label: " + yamlText(m.labels(PolicyFactor)[0]) + ", "
	}
	line("")
	line("tables:")
	line("  measures:")
	line("    {title: Means over the replications, of: matrix, show: %s,", measures)
	line("      %scolumns: metric}", rows)
	if m.Base == "" {
		return
	}
	line("  differences:                  # in each replication, between policies that meet the same jobs")
	line("    {title: %s, of: matrix, show: %s,", yamlText("Differences from "+m.Base), measures)
	line("      %scolumns: metric, against: {policy: %s}}", rows, yamlText(m.Base))
}

// writeFigures writes the figures: the measures over the load, and at the highest load the classes
// of jobs and the quantiles.
func (m *Matrix) writeFigures(line func(string, ...any)) {
	panels, at := "", ""
	if len(m.labels(TraceFactor)) > 1 {
		panels = "panels: trace, "
	}
	loads := m.labels(LoadFactor)
	if len(loads) > 1 {
		at = ", where: {load: " + yamlText(highest(loads)) + "}"
	}
	curves := m.varied(TraceFactor, LoadFactor)
	line("")
	line("figures:")
	if len(loads) > 1 {
		for _, f := range [][3]string{
			{"wait_mean", "Mean wait", "log: y, units: {y: h}, "},
			{"bounded_slowdown_mean", "Mean bounded slowdown", "log: y, "},
			{"utilisation", "Utilisation", ""},
		} {
			line("  %s:", f[0])
			line("    {title: %s over the load, of: matrix, show: %s, kind: line, x: load,", f[1], f[0])
			line("      %s%s%slabels: {x: offered load}}", keyOf("series", curves), panels, f[2])
		}
	}
	bars := append(slices.Clone(curves), "size", "run")
	last := max(0, len(curves)-1) // the policies, where they vary
	line("  classes:                      # of processors and run time; set: {classes: …} has other bounds")
	line("    {title: Mean bounded slowdown by class of jobs, of: matrix, from: classes, show: bounded_slowdown,")
	line("      kind: bar, x: %s, series: %s, %slog: y,",
		bars[last], yamlList(slices.Delete(slices.Clone(bars), last, last+1)), panels)
	x := bars[last]
	if x == "size" {
		x = "processors"
	}
	line("      labels: {x: %s}%s}", x, at)
	for _, f := range [][3]string{
		{"wait", "Quantiles of the wait", ", units: {y: s}"},
		{"bounded_slowdown", "Quantiles of the bounded slowdown", ""},
	} {
		line("  %s:", f[0])
		line("    {title: %s, of: matrix, from: distribution, show: %s,", f[1], f[0])
		line("      kind: line, x: probability, %s%slog: y,", keyOf("series", curves), panels)
		line("      labels: {x: share of the jobs}%s%s}", f[2], at)
	}
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
