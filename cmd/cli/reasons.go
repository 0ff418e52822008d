// Why runs of a submission are missing, from the cluster's accounting of its tasks.

package cli

import (
	"context"
	"fmt"
	"strings"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/workspace"
)

// printReasons prints how the tasks of incomplete plans ended, from the cluster's accounting. Tasks
// that completed are left out, and those of which the accounting knows nothing.
func (t *terminal) printReasons(
	ctx context.Context, s selection, studies []*workspace.Study, statuses []pipeline.Status,
) {
	checksums := map[string]bool{} // of incomplete plans
	for i, status := range statuses {
		if status.Done < status.Runs() {
			checksums[studies[i].Plan.Checksum()] = true
		}
	}
	if len(checksums) == 0 {
		return
	}
	for _, submitted := range s.Submissions(checksums) {
		for _, line := range endingsInWords(batch.Reasons(ctx, submitted.Arrays)) {
			fmt.Fprintf(t.out, "%s; see %s\n", line, submitted.Logs)
		}
	}
}

// endingsInWords returns a line for each way in which tasks ended, in the order of first
// appearance.
func endingsInWords(endings []batch.Ending) []string {
	var ways []string
	tasks := map[string][]string{}
	for _, ending := range endings {
		way := fmt.Sprintf("%s, exit code %s", ending.State, ending.Exit)
		if tasks[way] == nil {
			ways = append(ways, way)
		}
		tasks[way] = append(tasks[way], ending.Task)
	}
	var lines []string
	for _, way := range ways {
		lines = append(lines, fmt.Sprintf("%s ended as %s: %s", things(len(tasks[way]), "task"), way,
			strings.Join(firstOf(tasks[way], 8), ", ")))
	}
	return lines
}
