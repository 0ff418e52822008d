// Tests of labels that are numbers of an axis.

package study

import "testing"

// TestScale checks which labels are numbers of an axis, and in which unit.
func TestScale(t *testing.T) {
	cases := []struct {
		labels []string
		unit   string
		first  float64
		names  bool
	}{
		{[]string{"0.30", "1"}, "", 0.3, false},
		{[]string{"15min", "2h"}, "s", 900, false},
		{[]string{"15 min", "2 h"}, "s", 900, false},
		{[]string{"1A", "1E"}, "", 0, true},
		{[]string{"ask", "2h"}, "", 0, true},
		{[]string{"nan", "1"}, "", 0, true},
	}
	for _, c := range cases {
		var labels []Label
		for _, text := range c.labels {
			labels = append(labels, NewLabel(text))
		}
		scale, unit := Scale(labels)
		if (scale == nil) != c.names || unit != c.unit || !c.names && scale[0] != c.first {
			t.Errorf("%v: %v in %q", c.labels, scale, unit)
		}
	}
}
