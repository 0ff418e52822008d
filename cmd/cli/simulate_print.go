package cli

// What simulate prints: measures of the policies side by side.

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"gridsweep/pipeline/simulation"
)

// title says what was simulated on what and how, and whom the trace's header asks to thank.
func (s *simulated) title(flags simulation.Options) string {
	text := fmt.Sprintf("%s, SHA-256 %.12s, %s (%s)\n%s", s.Trace.Name, s.Trace.Checksum,
		things(int(s.Config.Procs), "processor"), s.Trace.ProcsFrom, flags)
	if thanks := s.Trace.Header.Acknowledgement(); thanks != "" {
		text += "\nacknowledge: " + thanks
	}
	return text
}

// shortPolicy returns a policy with the first digits of a program's checksum.
func shortPolicy(policy string) string {
	name, rest, found := strings.Cut(policy, "@sha256:")
	if !found {
		return policy
	}
	sum, arguments, _ := strings.Cut(rest, " ")
	return strings.TrimSpace(fmt.Sprintf("%s@sha256:%.12s %s", name, sum, arguments))
}

// simulationTable prints a column for each policy, then a table for each grouping.
func (t *terminal) simulationTable(o *simulateOptions, s *simulated) {
	heads := []string{""}
	lists := make([][]simulation.Measure, len(s.outcomes))
	for i, o := range s.outcomes {
		heads = append(heads, shortPolicy(o.Policy))
		lists[i] = simulation.Measures(o.Summary)
	}
	t.measureTable(s.title(o.cluster.Options), heads, lists)
	for k, grouping := range s.outcomes[0].Groups {
		writer := t.table()
		writer.SetTitle("by %s", grouping.By)
		for i, o := range s.outcomes {
			for g, group := range o.Groups[k].Groups {
				list := simulation.MeasuresOfGroup(group)
				if i == 0 && g == 0 {
					writer.AppendHeader(groupHead(grouping.By, list))
				}
				row := table.Row{shortPolicy(o.Policy), o.Groups[k].Names[g]}
				for _, m := range list {
					if shownOfGroup[m.Name] {
						row = append(row, m.String())
					}
				}
				writer.AppendRow(row)
			}
			writer.AppendSeparator()
		}
		writer.AlignRight(3, 2+len(shownOfGroup), len("999,999,999.9"))
		writer.Render()
	}
}

// shownOfGroup are the measures of groups that a terminal has room for; csv and json have all.
var shownOfGroup = map[string]bool{
	"jobs": true, "share": true, "wait_mean": true, "wait_median": true, "wait_p95": true, "wait_max": true,
	"response_mean": true, "bounded_slowdown_mean": true, "backfilled": true,
}

func groupHead(by string, list []simulation.Measure) table.Row {
	head := table.Row{"policy", by}
	for _, m := range list {
		if shownOfGroup[m.Name] {
			head = append(head, m.Title)
		}
	}
	return head
}

// measureTable prints a row for each measure; the lists are its columns behind the titles.
func (t *terminal) measureTable(title string, heads []string, lists [][]simulation.Measure) {
	fmt.Fprintln(t.out, title)
	writer := t.table()
	head := table.Row{}
	for _, h := range heads {
		head = append(head, h)
	}
	writer.AppendHeader(head)
	for k, m := range lists[0] {
		row := table.Row{m.Title}
		for _, list := range lists {
			row = append(row, list[k].String())
		}
		writer.AppendRow(row)
	}
	writer.AlignRight(2, len(heads), 0)
	writer.Render()
}
