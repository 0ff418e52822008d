// Best effort: running the workflow's tasks as ordinary jobs of the cluster.

package provisioning

import (
	"context"
	"fmt"
	"slices"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/des"
)

// execution has the times at which the tasks of a workflow run as jobs of the cluster, in s from
// its submission.
type execution struct {
	starts, ends []int64 // of each task
	makespan     int64   // the last end
}

// taskSimulation is a simulation of the workflow as jobs among those of the background, in s from
// its submission.
type taskSimulation struct {
	background *background
	workflow   *workflow
	site       *cluster.Site
	begin      int64 // second of the log at which the workflow is submitted
	next       int   // first background job that is still to come

	unended   []int32          // how many parents of each task have not ended
	ready     []int32          // tasks to be submitted in this second
	running   des.Queue[int32] // tasks that have been submitted, by their ends
	execution execution
}

// bestEffort runs the workflow, submitted at a second of the log, on the machine of the background:
// background jobs keep their bookings, later ones are submitted as without the workflow, and a task
// is submitted when all its parents have ended (section 5). Its errors are those of a task that is
// larger than the machine, and of ctx.
func bestEffort(ctx context.Context, b *background, begin int64, w *workflow) (*execution, error) {
	s := &taskSimulation{
		background: b, workflow: w, begin: begin, unended: make([]int32, w.tasks()),
		execution: execution{starts: make([]int64, w.tasks()), ends: make([]int64, w.tasks())},
	}
	for task := range int32(w.tasks()) {
		if s.unended[task] = int32(len(w.parents.of(task))); s.unended[task] == 0 {
			s.ready = append(s.ready, task)
		}
	}
	if err := s.fork(); err != nil {
		return nil, err
	}
	for now, seconds := int64(0), 0; ; seconds++ {
		if model.Cancelled(ctx, seconds) {
			return nil, ctx.Err()
		}
		if err := s.second(now); err != nil {
			return nil, err
		}
		end := s.running.Time()
		if end == des.Never {
			return &s.execution, nil
		}
		now = min(end, s.site.Next())
		if s.next < len(b.jobs) {
			now = min(now, b.jobs[s.next].submit-begin)
		}
	}
}

// fork makes a machine with the state of the background when the workflow is submitted.
func (s *taskSimulation) fork() (err error) {
	if s.site, err = cluster.New(siteConfig(&s.background.point)); err != nil {
		return err
	}
	var live []reservation
	live, s.next = s.background.schedule(s.begin)
	for i := range live {
		r := &live[i]
		start := max(0, r.start) // of one that runs, what is left
		job := cluster.Job{Run: r.jobEnd - start, Estimate: r.end - start, Procs: r.procs}
		if _, err := s.site.Adopt(0, job, start, r.processors); err != nil {
			panic("provisioning: the machine cannot hold what it has booked: " + err.Error())
		}
	}
	return nil
}

// second simulates one second: ends of jobs and tasks, submits of background jobs, submits of tasks
// whose parents have ended, then a pass of the machine.
func (s *taskSimulation) second(now int64) (err error) {
	s.site.Finish(now)
	if s.next, err = s.background.submit(s.site, s.begin, now, s.next); err != nil {
		return err
	}
	s.end(now)
	first := 0 // the machine's number of the first of these tasks; the others follow
	for i, task := range s.ready {
		number, err := s.site.Submit(now, cluster.Job{Run: s.workflow.run(task, 0), Procs: s.workflow.procs[task]})
		if err != nil {
			return fmt.Errorf("task %d: %w", task+1, err)
		}
		first = number - i
	}
	s.site.Pass(now)
	for i, task := range s.ready {
		start := s.site.Booked(first + i)
		end := start + s.workflow.run(task, 0)
		s.execution.starts[task], s.execution.ends[task] = start, end
		s.execution.makespan = max(s.execution.makespan, end)
		s.running.Push(end, 0, task)
	}
	s.ready = s.ready[:0]
	return nil
}

// end ends the tasks that end now, and makes those of their children ready whose parents have all
// ended, by number.
func (s *taskSimulation) end(now int64) {
	for s.running.Time() <= now {
		task, _ := s.running.Next()
		for _, child := range s.workflow.children.of(task) {
			if s.unended[child.task]--; s.unended[child.task] == 0 {
				s.ready = append(s.ready, child.task)
			}
		}
	}
	slices.Sort(s.ready)
}
