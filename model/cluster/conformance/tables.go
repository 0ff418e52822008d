// Tables: the scenarios of a set as CSV tables.

package conformance

import "strconv"

// Table is the rows of a CSV file. The first names the columns.
type Table struct {
	Name string
	Rows [][]string
}

// Tables returns the set as tables: machines, jobs, reservations, configurations and schedules.
// Times are in s. The table of schedules has the columns of [ScheduleColumns].
func Tables(set []*Scenario) []Table {
	machines := Table{"machines", [][]string{{"scenario", "procs"}}}
	jobs := Table{"jobs", [][]string{{"scenario", "id", "submit", "run", "estimate", "procs", "priority", "user"}}}
	reservations := Table{"reservations", [][]string{{"scenario", "id", "from", "to", "procs"}}}
	configurations := Table{"configurations", [][]string{
		{"scenario", "configuration", "policy", "order", "instant", "overrun", "pivot", "placement", "partitions"},
	}}
	schedules := Table{"schedules", [][]string{ScheduleColumns}}
	for _, s := range set {
		machines.add([]string{s.Name}, int64(s.Procs))
		for i, j := range s.Jobs {
			jobs.add([]string{s.Name}, int64(i+1), j.Submit, j.Run, j.Estimate,
				int64(j.Procs), int64(j.Priority), int64(j.User))
		}
		for i, r := range s.Reservations {
			reservations.add([]string{s.Name}, int64(i+1), r.From, r.To, int64(r.Procs))
		}
		for _, block := range s.Blocks {
			for _, c := range block.Configurations {
				texts := append([]string{s.Name, c.String()}, c.Words()...) // policy to placement
				configurations.add(append(texts, c.Boundaries()))
				for i, start := range block.Schedule.Start {
					schedules.add([]string{s.Name, c.String()}, int64(i+1), start, block.Schedule.End[i])
				}
			}
		}
	}
	return []Table{machines, jobs, reservations, configurations, schedules}
}

func (t *Table) add(texts []string, numbers ...int64) {
	for _, number := range numbers {
		texts = append(texts, strconv.FormatInt(number, 10))
	}
	t.Rows = append(t.Rows, texts)
}
