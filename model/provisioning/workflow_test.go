// CyberShake test: its number of tasks and its work against the paper.

package provisioning

import "testing"

// Table 1 and Equation 9 as printed on the paper's page 123.
func TestCyberShake(t *testing.T) {
	w := cyberShake()
	if w.tasks() != 8039 || w.work() != 52_460_341 {
		t.Errorf("%d tasks with %d processor-seconds, want 8039 with 52460341", w.tasks(), w.work())
	}
}
