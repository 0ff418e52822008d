// Formats: the names of trace formats and their detection.

package trace

import (
	"bytes"
	"fmt"
	"strings"
)

// Format is a format of traces.
type Format int

// The formats. Detect is for reading only: the format is that of the first line that is a job's.
const (
	Detect Format = iota
	SWF           // Standard Workload Format, 18 fields
	GWF           // Grid Workload Format, 29 fields
)

// String returns the format's name as people write it in file names: swf, gwf; detect.
func (f Format) String() string { return [...]string{"detect", "swf", "gwf"}[f] }

// FormatNames lists the names that ParseFormat understands.
func FormatNames() []string { return []string{SWF.String(), GWF.String()} }

// ParseFormat returns the format of that name, in any case. It returns an error that lists the
// names for any other.
func ParseFormat(name string) (Format, error) {
	switch strings.ToLower(name) {
	case "swf":
		return SWF, nil
	case "gwf":
		return GWF, nil
	}
	return Detect, fmt.Errorf("unknown format %q: it must be swf or gwf", name)
}

// fieldCount returns the number of fields of a line.
func (f Format) fieldCount() int { return [...]int{0, len(swfFields), len(gwfFields)}[f] }

// title returns the full name of the format.
func (f Format) title() string {
	return [...]string{"", "Standard Workload Format", "Grid Workload Format"}[f]
}

// mark returns the beginning of comments.
func (f Format) mark() string { return [...]string{"", ";", "#"}[f] }

// detect returns the format of a job's line: by its number of tabs, between which texts may be
// empty, else by its number of fields, else by the mark of the comments before it.
func detect(line []byte, header *Header) Format {
	switch n := (&scanner{line: line}).count(); {
	case bytes.Count(line, []byte{'\t'}) == len(gwfFields)-1, n == len(gwfFields):
		return GWF
	case n == len(swfFields):
		return SWF
	case len(header.Lines) == 0:
		return Detect
	case strings.HasPrefix(header.Lines[0], "#"):
		return GWF
	}
	return SWF
}

// field has the name of a field of a format and the values that it may have.
type field struct{ name, want string }

const (
	wantNumber  = "a whole number"
	wantSeconds = "a whole number of seconds"
	wantKB      = "a number such as 142 or 142.5, less than 2^62"
	wantSmall   = "a whole number from -2147483648 to 2147483647"
	wantStatus  = "a whole number from -128 to 127"
	wantDecimal = "a number such as 142 or 142.5"
	wantText    = "text without control characters"
)

var swfFields = [18]field{
	{"job number", wantNumber}, {"submit time", wantSeconds}, {"wait time", wantSeconds}, {"run time", wantSeconds},
	{"allocated processors", wantSmall}, {"average CPU time", wantDecimal}, {"used memory", wantNumber},
	{"requested processors", wantSmall}, {"requested time", wantSeconds}, {"requested memory", wantNumber},
	{"status", wantStatus}, {"user", wantSmall}, {"group", wantSmall}, {"executable", wantSmall}, {"queue", wantSmall},
	{"partition", wantSmall}, {"preceding job", wantNumber}, {"think time", wantSeconds},
}

var gwfFields = [29]field{
	{"JobID", wantNumber}, {"SubmitTime", wantSeconds}, {"WaitTime", wantSeconds}, {"RunTime", wantSeconds},
	{"NProcs", wantSmall}, {"AverageCPUTimeUsed", wantDecimal}, {"UsedMemory", wantKB}, {"ReqNProcs", wantSmall},
	{"ReqTime", wantSeconds}, {"ReqMemory", wantKB}, {"Status", wantStatus}, {"UserID", wantText},
	{"GroupID", wantText}, {"ExecutableID", wantText}, {"QueueID", wantText}, {"PartitionID", wantText},
	{"OrigSiteID", wantText}, {"LastRunSiteID", wantText}, {"JobStructure", wantText}, {"JobStructureParams", wantText},
	{"UsedNetwork", wantText}, {"UsedLocalDiskSpace", wantText}, {"UsedResources", wantText}, {"ReqPlatform", wantText},
	{"ReqNetwork", wantText}, {"ReqLocalDiskSpace", wantText}, {"ReqResources", wantText}, {"VOID", wantText},
	{"ProjectID", wantText},
}
