// Command trace convert: a trace in another format, cleaned and cut.

package cli

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"gridsweep/model/trace"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
)

func newTraceConvert(t *terminal) *cobra.Command {
	var flags traceFlags
	var as string
	var clean bool
	c := &cobra.Command{
		Use:   "convert IN|- OUT|-",
		Short: "Convert a trace between formats and packings, or cut a window out of it",
		Long: `Write a trace in the format of the extension of OUT, .swf or .gwf, packed if .gz or .zst follows. All jobs
are kept. With --clean, or a flag that chooses or changes jobs, those that no simulation could run are left
out, as in other commands. A note on stderr names data for which the new format has no field.`,
		Example: `  gridsweep trace convert das2.gwf das2.swf.gz
  gridsweep trace convert log.swf.bz2 - --as gwf | less
  gridsweep trace convert sharcnet.gwf month9.swf --months 9 --shift`,
		Args: needsCounted(2, "two files, the trace and the one to write"),
		RunE: func(c *cobra.Command, args []string) error {
			to, err := formatFor(as, args[1])
			if err != nil {
				return err
			}
			if _, err := traces.Pack(args[1], io.Discard); err != nil { // .bz2 is only read
				return usageError(err)
			}
			l, err := flags.read(c.Context(), t, args[0])
			if err != nil {
				return err
			}
			if err := notTheTrace(l, args[1]); err != nil {
				return err
			}
			if clean || flags.keepPartial || slices.ContainsFunc(traceSelecting, c.Flags().Changed) {
				if err := flags.clean(t, l); err != nil {
					return err
				}
				l.Header.Add(l.Format, "Note", "jobs chosen by: "+t.commandLine())
			}
			if l.Rounded > 0 {
				t.note("%s: memory is rounded to whole KB: %s read have a fraction", l.Name, things(l.Rounded, "job"))
			}
			return t.convert(c.Context(), l, to, args[1])
		},
	}
	flags.addFlags(t, c)
	c.Flags().StringVar(&as, "as", "", "format to write, `swf or gwf` (default: by the extension of OUT)")
	c.Flags().BoolVar(&clean, "clean", false, "leave out jobs that no simulation could run")
	return c
}

// formatFor returns the format to write: by name, else by the extension of the path.
func formatFor(as, path string) (trace.Format, error) {
	if as != "" {
		format, err := trace.ParseFormat(as)
		if err != nil {
			return format, wrongChoice("as", as, usageErrorf("--as: %w", err))
		}
		return format, nil
	}
	format, err := traces.FormatOf(path)
	if err != nil {
		return format, usageErrorf("%w, or give --as", err)
	}
	return format, nil
}

// convert writes the trace in the format.
func (t *terminal) convert(ctx context.Context, l *traces.Trace, to trace.Format, path string) error {
	from := l.Format
	var lost []string
	l.Header, l.Names, lost = trace.Convert(l.Jobs, l.Header, l.Names, from, to)
	l.Format = to
	if to == trace.SWF && from == trace.GWF { // whose submits may be seconds since 1970
		trace.StartAtZero(l.Jobs, l.Header)
	}
	for _, what := range lost {
		t.note("%s: lost in the new format: %s", l.Name, what)
	}
	return t.writeTrace(ctx, path, l)
}

// writeTrace writes a trace to standard output or to a file, which it replaces and notes.
func (t *terminal) writeTrace(ctx context.Context, path string, l *traces.Trace) error {
	if path == "-" {
		return l.Write(ctx, t.out, path)
	}
	write := func(w io.Writer) error { return l.Write(ctx, w, path) }
	if err := results.WriteStream(path, true, write); err != nil {
		return err
	}
	t.note("%s: %s in %s", l.Name, things(len(l.Jobs), "job"), path)
	return nil
}
