// Mean tests: quotients, and divisors of 0 and below.

package metrics

import "testing"

// TestMean checks means and percentages, which are nil where the divisor is not above 0.
func TestMean(t *testing.T) {
	if m := Mean(6, int64(4)); m == nil || *m != 1.5 {
		t.Errorf("6 / 4 is %v, want 1.5", m)
	}
	if p := Percent(1, 8.0); p == nil || *p != 12.5 {
		t.Errorf("1 of 8 is %v %%, want 12.5", p)
	}
	if Mean(6, 0.0) != nil || Percent(3, int64(0)) != nil || Percent(3, int64(-1)) != nil {
		t.Error("a quotient by 0 or less is not nil")
	}
}
