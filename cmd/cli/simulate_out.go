package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"gridsweep/pipeline/workspace"
)

// outName returns the file of a policy's schedule: the name given, with the policy in it where there are several.
func outName(path, policy string, several bool) string {
	if !several {
		return path
	}
	ending := filepath.Ext(path)
	return strings.TrimSuffix(path, ending) + "." + fileName(policy) + ending
}

// fileName returns a policy as part of a file's name: easy-2 for easy:2.
func fileName(policy string) string { return strings.ReplaceAll(policy, ":", "-") }

// metadata says how the schedule of a policy is made.
func (t *terminal) metadata(o *simulateOptions, s *simulated, policy string) map[string]string {
	program := t.program()
	return map[string]string{
		"gridsweep.version":      program.Version,
		"gridsweep.commit":       program.Commit,
		"gridsweep.trace":        s.Trace.Name,
		"gridsweep.trace_sha256": s.Trace.Checksum,
		"gridsweep.policy":       policy,
		"gridsweep.command":      program.Command,
		"gridsweep.procs":        strconv.Itoa(int(s.Config.Procs)),
		"gridsweep.order":        o.cluster.order,
		"gridsweep.estimates":    s.Estimates.String(),
		"gridsweep.seed":         strconv.FormatInt(o.cluster.seed, 10),
		"gridsweep.overrun":      o.cluster.overrun,
		"gridsweep.instant":      o.cluster.instant,
		"gridsweep.pivot":        o.cluster.pivot,
		"gridsweep.partitions":   strings.Join(o.cluster.partitions, ","),
		"gridsweep.reservations": o.cluster.reservations,
	}
}

// notes say how the schedule of a policy is made, in the header of a trace.
func (t *terminal) notes(s *simulated, policy string) []string {
	return []string{
		fmt.Sprintf("simulated by gridsweep %s, policy %s, on %d processors; waits and run times are of this simulation",
			workspace.Version, policy, s.Config.Procs),
		fmt.Sprintf("trace %s, SHA-256 %s", filepath.Base(s.Trace.Name), s.Trace.Checksum),
		"status 0 is a job killed at its estimate, 1 any other; command: " + t.commandLine(),
	}
}
