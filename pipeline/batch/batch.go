// Package batch connects gridsweep with the batch schedulers of clusters. It finds out which task
// of which array job this process is, by the environment variables of the scheduler, makes the
// files of a submission from the templates of a scheduler, and submits jobs to Slurm.
//
// A task reads nothing from the scheduler but the numbers of its array and a name for logs. Which
// runs are done is read from the dataset, never from the scheduler.
package batch

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Task is one task of an array job.
type Task struct {
	Index int // index of the task, from 0, even if the scheduler counts from 1

	scheduler scheduler
	numbers   map[string]int // numbers of the array, by the scheduler's variables that are set
}

// Find returns the task that this process is, by the variables of its scheduler. It returns an
// error if the variables of no scheduler or of two are set, if they are not numbers, or if the
// task's number is below the first that is expected.
func Find() (Task, error) {
	var found []scheduler
	for _, s := range schedulers() {
		if _, isTask := s.taskNumber(); isTask {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return Task{}, outsideOfArrays()
	case 1:
		return found[0].task()
	default:
		first, second := found[0], found[1]
		return Task{}, fmt.Errorf("the variables of two schedulers are set, %s of %s and %s of %s: "+
			"unset the one that does not run this task", first.index, first.name, second.index, second.name)
	}
}

// outsideOfArrays is the error of a process that is not a task of an array.
func outsideOfArrays() error {
	where := "there is no array job here"
	if job := JobName(); job != "" {
		where = "the job " + job + " is no task of an array"
	}
	var names []string
	for _, s := range schedulers() {
		names = append(names, s.index+" of "+s.name)
	}
	return fmt.Errorf("%s: none of %s is set; submit an array, or write i/n", where, strings.Join(names, ", "))
}

// task reads the scheduler's variables.
func (s scheduler) task() (Task, error) {
	text, _ := s.taskNumber()
	number, err := strconv.Atoi(text)
	if err != nil {
		return Task{}, fmt.Errorf("%s=%s is not a whole number: %s sets it to the number of the task", s.index, text, s.name)
	}
	if number < s.base {
		return Task{}, fmt.Errorf("%s=%d: number the tasks from %d: %s", s.index, number, s.base, s.array)
	}
	task := Task{Index: number - s.base, scheduler: s, numbers: map[string]int{}}
	for _, name := range []string{s.first, s.last, s.step, s.size} {
		text := os.Getenv(name)
		if name == "" || text == "" {
			continue
		}
		if task.numbers[name], err = strconv.Atoi(text); err != nil {
			return Task{}, fmt.Errorf("%s=%s is not a whole number: %s sets it for every task of an array", name, text, s.name)
		}
	}
	return task, nil
}

// Shard returns the number of the task, from 0, among count tasks, and the count. With count 0 that
// is the number of the array's tasks; it is an error if the scheduler does not determine it. It is
// also an error if the array has tasks beyond the count.
func (t Task) Shard(count int) (index, tasks int, err error) {
	s := t.scheduler
	if count == 0 {
		if count, err = t.count(); err != nil {
			return 0, 0, err
		}
	}
	highest := count - 1 + s.base
	last, hasLast := t.numbers[s.last]
	size := t.numbers[s.size]
	switch {
	case hasLast && last > highest:
		return 0, 0, fmt.Errorf("%s=%d, but the last of %d tasks is number %d: %s", s.last, last, count, highest, s.array)
	case !hasLast && size > count:
		return 0, 0, fmt.Errorf("%s=%d, but there is work for %d tasks: %s", s.size, size, count, s.array)
	case t.Index >= count:
		return 0, 0, fmt.Errorf("%s=%d, but the last of %d tasks is number %d: %s",
			s.index, t.Index+s.base, count, highest, s.array)
	}
	return t.Index, count, nil
}

// count returns the number of the array's tasks, if they are numbered without gaps from the
// scheduler's first number.
func (t Task) count() (int, error) {
	s := t.scheduler
	first, hasFirst := t.numbers[s.first]
	last := t.numbers[s.last]
	step, hasStep := t.numbers[s.step]
	size, hasSize := t.numbers[s.size]
	variable := cmp.Or(s.last, s.size) // tells the number of tasks
	const advice = "; write the number of tasks, env/N"
	switch _, isSet := t.numbers[variable]; {
	case variable == "":
		return 0, fmt.Errorf("%s sets no variable with the number of tasks%s", s.name, advice)
	case !isSet:
		return 0, fmt.Errorf("%s is not set%s", variable, advice)
	case variable == s.size:
		return size, nil
	case hasFirst && first != s.base:
		return 0, fmt.Errorf("%s=%d, but the first of all tasks is number %d%s", s.first, first, s.base, advice)
	case hasStep && step != 1:
		return 0, fmt.Errorf("%s=%d: an array with gaps is not all tasks%s", s.step, step, advice)
	case hasSize && size != last-s.base+1:
		return 0, fmt.Errorf("%s=%d, but the tasks up to %s=%d are %d: an array with gaps is not all tasks%s",
			s.size, size, s.last, last, last-s.base+1, advice)
	}
	return last - s.base + 1, nil
}

// JobName returns the scheduler and its name of the job that this process belongs to, such as
// "slurm 123_4", with or without an array. It is empty outside of jobs. It is for people and logs;
// no program parses it.
func JobName() string {
	for _, s := range schedulers() {
		if name := s.jobName(); name != "" {
			return s.word + " " + name
		}
	}
	return ""
}
