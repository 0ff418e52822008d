package cli

import (
	"fmt"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"

	"gridsweep/model/columns"
	"gridsweep/pipeline/simulation"
	"gridsweep/pipeline/workspace"
)

// title says what was simulated on what and how, and whom the trace's header asks to thank.
func (s *simulated) title(flags *clusterFlags) string {
	said := fmt.Sprintf("%s, SHA-256 %.12s, %s (%s)\n%s", s.Trace.Name, s.Trace.Checksum,
		things(int(s.Config.Procs), "processor"), s.Trace.ProcsFrom, flags)
	if thanks := s.Trace.Header.Acknowledgement(); thanks != "" {
		said += "\nacknowledge: " + thanks
	}
	return said
}

// simulationTable prints a column for each policy, then a table for each kind of groups.
func (t *terminal) simulationTable(o *simulateOptions, s *simulated) {
	heads := []string{""}
	lists := make([][]simulation.Measure, len(s.outcomes))
	for i, o := range s.outcomes {
		heads = append(heads, o.Policy)
		lists[i] = simulation.Measures(o.Summary)
	}
	t.measureTable(s.title(&o.cluster), heads, lists)
	for k, grouping := range s.outcomes[0].Groups {
		writer := t.table()
		writer.SetTitle("by %s", grouping.By)
		for i, o := range s.outcomes {
			for g, group := range o.Groups[k].Groups {
				list := simulation.MeasuresOfGroup(group)
				if i == 0 && g == 0 {
					writer.AppendHeader(groupHead(grouping.By, list))
				}
				row := table.Row{o.Policy, o.Groups[k].Names[g]}
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

// simulationCSV writes a row for each policy, or, with --by, for each policy and group.
func (t *terminal) simulationCSV(o *simulateOptions, s *simulated) error {
	w := columns.NewWriter(t.out)
	write := func(fields []string, list []simulation.Measure, value func(simulation.Measure) string) {
		for _, m := range list {
			fields = append(fields, value(m))
		}
		_ = w.Write(fields) // w keeps the error
	}
	name := func(m simulation.Measure) string { return m.Name }
	for i, outcome := range s.outcomes {
		of := []string{s.Trace.Name, s.Trace.Checksum, strconv.Itoa(int(s.Config.Procs)), outcome.Policy}
		heads := []string{"trace", "sha256", "procs", "policy"}
		if len(o.by) == 0 {
			list := simulation.Measures(outcome.Summary)
			if i == 0 {
				write(heads, list, name)
			}
			write(of, list, simulation.Measure.Exact)
			continue
		}
		for k, grouping := range outcome.Groups {
			for g, group := range grouping.Groups {
				list := simulation.MeasuresOfGroup(group)
				if i == 0 && k == 0 && g == 0 {
					write(append(heads, "by", "group"), list, name)
				}
				write(append(of[:4:4], grouping.By, grouping.Names[g]), list, simulation.Measure.Exact)
			}
		}
	}
	return w.Flush()
}

// simulationJSON writes everything.
func (t *terminal) simulationJSON(o *simulateOptions, s *simulated) error {
	f := &o.cluster
	return t.printJSON(s.Report(workspace.Version, simulation.ReportOptions{
		Order: f.order, Seed: f.seed, Overrun: f.overrun, Instant: f.instant, Pivot: f.pivot,
		Partitions: append([]string{}, f.partitions...), Reservations: f.reservations,
	}, s.outcomes))
}
