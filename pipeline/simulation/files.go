// The names and metadata of files of schedules, and measures as rows of CSV.

package simulation

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// FileOf returns the file of a policy's schedule: the path, with the policy inserted if there are
// several.
func FileOf(path, policy string, several bool) string {
	if !several {
		return path
	}
	ending := filepath.Ext(path)
	return strings.TrimSuffix(path, ending) + "." + FileName(policy) + ending
}

// FileName returns a policy for use in a file name: easy-2 for easy:2. Blanks and characters that
// separate folders, or that Windows reserves, become hyphens.
func FileName(policy string) string {
	return strings.Map(func(c rune) rune {
		if c <= ' ' || strings.ContainsRune(`:/\*?"<>|`, c) {
			return '-'
		}
		return c
	}, policy)
}

// Source is the program that made schedules, with its command and options.
type Source struct {
	Version, Commit, Command string
	Options                  Options
}

// Metadata returns the metadata of the Parquet file of a policy's schedule.
func (s *Simulation) Metadata(source Source, policy string) map[string]string {
	o := source.Options
	return map[string]string{
		"gridsweep.version":      source.Version,
		"gridsweep.commit":       source.Commit,
		"gridsweep.trace":        s.Trace.Name,
		"gridsweep.trace_sha256": s.Trace.Checksum,
		"gridsweep.policy":       policy,
		"gridsweep.command":      source.Command,
		"gridsweep.procs":        strconv.Itoa(int(s.Config.Procs)),
		"gridsweep.order":        o.Order,
		"gridsweep.estimates":    s.Estimates.String(),
		"gridsweep.seed":         strconv.FormatInt(o.Seed, 10),
		"gridsweep.overrun":      o.Overrun,
		"gridsweep.instant":      o.Instant,
		"gridsweep.pivot":        o.Pivot,
		"gridsweep.partitions":   strings.Join(o.Partitions, ","),
		"gridsweep.reservations": o.Reservations,
	}
}

// Notes returns the notes for the header of an SWF file with a policy's schedule.
func (s *Simulation) Notes(source Source, policy string) []string {
	return []string{
		fmt.Sprintf("simulated by gridsweep %s, policy %s, on %d processors; waits and run times are of this simulation",
			source.Version, policy, s.Config.Procs),
		fmt.Sprintf("trace %s, SHA-256 %s", filepath.Base(s.Trace.Name), s.Trace.Checksum),
		"status 0 is a job killed at its estimate, 1 any other; command: " + source.Command,
	}
}

// Rows returns the measures of outcomes as rows of CSV: one for each policy or, if jobs were
// measured in groups, for each policy and group. The first row names the columns.
func (s *Simulation) Rows(outcomes []*Outcome) [][]string {
	var rows [][]string
	add := func(policy string, group []string, list []Measure) {
		heads := []string{"trace", "sha256", "procs", "policy"}
		if group != nil {
			heads = append(heads, "by", "group")
		}
		row := append([]string{s.Trace.Name, s.Trace.Checksum, strconv.Itoa(int(s.Config.Procs)), policy}, group...)
		for _, m := range list {
			heads, row = append(heads, m.Name), append(row, m.exact())
		}
		if rows == nil {
			rows = append(rows, heads)
		}
		rows = append(rows, row)
	}
	for _, outcome := range outcomes {
		if len(s.By) == 0 {
			add(outcome.Policy, nil, Measures(outcome.Summary))
		}
		for _, by := range s.By {
			for _, group := range outcome.Groups(by) {
				add(outcome.Policy, []string{by, group.Name}, MeasuresOfGroup(group.Group))
			}
		}
	}
	return rows
}
