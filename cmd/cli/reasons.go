// Notes on why runs of a submission are missing, from the cluster's accounting of its tasks.

package cli

import (
	"context"
	"fmt"
	"strings"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/workspace"
)

// noteReasons prints how the tasks of incomplete plans ended, from the cluster's accounting. It is
// advice: tasks for which the accounting gives no answer are left out.
func (t *terminal) noteReasons(
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
		lines = append(lines, fmt.Sprintf("%s ended as %s: %s", things(len(tasks[way]), "task"), way, shortened(tasks[way])))
	}
	return lines
}

// shortened lists the first of some names.
func shortened(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and others"
}
