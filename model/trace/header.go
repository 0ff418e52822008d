// Header: reading and changing the comments at the head of a trace.

package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Header is the comment at the head of a trace: lines such as "; MaxProcs: 128". A line without a
// directive continues the one before.
type Header struct {
	Lines []string // as they stand in the file, their mark included, without line ends
}

// directive splits a line of a header; the value is printable. The key is empty where the line has
// none: where it is indented, as continued lines are, or no colon directly follows its first word.
func directive(line string) (key, value string) {
	text := strings.TrimPrefix(strings.TrimLeft(line, ";#"), " ")
	key, value, found := strings.Cut(text, ":")
	if !found || key == "" || strings.ContainsAny(key, " \t") {
		return "", strings.TrimSpace(Printable(text))
	}
	return key, strings.TrimSpace(Printable(value))
}

// Value returns the value of a key such as Computer, in any case, and whether the header has the
// key. Of several lines with the key the first counts; continued lines do not extend the value.
func (h *Header) Value(key string) (string, bool) {
	i := h.find(key)
	if i < 0 {
		return "", false
	}
	_, value := directive(h.Lines[i])
	return value, true
}

// number returns the whole number that the value of a key begins with: 338 of "MaxNodes: 338 (batch
// partition; 512 total)". It is false where there is none.
func (h *Header) number(key string) (int64, bool) {
	value, found := h.Value(key)
	if !found {
		return 0, false
	}
	end := 0
	for end < len(value) && (value[end] >= '0' && value[end] <= '9' || end == 0 && value[end] == '-') {
		end++
	}
	n, err := strconv.ParseInt(value[:end], 10, 64)
	return n, err == nil
}

// procsKeys are the directives that have the processors of the machine.
var procsKeys = []string{"MaxProcs", "MaxNodes"}

// Procs returns the processors of the machine by the header, MaxProcs or else MaxNodes, and which
// of the two it is; 0 and "" where neither is above 0.
func (h *Header) Procs() (procs int64, key string) {
	for _, key := range procsKeys {
		if n, found := h.number(key); found && n > 0 {
			return n, key
		}
	}
	return 0, ""
}

// WhyNoProcs returns what is wrong with a header of which Procs is 0.
func (h *Header) WhyNoProcs() string {
	for _, key := range procsKeys {
		if i := h.find(key); i >= 0 {
			return fmt.Sprintf("the line %q of its header has no number of processors from 1 on, such as %s: 128",
				shortened([]byte(Printable(h.Lines[i]))), key)
		}
	}
	return "its header has neither MaxProcs nor MaxNodes"
}

// Acknowledgement returns the acknowledgement that results of the trace must show: the values of
// Acknowledge and Copyright, with their continued lines. It is empty where the header has neither.
func (h *Header) Acknowledgement() string {
	var texts []string
	within := false
	for _, line := range h.Lines {
		key, value := directive(line)
		if key != "" {
			within = strings.EqualFold(key, "Acknowledge") || strings.EqualFold(key, "Copyright")
		}
		if within && value != "" {
			texts = append(texts, value)
		}
	}
	return strings.Join(texts, " ")
}

// Set gives a key its value, in place of the first line that has the key, else in a new line at the
// end. The mark is that of the format.
func (h *Header) Set(format Format, key, value string) {
	if i := h.find(key); i >= 0 {
		h.Lines[i] = headerLine(format, key, value)
		return
	}
	h.Add(format, key, value)
}

// Add adds a line with the key at the end, such as a further Note. The mark is that of the format.
func (h *Header) Add(format Format, key, value string) {
	h.Lines = append(h.Lines, headerLine(format, key, value))
}

// headerLine returns a line of a header. It replaces line ends in the value, which may be a
// command, by spaces.
func headerLine(format Format, key, value string) string {
	return format.mark() + " " + key + ": " + strings.NewReplacer("\n", " ", "\r", " ").Replace(value)
}

// Cut adapts the header to the jobs taken from a trace: MaxJobs and MaxRecords, where it has them,
// become the number of jobs. The dates in words are removed: StartTime where submits were shifted,
// EndTime where jobs were changed: selected, shifted or scaled. MoveStart adapts UnixStartTime.
func (h *Header) Cut(format Format, jobs int, changed, shifted bool) {
	for _, key := range []string{"MaxJobs", "MaxRecords"} {
		if h.find(key) >= 0 {
			h.Set(format, key, strconv.Itoa(jobs))
		}
	}
	if changed {
		h.remove("EndTime")
	}
	if shifted {
		h.remove("StartTime")
	}
}

// find returns the index of the first line that has the key; -1 where none has.
func (h *Header) find(key string) int {
	return slices.IndexFunc(h.Lines, func(line string) bool {
		k, _ := directive(line)
		return k != "" && strings.EqualFold(k, key)
	})
}

func (h *Header) remove(key string) {
	if i := h.find(key); i >= 0 {
		h.Lines = slices.Delete(h.Lines, i, i+1)
	}
}
