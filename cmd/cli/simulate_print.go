package cli

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"

	"gridsweep/model/columns"
	"gridsweep/model/metrics"
	"gridsweep/model/trace"
	"gridsweep/pipeline/workspace"
)

// What jobs can be grouped by.
const (
	byUser = "user"
	bySize = "size"
)

// grouping is the measures of groups of jobs.
type grouping struct {
	by     string
	groups []metrics.Group
	names  []string // of the groups
}

// group measures the jobs of a schedule by user or by size.
func (s *simulation) group(by string, made metrics.Schedule) (grouping, error) {
	keys := s.common.User
	if by == bySize {
		keys = make([]int32, len(made.Procs))
		for i, procs := range made.Procs {
			keys[i] = metrics.SizeClass(procs)
		}
	}
	g := grouping{by: by}
	var err error
	if g.groups, err = metrics.By(made, s.window, keys); err != nil {
		return g, usageErrorf("%s: %w", s.trace.name, err)
	}
	for _, group := range g.groups {
		g.names = append(g.names, s.groupName(by, group.Key))
	}
	return g, nil
}

func (s *simulation) groupName(by string, key int32) string {
	switch {
	case by == bySize:
		low, high := metrics.SizesOf(key)
		if low == high {
			return strconv.FormatInt(low, 10)
		}
		return fmt.Sprintf("%d-%d", low, high)
	case key < 0:
		return "unknown"
	case s.trace.names != nil:
		return trace.Printable(s.trace.names.Users.Name(key))
	default:
		return strconv.Itoa(int(key))
	}
}

// title says what was simulated on what and how, and whom the trace's header asks to thank.
func (s *simulation) title(flags *clusterFlags) string {
	said := fmt.Sprintf("%s, SHA-256 %.12s, %s (%s)\n%s", s.trace.name, s.trace.checksum,
		things(int(s.config.Procs), "processor"), s.trace.procsFrom, flags)
	if thanks := s.trace.header.Acknowledgement(); thanks != "" {
		said += "\nacknowledge: " + thanks
	}
	return said
}

// simulationTable prints a column for each policy, then a table for each kind of groups.
func (t *terminal) simulationTable(o *simulateOptions, s *simulation) {
	heads := []string{""}
	lists := make([][]measure, len(s.outcomes))
	for i, o := range s.outcomes {
		heads = append(heads, o.policy)
		lists[i] = measuresOf(o.Summary)
	}
	t.measureTable(s.title(&o.cluster), heads, lists)
	for k, grouping := range s.outcomes[0].groups {
		writer := t.table()
		writer.SetTitle("by %s", grouping.by)
		for i, o := range s.outcomes {
			for g, group := range o.groups[k].groups {
				list := measuresOfGroup(group)
				if i == 0 && g == 0 {
					writer.AppendHeader(groupHead(grouping.by, list))
				}
				row := table.Row{o.policy, o.groups[k].names[g]}
				for _, m := range list {
					if shownOfGroup[m.name] {
						row = append(row, m.people())
					}
				}
				writer.AppendRow(row)
			}
			writer.AppendSeparator()
		}
		alignRight(writer, 3, 2+len(shownOfGroup), len("999,999,999.9"))
		writer.Render()
	}
}

// shownOfGroup are the measures of groups that a terminal has room for; csv and json have all.
var shownOfGroup = map[string]bool{
	"jobs": true, "share": true, "wait_mean": true, "wait_median": true, "wait_p95": true, "wait_max": true,
	"response_mean": true, "bounded_slowdown_mean": true, "backfilled": true,
}

func groupHead(by string, list []measure) table.Row {
	head := table.Row{"policy", by}
	for _, m := range list {
		if shownOfGroup[m.name] {
			head = append(head, m.title)
		}
	}
	return head
}

// measureTable prints a row for each measure; the lists are its columns behind the titles.
func (t *terminal) measureTable(title string, heads []string, lists [][]measure) {
	fmt.Fprintln(t.out, title)
	writer := t.table()
	head := table.Row{}
	for _, h := range heads {
		head = append(head, h)
	}
	writer.AppendHeader(head)
	for k, m := range lists[0] {
		row := table.Row{m.title}
		for _, list := range lists {
			row = append(row, list[k].people())
		}
		writer.AppendRow(row)
	}
	alignRight(writer, 2, len(heads), 0)
	writer.Render()
}

// simulationCSV writes a row for each policy, or, with --by, for each policy and group.
func (t *terminal) simulationCSV(o *simulateOptions, s *simulation) error {
	w := columns.NewWriter(t.out)
	write := func(fields []string, list []measure, value func(measure) string) {
		for _, m := range list {
			fields = append(fields, value(m))
		}
		_ = w.Write(fields) // w keeps the error
	}
	name := func(m measure) string { return m.name }
	for i, outcome := range s.outcomes {
		of := []string{s.trace.name, s.trace.checksum, strconv.Itoa(int(s.config.Procs)), outcome.policy}
		heads := []string{"trace", "sha256", "procs", "policy"}
		if len(o.by) == 0 {
			list := measuresOf(outcome.Summary)
			if i == 0 {
				write(heads, list, name)
			}
			write(of, list, measure.exact)
			continue
		}
		for k, grouping := range outcome.groups {
			for g, group := range grouping.groups {
				list := measuresOfGroup(group)
				if i == 0 && k == 0 && g == 0 {
					write(append(heads, "by", "group"), list, name)
				}
				write(append(of[:4:4], grouping.by, grouping.names[g]), list, measure.exact)
			}
		}
	}
	return w.Flush()
}

// reportJSON is everything about simulations, with all digits. All keys are there at all times.
type reportJSON struct {
	Version  string       `json:"version"`
	Trace    traceJSON    `json:"trace"`
	LeftOut  []stepJSON   `json:"left_out"` // or changed, by cleaning and selection, in that order
	Machine  machineJSON  `json:"machine"`
	Options  optionsJSON  `json:"options"`
	Policies []policyJSON `json:"policies"`
}

type traceJSON struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Format string `json:"format"`
	Read   int    `json:"read"` // jobs, before cleaning and selection
}

type stepJSON struct {
	What  string `json:"what"`
	Count int    `json:"count"` // jobs, or lines
	First int64  `json:"first"` // number of the first such job, or line
}

type machineJSON struct {
	Procs int32  `json:"procs"`
	From  string `json:"procs_from"`
}

type optionsJSON struct {
	Order        string   `json:"order"`
	Estimates    string   `json:"estimates"`
	Seed         int64    `json:"seed"`
	Overrun      string   `json:"overrun"`
	Instant      string   `json:"instant"`
	Pivot        string   `json:"pivot"`
	Partitions   []string `json:"partitions"`
	Reservations string   `json:"reservations"`
	Warmup       int64    `json:"warmup"`
	Cooldown     int64    `json:"cooldown"`
}

type policyJSON struct {
	Policy string `json:"policy"`
	summaryJSON
	ByUser []groupJSON `json:"by_user"` // null unless asked for
	BySize []groupJSON `json:"by_size"`
}

type groupJSON struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	jobsJSON
}

// simulationJSON writes everything.
func (t *terminal) simulationJSON(o *simulateOptions, s *simulation) error {
	f := &o.cluster
	report := reportJSON{
		Version: workspace.Version,
		Trace:   traceJSON{s.trace.name, s.trace.checksum, s.trace.format.String(), s.trace.read},
		LeftOut: []stepJSON{},
		Machine: machineJSON{s.config.Procs, s.trace.procsFrom},
		Options: optionsJSON{
			Order: f.order, Estimates: s.estimates.String(), Seed: f.seed, Overrun: f.overrun, Instant: f.instant, Pivot: f.pivot,
			Partitions: append([]string{}, f.partitions...), Reservations: f.reservations,
			Warmup: s.window.Warmup, Cooldown: s.window.Cooldown,
		},
	}
	for _, skip := range s.trace.skipped {
		report.LeftOut = append(report.LeftOut, stepJSON{skip.Reason, skip.Count, int64(skip.First)})
	}
	for _, step := range s.trace.steps {
		report.LeftOut = append(report.LeftOut, stepJSON{step.What, step.Count, step.Example})
	}
	for _, outcome := range s.outcomes {
		report.Policies = append(report.Policies, policyForJSON(outcome))
	}
	encoder := json.NewEncoder(t.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}

func policyForJSON(o outcome) policyJSON {
	policy := policyJSON{Policy: o.policy, summaryJSON: summaryForJSON(o.Summary)}
	for _, grouping := range o.groups {
		var groups []groupJSON
		for g, group := range grouping.groups {
			groups = append(groups, groupJSON{grouping.names[g], group.Share, jobsForJSON(group.Measures)})
		}
		if grouping.by == byUser {
			policy.ByUser = groups
		} else {
			policy.BySize = groups
		}
	}
	return policy
}
