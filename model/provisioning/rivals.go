// Rivals: the other searches whose plans a run's front is compared with.

package provisioning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rivals parses the parameter rivals: searches separated by semicolons, each a list of the settings
// in which it differs from the run, separated by commas, such as "scheduler=heft,population=50". It
// returns the parameters of each search, and an error for an unknown setting or a wrong value.
func rivals(p SlotsParameters) ([]SlotsParameters, error) {
	if p.Rivals == "" {
		return nil, nil
	}
	var all []SlotsParameters
	for text := range strings.SplitSeq(p.Rivals, ";") {
		rival := p
		for setting := range strings.SplitSeq(text, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(setting), "=")
			if err := rival.set(name, value); err != nil {
				return nil, err
			}
		}
		all = append(all, rival)
	}
	return all, nil
}

// set changes a parameter of the search. The error names a wrong name or value.
func (p *SlotsParameters) set(name, value string) (err error) {
	word := func(target *string, words ...string) {
		if *target = value; !slices.Contains(words, value) {
			err = fmt.Errorf("%s=%s: want one of %s", name, value, strings.Join(words, ", "))
		}
	}
	number := func(target *int64, low, high int64) {
		var bad error
		if *target, bad = strconv.ParseInt(value, 10, 64); bad != nil || *target < low || *target > high {
			err = fmt.Errorf("%s=%s: want a whole number from %d to %d", name, value, low, high)
		}
	}
	switch name {
	case "scheduler":
		word(&p.Scheduler, schedulers...)
	case "elitism":
		word(&p.Elitism, "archive", "breeding")
	case "population":
		number(&p.Population, 1, 10_000)
	case "generations":
		number(&p.Generations, 0, 10_000)
	case "crossover":
		number(&p.Crossover, 1, 3)
	case "mutation":
		var bad error
		if p.Mutation, bad = strconv.ParseFloat(value, 64); bad != nil || !(p.Mutation >= 0 && p.Mutation <= 1000) {
			err = fmt.Errorf("%s=%s: want a number from 0 to 1000", name, value)
		}
	default:
		err = fmt.Errorf("%q: want settings such as scheduler=heft, of scheduler, population, generations, crossover, "+
			"mutation or elitism", name)
	}
	return err
}
