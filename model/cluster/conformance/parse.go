// Parser: reading a scenario file, with errors that name the file and the line.

package conformance

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gridsweep/model/cluster"
)

// The heads of a scenario's tables.
const (
	jobHead         = "job submit run estimate procs" // see isJobHead
	reservationHead = "reservation from to procs"
	scheduleHead    = "job start end"
)

// jobFields is the number of columns of jobHead.
const jobFields = 5

// isJobHead reports whether a head is that of a table of jobs, which may lack priority and user:
// then these are 0.
func isJobHead(head string) bool {
	more, isJobs := strings.CutPrefix(head, jobHead)
	return isJobs && slices.Contains([]string{"", " priority", " user", " priority user"}, more)
}

// Parse reads a scenario file in the grammar of docs/reference/conformance/README.md. Its errors
// have the name of the file and the line.
func Parse(name string, r io.Reader) (*Scenario, error) {
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	p := &parser{name: name, scenario: &Scenario{Name: strings.TrimSuffix(base, ".txt")}}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		p.line++
		if err := p.read(strings.TrimSpace(lines.Text())); err != nil {
			return nil, p.wrap(err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.line++ // the end of the file
	if err := p.end(); err != nil {
		return nil, p.wrap(err)
	}
	return p.scenario, nil
}

// parser reads a scenario file line by line.
type parser struct {
	name     string
	line     int
	scenario *Scenario
	head     string          // of the present table; empty outside of tables
	text     []string        // comments that no line of procs and no schedule has taken yet
	pending  []Configuration // of the next schedule
}

func (p *parser) wrap(err error) error { return fmt.Errorf("%s:%d: %w", p.name, p.line, err) }

func (p *parser) read(line string) error {
	s := p.scenario
	fields := strings.Fields(line)
	switch {
	case line == "":
		return p.endTable()
	case strings.HasPrefix(line, "#"):
		p.text = append(p.text, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
		return nil
	case p.head != "":
		return p.row(fields)
	case fields[0] == "procs" && len(fields) == 2:
		if s.Procs > 0 {
			return fmt.Errorf("procs occurs twice")
		}
		procs, err := strconv.ParseInt(fields[1], 10, 32)
		if err != nil || procs < 1 {
			return fmt.Errorf("procs %q: write the machine's number of processors, from 1", fields[1])
		}
		s.Procs, s.Text, p.text = int32(procs), p.text, nil
		return nil
	case strings.HasPrefix(line, "policy="):
		c, err := ParseConfiguration(line)
		if err != nil {
			return err
		}
		if s.has(c) || c.isAmong(p.pending) {
			return fmt.Errorf("%s occurs twice", c)
		}
		p.pending = append(p.pending, c)
		return nil
	}
	return p.beginTable(strings.Join(fields, " "))
}

func (p *parser) beginTable(head string) error {
	s := p.scenario
	switch {
	case isJobHead(head):
		if s.Procs == 0 || len(s.Jobs) > 0 {
			return fmt.Errorf("one table of jobs, after the line of procs")
		}
	case head == reservationHead:
		if len(s.Jobs) == 0 || len(s.Reservations) > 0 || len(s.Blocks) > 0 {
			return fmt.Errorf("one table of reservations, between the jobs and the schedules")
		}
	case head == scheduleHead:
		if len(s.Jobs) == 0 || len(p.pending) == 0 {
			return fmt.Errorf("a schedule comes after the jobs and after a line that begins with policy=")
		}
		s.Blocks = append(s.Blocks, Block{Configurations: p.pending, Text: p.text})
		p.pending, p.text = nil, nil
	default:
		return fmt.Errorf("%q: neither procs N, nor policy=..., nor the head of a table: %q (then priority, user), "+
			"%q or %q", head, jobHead, reservationHead, scheduleHead)
	}
	p.head = head
	return nil
}

func (p *parser) row(fields []string) error {
	heads := strings.Fields(p.head)
	if len(fields) != len(heads) {
		return fmt.Errorf("%d fields, want %d: %s", len(fields), len(heads), p.head)
	}
	numbers := make([]int64, len(fields))
	for i, field := range fields {
		bits := 64
		if heads[i] == "procs" || i >= jobFields {
			bits = 32
		}
		number, err := strconv.ParseInt(field, 10, bits)
		if err != nil {
			return fmt.Errorf("%s %q is not a whole number of %d bits", heads[i], field, bits)
		}
		numbers[i] = number
	}
	s := p.scenario
	if isJobHead(p.head) {
		job := cluster.Job{Submit: numbers[1], Run: numbers[2], Estimate: numbers[3], Procs: int32(numbers[4])}
		for i, number := range numbers[jobFields:] {
			if heads[jobFields+i] == "user" {
				job.User = int32(number)
			} else {
				job.Priority = int32(number)
			}
		}
		s.Jobs = append(s.Jobs, job)
		return checkNumber(numbers[0], len(s.Jobs))
	}
	if p.head == reservationHead {
		reservation := cluster.Reservation{From: numbers[1], To: numbers[2], Procs: int32(numbers[3])}
		s.Reservations = append(s.Reservations, reservation)
		return checkNumber(numbers[0], len(s.Reservations))
	}
	schedule := &s.Blocks[len(s.Blocks)-1].Schedule
	schedule.Start = append(schedule.Start, numbers[1])
	schedule.End = append(schedule.End, numbers[2])
	return checkNumber(numbers[0], len(schedule.Start))
}

func checkNumber(have int64, want int) error {
	if have != int64(want) {
		return fmt.Errorf("number %d, want %d: rows are numbered from 1", have, want)
	}
	return nil
}

func (p *parser) endTable() error {
	if p.head == scheduleHead {
		if have, want := len(p.scenario.Blocks[len(p.scenario.Blocks)-1].Schedule.Start), len(p.scenario.Jobs); have != want {
			return fmt.Errorf("a schedule of %d jobs, want all %d", have, want)
		}
	}
	p.head = ""
	return nil
}

// end ends the file. It returns an error unless the scenario is complete.
func (p *parser) end() error {
	if err := p.endTable(); err != nil {
		return err
	}
	s := p.scenario
	switch {
	case len(s.Text) == 0 || s.Text[0] == "":
		return fmt.Errorf("no title: begin with # and what the scenario shows")
	case len(s.Jobs) == 0:
		return fmt.Errorf("no jobs")
	case len(p.pending) > 0:
		return fmt.Errorf("%s has no schedule after it", p.pending[0])
	case len(p.text) > 0:
		return fmt.Errorf("text %q belongs to nothing after it", p.text[0])
	case len(s.Blocks) == 0:
		return fmt.Errorf("no schedules")
	}
	return nil
}

// has reports whether the scenario has a schedule of a configuration.
func (s *Scenario) has(c Configuration) bool {
	return slices.ContainsFunc(s.Blocks, func(b Block) bool { return c.isAmong(b.Configurations) })
}
