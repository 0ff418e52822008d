// The files of submitted jobs: they are read back in the order of submission, beside other files,
// and refused when damaged.

package batch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Jobs of one second are in the order of their ids.
func TestSubmittedJobs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "0123")
	if all, err := ReadSubmitted(dir); all != nil || err != nil {
		t.Fatalf("before the first: %v, error %v", all, err)
	}
	want := []Submitted{ // in their order
		{
			Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Command: "gridsweep submit a",
			Array: Job{ID: "1"}, Finish: &Job{ID: "2"},
		},
		{Time: time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC), Command: "gridsweep submit a", Array: Job{"3", "../south"}},
		{Time: time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC), Command: "gridsweep submit a", Array: Job{"3", "north"}},
		{Time: time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC), Command: "gridsweep submit b", Array: Job{ID: "9"}},
		{Time: time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC), Command: "gridsweep submit b", Array: Job{ID: "10"}},
		{Time: time.Date(2026, 1, 2, 3, 5, 6, 0, time.UTC), Command: "gridsweep submit b", Array: Job{ID: "8"}},
	}
	for _, one := range slices.Backward(want) {
		if err := AddSubmitted(dir, one); err != nil {
			t.Fatal(err)
		}
	}
	have, err := ReadSubmitted(dir)
	if diff := cmp.Diff(want, have); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for _, name := range []string{"plan.json", "jobs-5.txt", ".jobs-5.json123"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if again, err := ReadSubmitted(dir); err != nil || len(again) != len(want) {
		t.Errorf("with other files: %v, error %v", again, err)
	}
	path := filepath.Join(dir, "jobs-5.json")
	if err := os.WriteFile(path, []byte("[{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSubmitted(dir); err == nil || !strings.Contains(err.Error(), path+" is no record of jobs") {
		t.Errorf("damaged: error %v", err)
	}
}
