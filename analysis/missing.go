package analysis

// Notes on planned runs that have no rows.

import (
	"fmt"
	"maps"
)

// usedRuns are the runs behind some numbers.
type usedRuns struct {
	lacks map[int]bool // by the run's number in the plan: whether it has no rows
	name  string       // name of a run without rows
}

// plannedRun is a run of an observation: its levels along the experiment's dimensions, its number
// in the plan and, if it has no row, its name.
type plannedRun struct {
	at      []int
	number  int
	missing string
}

func (r *usedRuns) count(run plannedRun) {
	if r.lacks == nil {
		r.lacks = map[int]bool{}
	}
	r.lacks[run.number] = run.missing != ""
	if run.missing != "" {
		r.name = run.missing
	}
}

// add adds the runs behind other numbers; a run of both counts once.
func (r *usedRuns) add(other usedRuns) {
	if r.lacks == nil {
		r.lacks = map[int]bool{}
	}
	maps.Copy(r.lacks, other.lacks)
	if other.name != "" {
		r.name = other.name
	}
}

// warnings returns a warning with the number of missing runs, or the name of a single one; nothing
// if none is missing.
func (r *usedRuns) warnings() []string {
	n := 0
	for _, isMissing := range r.lacks {
		if isMissing {
			n++
		}
	}
	switch n {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("1 of %d runs is missing: %s", len(r.lacks), r.name)}
	default:
		return []string{fmt.Sprintf("%d of %d runs are missing", n, len(r.lacks))}
	}
}
