// Log tests: segments of equal length, and the date of second 0.

package trace

import (
	"slices"
	"testing"
)

// Segments begin at the first submit that is kept. A segment counts only if the log's last submit
// reaches its end.
func TestSegments(t *testing.T) {
	l := &Log{Header: &Header{}, Jobs: []Job{
		{ID: 1, Submit: 0, Run: 0, Procs: 1}, // dropped by cleaning
		{ID: 2, Submit: 130, Run: 5, Procs: 1},
		{ID: 3, Submit: 100, Run: 5, Procs: 1},
		{ID: 4, Submit: 199, Run: 5, Procs: 1},
		{ID: 5, Submit: 200, Run: 5, Procs: 2},
		{ID: 6, Submit: 329, Run: 5, Procs: 1},
		{ID: 7, Submit: 900, Run: -1, Procs: 1}, // dropped by cleaning
	}}
	for length, want := range map[int64]int64{1: 229, 100: 2, 114: 2, 115: 1, 229: 1, 230: 0, 0: 0, -5: 0} {
		if segments := l.Segments(Rules{}, length); segments != want {
			t.Errorf("%d segments of %d s, want %d", segments, length, want)
		}
	}
	if segments := l.Segments(Rules{Procs: 1}, 99); segments != 2 {
		t.Errorf("%d segments on one processor, want 2", segments)
	}
	var ids, submits []int64
	for segment := range l.Segments(Rules{}, 100) {
		for _, j := range l.Segment(Rules{}, 100, segment) {
			ids, submits = append(ids, j.ID), append(submits, j.Submit)
		}
	}
	if want := []int64{3, 2, 4, 5}; !slices.Equal(ids, want) || !slices.Equal(submits, []int64{0, 30, 99, 0}) {
		t.Errorf("the segments have the jobs %v, submitted at %v, want %v", ids, submits, want)
	}
	if segments := (&Log{}).Segments(Rules{}, 100); segments != 0 {
		t.Errorf("a log without jobs has %d segments, want 0", segments)
	}
}

// Second 0 has a date where the header has one, or where submits are dates themselves.
func TestStart(t *testing.T) {
	for _, c := range []struct {
		lines []string
		first int64
		want  int64
		dated bool
	}{
		{nil, 0, 0, false},
		{[]string{"; UnixStartTime: 835823160"}, 0, 835823160, true},
		{[]string{"# UnixStartTime: 1109023862"}, 1109023862, 0, true},
		{nil, 1109023862, 0, true},
	} {
		l := &Log{Jobs: []Job{{Submit: c.first, Run: 1, Procs: 1}}, Header: &Header{Lines: c.lines}}
		if start, dated := l.Start(); start != c.want || dated != c.dated {
			t.Errorf("%q, first submit %d: second 0 at %d (%t), want %d", c.lines, c.first, start, dated, c.want)
		}
	}
}
