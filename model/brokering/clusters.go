// Parameters that are lists: the clusters of a domain, and the memory that jobs require.

package brokering

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gridsweep/model/brokering/pool"
	"gridsweep/model/workload"
)

// parseClusters reads the clusters of a domain, such as "Intel/Linux 72,72,64; AMD/AIX 106": a
// vendor and an operating system, then the CPUs of the clusters of this platform. Only the space
// between platform and CPUs matters. Clocks, memory and disk are left open.
func parseClusters(text string) ([]cluster, error) {
	var clusters []cluster
	for i, entry := range strings.Split(text, ";") {
		entry = strings.TrimSpace(entry)
		name, sizes := entry, ""
		if at := strings.IndexFunc(entry, unicode.IsSpace); at >= 0 {
			name, sizes = entry[:at], entry[at:]
		}
		vendor, system, ok := strings.Cut(name, "/")
		if !ok || !isWord(vendor) || !isWord(system) {
			return nil, fmt.Errorf("entry %d begins with %q, want a vendor and an operating system, "+
				"such as Intel/Linux 72,72; AMD/AIX 106", i+1, name)
		}
		if sizes == "" {
			return nil, fmt.Errorf("%s has no clusters, want their CPUs after a space, such as %s 72,72,64", name, name)
		}
		cpus, err := workload.ParseSizes(strings.TrimSpace(sizes))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, n := range cpus {
			clusters = append(clusters, cluster{platform: pool.Platform{Vendor: vendor, System: system}, cpus: n})
		}
	}
	return clusters, nil
}

// isWord reports whether a text may be a vendor or a system: it can be printed and has no
// separator.
func isWord(text string) bool {
	return text != "" && utf8.ValidString(text) &&
		!strings.ContainsFunc(text, func(r rune) bool { return strings.ContainsRune("/,; ", r) || !unicode.IsPrint(r) })
}

// mostMB bounds the memory that a job requires for each CPU, as that of resources is bounded.
const mostMB = 1e9

// memoryShare is a memory for each CPU with the share of the jobs that require it.
type memoryShare struct {
	memory    int64   // MB
	cumulated float64 // share of the jobs that require this or one before it
}

// parseMix reads a mix of memory, such as "128:0.5,256:0.5": whole MB for each CPU, each with its
// share of the jobs. The shares sum to 1 within 1e-9. Spaces do not matter.
func parseMix(text string) ([]memoryShare, error) {
	var mix []memoryShare
	sum := 0.0
	for i, entry := range strings.Split(text, ",") {
		memory, share, _ := strings.Cut(entry, ":")
		mb, err := strconv.ParseInt(strings.TrimSpace(memory), 10, 64)
		if err != nil || mb < 1 || mb > mostMB {
			return nil, fmt.Errorf("entry %d is %q, want whole MB from 1 to %d, a colon and a share, such as 128:0.5",
				i+1, entry, int64(mostMB))
		}
		s, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
		if err != nil || !(s >= 0 && s <= 1) {
			return nil, fmt.Errorf("entry %d is %q, want MB, a colon and a share from 0 to 1, such as %d:0.5", i+1, entry, mb)
		}
		sum += s
		mix = append(mix, memoryShare{memory: mb, cumulated: sum})
	}
	if !(sum > 1-1e-9 && sum < 1+1e-9) {
		return nil, fmt.Errorf("the shares sum to %v, want 1", sum)
	}
	return mix, nil
}

// memoryAt returns the memory in MB for a uniform number in [0, 1): the first whose cumulated share
// is above it, else the last.
func memoryAt(mix []memoryShare, u float64) int64 {
	for _, m := range mix[:len(mix)-1] {
		if u < m.cumulated {
			return m.memory
		}
	}
	return mix[len(mix)-1].memory
}
