package analysis

// Notes on planned runs that have no rows.

import (
	"fmt"
	"maps"
)

// shortfall records which of the runs behind some numbers have no rows.
type shortfall struct {
	missing map[int]bool // by the run's number in the plan
	name    string       // of a missing run
}

// plannedRun is a run of an observation: its levels along the experiment's dimensions, its number
// in the plan and, if it has no row, its name.
type plannedRun struct {
	at      []int
	number  int
	missing string
}

func (s *shortfall) count(run plannedRun) {
	if s.missing == nil {
		s.missing = map[int]bool{}
	}
	s.missing[run.number] = run.missing != ""
	if run.missing != "" {
		s.name = run.missing
	}
}

// add adds the runs of another shortfall; a run of both counts once.
func (s *shortfall) add(other shortfall) {
	if s.missing == nil {
		s.missing = map[int]bool{}
	}
	maps.Copy(s.missing, other.missing)
	if other.name != "" {
		s.name = other.name
	}
}

// warnings returns a warning with the number of missing runs, or the name of a single one; nothing
// if none is missing.
func (s *shortfall) warnings() []string {
	n := 0
	for _, isMissing := range s.missing {
		if isMissing {
			n++
		}
	}
	switch n {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("1 of %d runs is missing: %s", len(s.missing), s.name)}
	default:
		return []string{fmt.Sprintf("%d of %d runs are missing", n, len(s.missing))}
	}
}
