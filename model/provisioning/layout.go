// Layout: when and on which processors tasks run on a plan, for Gantt charts.

package provisioning

import (
	"cmp"
	"slices"

	"gridsweep/model"
)

// A placement is the time and the slots of a task on a plan.
type placement struct {
	task        int32
	start, end  int64        // s
	allocations []allocation // by slot
}

// layout returns where the tasks are on a plan, by their numbers; none if it is infeasible.
func (s *scheduler) layout(p plan) []placement {
	tasks := make([]placement, s.workflow.tasks())
	s.placed = func(task int32, start, end int64, allocations []allocation) {
		allocations = slices.SortedFunc(slices.Values(allocations),
			func(a, b allocation) int { return cmp.Compare(a.slot, b.slot) })
		tasks[task] = placement{task: task, start: start, end: end, allocations: allocations}
	}
	_, ok := s.schedule(p)
	s.placed = nil
	if !ok {
		return nil
	}
	return tasks
}

// chart returns the rectangles of a Gantt chart: slots, and over them the tasks of a layout. Tasks
// get the lowest-numbered free processors of their slots in the order of their starts, which they
// keep to their ends. Processors are those of each slot, numbered from 0 and ascending.
func chart(slots []slot, processors [][]int32, chosen plan, layout []placement) []ChartRow {
	var rows []ChartRow
	for i := range slots {
		shows := "offered"
		if chosen.has(i) {
			shows = "chosen"
		}
		rows = appendRectangles(rows, ChartRow{Shows: shows, Number: int64(i + 1),
			Start: model.Seconds(slots[i].start), End: model.Seconds(slots[i].end)}, processors[i])
	}
	ordered := slices.Clone(layout)
	slices.SortStableFunc(ordered, func(a, b placement) int { return cmp.Compare(a.start, b.start) })
	ends := make([][]int64, len(slots)) // of the last task of each processor
	for i := range ends {
		ends[i] = make([]int64, len(processors[i]))
	}
	for _, t := range ordered {
		var taken []int32
		for _, allocation := range t.allocations {
			left := allocation.procs
			for i := 0; left > 0; i++ {
				if last := &ends[allocation.slot][i]; *last <= t.start {
					*last = t.end
					taken = append(taken, processors[allocation.slot][i])
					left--
				}
			}
		}
		task := ChartRow{Shows: "task", Number: int64(t.task) + 1, Start: model.Seconds(t.start), End: model.Seconds(t.end)}
		rows = appendRectangles(rows, task, taken)
	}
	return rows
}

// appendRectangles appends one row for each run of neighbouring processors.
func appendRectangles(rows []ChartRow, row ChartRow, processors []int32) []ChartRow {
	slices.Sort(processors)
	for from := 0; from < len(processors); {
		past := from + 1
		for past < len(processors) && processors[past] == processors[past-1]+1 {
			past++
		}
		row.Rectangle++
		row.Processor, row.Procs = int64(processors[from])+1, int64(past-from)
		rows = append(rows, row)
		from = past
	}
	return rows
}
