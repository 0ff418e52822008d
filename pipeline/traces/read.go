// Traces that a command names: the file, the jobs, and the removal of those that are not
// simulated.

package traces

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gridsweep/configs"
	"gridsweep/model/trace"
)

// Trace is a trace with all its jobs, as it was read or drawn or, after Clean, cleaned.
type Trace struct {
	Name     string // its path, standard input, or the workload model
	Checksum string // SHA-256 of the file as it is stored
	Format   trace.Format
	Header   *trace.Header
	Names    *trace.Names // names of users and so on; nil if the jobs have only numbers
	Jobs     []trace.Job
	Skipped  []trace.Step // lines that are no jobs
	Rounded  int          // jobs whose memory lost a fraction of a KB
	Read     int          // jobs before cleaning and selection; Clean sets it
	Steps    []trace.Step // steps of cleaning and selection

	Procs     int64  // processors of the machine; 0 if not known
	ProcsFrom string // the header's field that says so: MaxProcs, MaxNodes or empty
}

// ReadTrace reads a trace: the file of a path, or stdin for "-". The error names the first line
// that is no job, unless the options leave such lines out.
func ReadTrace(ctx context.Context, path string, stdin io.Reader, options trace.Options) (*Trace, error) {
	file, err := Open(ctx, path, stdin)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := trace.NewReader(file, file.Name(), options)
	l := &Trace{Name: file.Name(), Header: reader.Header()}
	if l.Jobs, err = reader.ReadAll(); err != nil {
		if line := new(trace.LineError); errors.As(err, &line) {
			if reader.Format() != trace.Detect { // else even the first line is no job
				err = fmt.Errorf("%w\n--lenient leaves such lines out and counts them", err)
			}
			err = file.explain(err)
		}
		return nil, err
	}
	l.Format, l.Names, l.Skipped, l.Checksum = reader.Format(), reader.Names(), reader.Skipped(), file.Checksum()
	l.Rounded = reader.Rounded()
	l.Procs, l.ProcsFrom = l.Header.Procs()
	return l, nil
}

// Locate returns the file of a word on the command line: a path, - for standard input or a trace of
// the catalogue. A word with a dot or slash is a path, and so is the name of a file in the working
// folder; the catalogue is read only for others. It returns a *NotFoundError if the trace is in
// none of the folders. If no trace has the name, the error suggests the nearest one. own is the
// catalogue to which errors advise to add a trace; empty for the user's.
func Locate(word string, catalogue func() (configs.Catalogue, error), own string) (string, error) {
	if word == "-" || strings.ContainsAny(word, `./\`) {
		return word, nil
	}
	_, statErr := os.Stat(word)
	if statErr == nil {
		return word, nil
	}
	known, err := catalogue()
	if err != nil {
		return "", err
	}
	t, err := known.Find(word)
	path := ""
	if err == nil {
		path, err = FindIn(t, FoldersOf(t)...)
	} else {
		err = fmt.Errorf("%w; %w", statErr, err)
	}
	if err != nil && !errors.As(err, new(*NotFoundError)) {
		return "", fmt.Errorf("there is no file %s; as a trace of the catalogue: %w; %s",
			word, err, HowToAdd(word, own))
	}
	return path, err
}

// Is reports whether the trace was read from the file of a path.
func (l *Trace) Is(path string) bool {
	in, err := os.Stat(l.Name)
	if err != nil {
		return false // standard input
	}
	out, err := os.Stat(path)
	return err == nil && os.SameFile(in, out)
}

// Clean removes the jobs that no simulation can run and those that are not selected. The error is
// of the selection.
func (l *Trace) Clean(keepPartial bool, selection *trace.Selection) (err error) {
	var cleaned, selected trace.Report
	l.Jobs, cleaned = trace.Clean(l.Jobs, trace.Rules{Procs: l.Procs, KeepPartial: keepPartial})
	if l.Jobs, selected, err = selection.Apply(l.Jobs); err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	l.Header.MoveStart(l.Format, selected.Shifted)
	isShifted := selected.Shifted != 0
	isScaled := cmp.Or(selection.ScaleArrivals, 1) != 1 || cmp.Or(selection.ScaleRuntimes, 1) != 1
	l.Header.Cut(l.Format, len(l.Jobs), len(selected.Steps) > 0 || isShifted || isScaled, isShifted)
	l.Read, l.Steps = cleaned.Read, append(cleaned.Steps, selected.Steps...)
	return nil
}

// Number returns the number that the jobs have for a user, site and so on. names are those of all
// users, or sites and so on.
func (l *Trace) Number(text string, names *trace.NameList) (int32, error) {
	if l.Names == nil {
		number, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return 0, fmt.Errorf("write a number, as they are in %s", l.Name)
		}
		return int32(number), nil
	}
	if number, found := names.Find(text); found {
		return number, nil
	}
	const shown = 12
	known := names.All()
	more := ""
	if len(known) > shown {
		known, more = known[:shown], ", ..."
	}
	if len(known) == 0 {
		return 0, fmt.Errorf("%s has none", l.Name)
	}
	return 0, fmt.Errorf("%s does not have it; known are %s%s", l.Name, trace.Printable(strings.Join(known, ", ")), more)
}

// FormatOf returns the format of a file by the ending of its name, without that of a packing.
func FormatOf(path string) (trace.Format, error) {
	name := strings.ToLower(filepath.Base(path))
	for _, packed := range packedEndings {
		name = strings.TrimSuffix(name, packed)
	}
	format, err := trace.ParseFormat(strings.TrimPrefix(filepath.Ext(name), "."))
	if err != nil {
		return format, fmt.Errorf("%s: its ending names no format: write .swf or .gwf, perhaps with .gz or .zst behind it",
			path)
	}
	return format, nil
}

// Write writes the trace in its format to a writer, packed by the ending of the path.
func (l *Trace) Write(ctx context.Context, to io.Writer, path string) error {
	packing, err := Pack(path, to)
	if err != nil {
		return err
	}
	w := trace.NewWriter(packing, l.Format, l.Header, l.Names)
	const between = 1 << 12 // a few milliseconds
	for i := range l.Jobs {
		if i%between == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := w.Write(&l.Jobs[i]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return packing.Close()
}

// ParseMonths reads a range of months such as 9-12 or 3, counted from 1. An empty text is no range.
func ParseMonths(text string) (months [2]int, err error) {
	if text == "" {
		return months, nil
	}
	first, last, ranged := strings.Cut(text, "-")
	if !ranged {
		last = first
	}
	const most = 10_000 // eight centuries
	from, errFrom := strconv.Atoi(first)
	to, errTo := strconv.Atoi(last)
	if errFrom != nil || errTo != nil || from < 1 || to < from || to > most {
		return months, fmt.Errorf("%s: write the first and the last, such as 9-12, counted from 1", text)
	}
	return [2]int{from, to}, nil
}
