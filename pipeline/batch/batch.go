// Package batch is how gridsweep meets the schedulers of clusters: which task of which array job
// this process is, by the variables that the scheduler sets, and how jobs are submitted to Slurm.
//
// Its one idea is that a scheduler is told as little as possible and believed as little as
// possible: a task learns its number and nothing else, and what was done is read from the results,
// never from the scheduler.
package batch

import (
	"fmt"
	"strconv"
	"strings"
)

// Lookup returns the value of an environment variable and whether it is set, as os.LookupEnv does.
type Lookup func(name string) (value string, set bool)

// Task is one task of an array job.
type Task struct {
	Job   string // for people and logs, as JobName
	Index int    // from 0, whatever the scheduler counts from

	scheduler scheduler
	limits    limits
}

// limits are what a scheduler says of the array that a task belongs to. What it does not say is
// nil.
type limits struct{ first, last, step, size *int }

// Find returns the task that this process is, by the variables of the one scheduler that runs it.
// It is an error where none does, where variables of two are set, and where they are not the
// numbers that they should be.
func Find(lookup Lookup) (Task, error) {
	var found []scheduler
	for _, s := range schedulers() {
		if _, isTask := s.taskNumber(lookup); isTask {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return Task{}, outsideOfArrays(lookup)
	case 1:
		return found[0].task(lookup)
	default:
		first, second := found[0], found[1]
		return Task{}, fmt.Errorf("the variables of two schedulers are set, %s of %s and %s of %s: "+
			"unset the one that does not run this task", first.index, first.name, second.index, second.name)
	}
}

// outsideOfArrays is the error of a process that is no task of an array.
func outsideOfArrays(lookup Lookup) error {
	where := "there is no array job here"
	if job := JobName(lookup); job != "" {
		where = "the job " + job + " is no task of an array"
	}
	var names []string
	for _, s := range schedulers() {
		names = append(names, s.index+" of "+s.name)
	}
	return fmt.Errorf("%s: none of %s is set; submit an array, or write i/n", where, strings.Join(names, ", "))
}

// task reads the scheduler's variables.
func (s scheduler) task(lookup Lookup) (Task, error) {
	text, _ := s.taskNumber(lookup)
	number, err := strconv.Atoi(text)
	if err != nil {
		return Task{}, fmt.Errorf("%s=%s is not a whole number: %s sets it to the number of the task", s.index, text, s.name)
	}
	if number < s.base {
		return Task{}, fmt.Errorf("%s=%d: number the tasks from %d: %s", s.index, number, s.base, s.array)
	}
	task := Task{Job: JobName(lookup), Index: number - s.base, scheduler: s}
	for _, variable := range []struct {
		name string
		to   **int
	}{
		{s.first, &task.limits.first}, {s.last, &task.limits.last}, {s.step, &task.limits.step}, {s.size, &task.limits.size},
	} {
		text, set := lookup(variable.name)
		if variable.name == "" || !set || text == "" {
			continue
		}
		number, err := strconv.Atoi(text)
		if err != nil {
			return Task{}, fmt.Errorf("%s=%s is not a whole number: %s sets it for every task of an array",
				variable.name, text, s.name)
		}
		*variable.to = &number
	}
	return task, nil
}

// Shard returns the task's place among so many, from 0, and their number. With count 0 there are as
// many as the scheduler says that the array has tasks; it is an error where it does not say so for
// certain. It is also an error where the array has a task that is not among the count.
func (t Task) Shard(count int) (index, of int, err error) {
	s, l := t.scheduler, t.limits
	if count == 0 {
		if count, err = t.count(); err != nil {
			return 0, 0, err
		}
	}
	highest := count - 1 + s.base
	switch {
	case l.last != nil && *l.last > highest:
		return 0, 0, fmt.Errorf("%s=%d, but the last of %d tasks is number %d: %s", s.last, *l.last, count, highest, s.array)
	case l.last == nil && l.size != nil && *l.size > count:
		return 0, 0, fmt.Errorf("%s=%d, but there is work for %d tasks: %s", s.size, *l.size, count, s.array)
	case t.Index >= count:
		return 0, 0, fmt.Errorf("%s=%d, but the last of %d tasks is number %d: %s",
			s.index, t.Index+s.base, count, highest, s.array)
	}
	return t.Index, count, nil
}

// count returns how many tasks the array has, if they are numbered without gaps from the
// scheduler's first number.
func (t Task) count() (int, error) {
	s, l := t.scheduler, t.limits
	const advice = "; write how many parts there are, env/N"
	switch {
	case s.last == "" && s.size == "":
		return 0, fmt.Errorf("%s does not tell a task how many there are%s", s.name, advice)
	case s.last != "" && l.last == nil:
		return 0, fmt.Errorf("%s is not set%s", s.last, advice)
	case s.last == "" && l.size == nil:
		return 0, fmt.Errorf("%s is not set%s", s.size, advice)
	case s.last == "":
		return *l.size, nil
	case l.first != nil && *l.first != s.base:
		return 0, fmt.Errorf("%s=%d, but the first of all tasks is number %d%s", s.first, *l.first, s.base, advice)
	case l.step != nil && *l.step != 1:
		return 0, fmt.Errorf("%s=%d: an array with gaps is not all tasks%s", s.step, *l.step, advice)
	case l.size != nil && *l.size != *l.last-s.base+1:
		return 0, fmt.Errorf("%s=%d, but the tasks up to %s=%d are %d: an array with gaps is not all tasks%s",
			s.size, *l.size, s.last, *l.last, *l.last-s.base+1, advice)
	}
	return *l.last - s.base + 1, nil
}

// JobName returns the scheduler and its own name of the job that this process belongs to, such as
// "slurm 123_4", array or not; it is empty outside of jobs. It is for people: nothing is read out
// of it again.
func JobName(lookup Lookup) string {
	for _, s := range schedulers() {
		if name := s.job(lookup); name != "" {
			return s.word + " " + name
		}
	}
	return ""
}
