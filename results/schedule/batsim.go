// Schedules as the jobs.csv of Batsim, which evalys plots.

package schedule

import (
	"fmt"
	"strconv"
)

// batsimHead are the columns of the file jobs.csv of Batsim 4
// (https://batsim.readthedocs.io/en/latest/output-jobs.html), which evalys reads.
const batsimHead = "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time," +
	"success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch," +
	"allocated_resources,consumed_energy,metadata\n"

// batsimWorkload is the name that Batsim gives the first workload of a simulation.
const batsimWorkload = "w0"

// Batsim returns the schedule as the jobs.csv that Batsim writes and evalys plots. A job gets the
// lowest processors that are free at its start, as by Assign: the simulation counts processors. A
// killed job has reached its walltime. It returns the error of Assign.
func (s *Schedule) Batsim(machine int32) ([]byte, error) {
	processors, err := Assign(s.Schedule, machine)
	if err != nil {
		return nil, fmt.Errorf("number the processors: %w", err)
	}
	text := append(make([]byte, 0, 150*s.Len()), batsimHead...)
	integer := func(n int64) { text = append(strconv.AppendInt(text, n, 10), ',') }
	word := func(w string) { text = append(append(text, w...), ',') }
	for i, id := range s.ID {
		run, response := s.End[i]-s.Start[i], s.End[i]-s.Submit[i]
		requested, success, state := run, "1", "COMPLETED_SUCCESSFULLY"
		if s.Estimate != nil {
			requested = s.Estimate[i]
		}
		if s.Killed != nil && s.Killed[i] {
			success, state = "0", "COMPLETED_WALLTIME_REACHED"
		}
		integer(id)
		word(batsimWorkload)
		text = append(text, "run"...)
		integer(run) // the name of the profile, such as run100
		integer(s.Submit[i])
		integer(int64(s.Procs[i]))
		integer(requested)
		word(success)
		word(state)
		integer(s.Start[i])
		integer(run)
		integer(s.End[i])
		integer(response - run)
		integer(response)
		text = append(strconv.AppendFloat(text, float64(response)/float64(run), 'g', -1, 64), ',')
		text = appendIntervals(text, processors.Of(i))
		text = append(text, ",-1,\n"...)
	}
	return text, nil
}

// appendIntervals writes processors as Batsim does: 0-3 7.
func appendIntervals(text []byte, intervals []Interval) []byte {
	for k, interval := range intervals {
		if k > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(interval.First), 10)
		if interval.Last > interval.First {
			text = strconv.AppendInt(append(text, '-'), int64(interval.Last), 10)
		}
	}
	return text
}
