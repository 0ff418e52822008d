package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"gridsweep/pipeline/workspace"
	"gridsweep/results"
	"gridsweep/results/schedule"
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
func (t *terminal) metadata(o *simulateOptions, s *simulation, policy string) map[string]string {
	program := t.program()
	return map[string]string{
		"gridsweep.version":      program.Version,
		"gridsweep.commit":       program.Commit,
		"gridsweep.trace":        s.trace.name,
		"gridsweep.trace_sha256": s.trace.checksum,
		"gridsweep.policy":       policy,
		"gridsweep.command":      program.Command,
		"gridsweep.procs":        strconv.Itoa(int(s.config.Procs)),
		"gridsweep.order":        o.cluster.order,
		"gridsweep.estimates":    s.estimates.String(),
		"gridsweep.seed":         strconv.FormatInt(o.cluster.seed, 10),
		"gridsweep.overrun":      o.cluster.overrun,
		"gridsweep.instant":      o.cluster.instant,
		"gridsweep.pivot":        o.cluster.pivot,
		"gridsweep.partitions":   strings.Join(o.cluster.partitions, ","),
		"gridsweep.reservations": o.cluster.reservations,
	}
}

// writeSchedule writes the schedule of the policy simulated last.
func (t *terminal) writeSchedule(
	ctx context.Context, o *simulateOptions, s *simulation, made *schedule.Schedule, path string,
) error {
	if s.format == schedule.CSV {
		return results.WriteFile(path, made.CSV())
	}
	policy := s.outcomes[len(s.outcomes)-1].policy
	made.Estimate, made.Killed = make([]int64, made.Len()), make([]bool, made.Len())
	for i := range s.jobs {
		made.Estimate[i] = s.jobs[i].Estimate
		made.Killed[i] = made.End[i]-made.Start[i] < s.jobs[i].Run
	}
	switch s.format {
	case schedule.Parquet:
		return made.WriteParquet(ctx, path, t.metadata(o, s, policy))
	case schedule.SWF:
		l := s.trace
		notes := []string{
			fmt.Sprintf("simulated by gridsweep %s, policy %s, on %d processors; waits and run times are of this simulation",
				workspace.Version, policy, s.config.Procs),
			fmt.Sprintf("trace %s, SHA-256 %s", filepath.Base(l.name), l.checksum),
			"status 0 is a job killed at its estimate, 1 any other; command: " + t.commandLine(),
		}
		text, err := made.SWF(l.jobs, l.header, l.names, l.format, notes)
		if err != nil {
			return err
		}
		return results.WriteFile(path, text)
	default:
		text, err := made.Batsim(s.config.Procs)
		if err != nil {
			return err
		}
		return results.WriteFile(path, text)
	}
}
