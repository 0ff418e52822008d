package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSubmittedJobs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "0123")
	if all, err := ReadSubmitted(dir); all != nil || err != nil {
		t.Fatalf("before the first: %v, error %v", all, err)
	}
	want := []Submitted{
		{
			Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Command: "gridsweep submit a",
			Array: Job{ID: "1"}, Finish: &Job{ID: "2"},
		},
		{Time: time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC), Command: "gridsweep submit a", Array: Job{"3", "north"}},
	}
	for _, one := range want {
		if err := AddSubmitted(dir, one); err != nil {
			t.Fatal(err)
		}
	}
	have, err := ReadSubmitted(dir)
	if diff := cmp.Diff(want, have); diff != "" || err != nil {
		t.Error(err, diff)
	}
	path := filepath.Join(dir, JobsFile)
	if err := os.WriteFile(path, []byte("[{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := AddSubmitted(dir, want[0]); err == nil || !strings.Contains(err.Error(), path+" is no list of jobs") {
		t.Errorf("damaged: error %v", err)
	}
}
