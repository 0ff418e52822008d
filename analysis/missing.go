// Notes on planned runs that have no rows.

package analysis

import "fmt"

// usedRuns has the runs behind some numbers by their index in the plan: the name of a run that has
// no rows, else an empty text.
type usedRuns map[int]string

// plannedRun is a run of an observation: its levels along the experiment's dimensions, its index in
// the plan and, if it has no row, its name.
type plannedRun struct {
	at      []int
	index   int
	missing string
}

// warnings returns a warning with the number of missing runs, or the name of a single one; nothing
// if none is missing.
func (r usedRuns) warnings() []string {
	n, last := 0, ""
	for _, missing := range r {
		if missing != "" {
			n, last = n+1, missing
		}
	}
	switch n {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("1 of %d runs is missing: %s", len(r), last)}
	default:
		return []string{fmt.Sprintf("%d of %d runs are missing", n, len(r))}
	}
}
