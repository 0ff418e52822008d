package provisioning

// Best effort: running the workflow's tasks as ordinary jobs of the cluster.

import (
	"context"
	"fmt"
	"slices"

	"gridsweep/model/cluster"
	"gridsweep/model/des"
)

// execution has the times at which the tasks of a workflow run as jobs of the cluster, in s from
// its submission.
type execution struct {
	starts, ends []int64 // of each task
	makespan     int64   // the last end
}

// effort is a simulation of the workflow as jobs among those of the background, in s from its
// submission.
type effort struct {
	background *background
	workflow   *workflow
	site       *cluster.Site
	begin      int64 // second of the log at which the workflow is submitted
	next       int   // first background job that is still to come

	waiting []int32          // parents of each task that have not ended
	ready   []int32          // tasks to be submitted in this second
	running des.Queue[int32] // tasks that have been submitted, by their ends
	done    execution
}

// bestEffort runs the workflow, submitted at a second of the log, on the machine of the background:
// background jobs keep their bookings, later ones are submitted as without the workflow, and a task
// is submitted when all its parents have ended (section 5). Its errors are those of a task that is
// larger than the machine, and of ctx.
func bestEffort(ctx context.Context, b *background, begin int64, w *workflow) (*execution, error) {
	e := &effort{
		background: b, workflow: w, begin: begin, waiting: make([]int32, w.tasks()),
		done: execution{starts: make([]int64, w.tasks()), ends: make([]int64, w.tasks())},
	}
	for task := range int32(w.tasks()) {
		if e.waiting[task] = int32(len(w.parents.of(task))); e.waiting[task] == 0 {
			e.ready = append(e.ready, task)
		}
	}
	if err := e.fork(); err != nil {
		return nil, err
	}
	for now, seconds := int64(0), 0; ; seconds++ {
		if seconds%between == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := e.second(now); err != nil {
			return nil, err
		}
		last, _, _, ok := e.running.Peek()
		if !ok {
			return &e.done, nil
		}
		now = min(last, e.site.Next())
		if e.next < len(b.jobs) {
			now = min(now, b.jobs[e.next].submit-begin)
		}
	}
}

// fork makes a machine with the state of the background when the workflow is submitted.
func (e *effort) fork() (err error) {
	k := &e.background.machine
	if e.site, err = cluster.New(siteConfig(k.nodes, k.numbering)); err != nil {
		return err
	}
	var live []reservation
	live, e.next = e.background.schedule(e.begin)
	for i := range live {
		r := &live[i]
		start := max(0, r.start) // of one that runs, what is left
		job := cluster.Job{Run: r.jobEnd - start, Estimate: r.end - start, Procs: r.procs}
		if _, err := e.site.Adopt(0, job, start, r.processors); err != nil {
			panic("provisioning: the machine cannot hold what it has booked: " + err.Error())
		}
	}
	return nil
}

// second simulates one second: ends of jobs and tasks, submits of background jobs, submits of tasks
// whose parents have ended, then a pass of the machine.
func (e *effort) second(now int64) (err error) {
	e.site.Finish(now)
	if e.next, err = e.background.submit(e.site, e.begin, now, e.next); err != nil {
		return err
	}
	e.end(now)
	first := 0 // number of the first of them on the machine
	for i, task := range e.ready {
		number, err := e.site.Submit(now, cluster.Job{Run: e.workflow.run(task, 0), Procs: e.workflow.procs[task]})
		if err != nil {
			return fmt.Errorf("task %d: %w", task+1, err)
		}
		first = number - i
	}
	e.site.Pass(now)
	for i, task := range e.ready {
		start := e.site.Booked(first + i)
		end := start + e.workflow.run(task, 0)
		e.done.starts[task], e.done.ends[task] = start, end
		e.done.makespan = max(e.done.makespan, end)
		e.running.Push(end, 0, task)
	}
	e.ready = e.ready[:0]
	return nil
}

// end ends the tasks that end now, and makes those of their children ready whose parents have all
// ended, by number.
func (e *effort) end(now int64) {
	for {
		t, _, task, ok := e.running.Peek()
		if !ok || t > now {
			break
		}
		e.running.Next()
		for _, child := range e.workflow.children.of(task) {
			if e.waiting[child.task]--; e.waiting[child.task] == 0 {
				e.ready = append(e.ready, child.task)
			}
		}
	}
	slices.Sort(e.ready)
}
