package cli

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

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
		Short: "Convert a trace between formats and packings, or cut a piece out of it",
		Long: `Write a trace in the format that the ending of OUT names, .swf or .gwf, packed if .gz or .zst follows. The jobs
stay as they are; --clean leaves out those that no simulation could run, as other commands do, and so does every
flag that chooses or changes jobs. What the new format has no field for is said on stderr.`,
		Example: `  gridsweep trace convert das2.gwf das2.swf.gz
  gridsweep trace convert log.swf.bz2 - --as gwf | less
  gridsweep trace convert sharcnet.gwf month9.swf --months 9 --shift`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageErrorf("%s needs two files, the trace and the one to write, not %d; see %s --help",
					c.CommandPath(), len(args), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			to, err := formatFor(as, args[1])
			if err != nil {
				return err
			}
			if _, err := traces.Pack(args[1], io.Discard); err != nil {
				return usageError(err)
			}
			l, err := flags.read(c.Context(), t, args[0])
			if err != nil {
				return err
			}
			if err := l.notTheTrace(args[1]); err != nil {
				return err
			}
			if clean || flags.keepPartial || slices.ContainsFunc(traceSelecting, c.Flags().Changed) {
				if err := flags.clean(t, l); err != nil {
					return err
				}
				l.header.Add(l.format, "Note", "jobs chosen by: "+t.commandLine())
			}
			if l.rounded > 0 {
				t.note("%s: memory is rounded to whole KB: %s read have a fraction", l.name, things(l.rounded, "job"))
			}
			return t.convert(c.Context(), l, to, args[1])
		},
	}
	flags.addFlags(t, c)
	c.Flags().StringVar(&as, "as", "", "format to write, `swf or gwf` (default: by the ending of OUT)")
	c.Flags().BoolVar(&clean, "clean", false, "leave out jobs that no simulation could run")
	return c
}

// formatFor returns the format to write: by name, else by the ending of the path.
func formatFor(as, path string) (trace.Format, error) {
	if as != "" {
		format, err := trace.ParseFormat(as)
		if err != nil {
			return format, wrongChoice("as", as, usageErrorf("--as: %w", err))
		}
		return format, nil
	}
	name := strings.ToLower(filepath.Base(path))
	for _, packed := range []string{".gz", ".zst", ".bz2"} {
		name = strings.TrimSuffix(name, packed)
	}
	format, err := trace.ParseFormat(strings.TrimPrefix(filepath.Ext(name), "."))
	if err != nil {
		return format, usageErrorf("%s: its ending names no format: write .swf or .gwf, perhaps with .gz or .zst behind it, "+
			"or give --as", path)
	}
	return format, nil
}

// convert writes the trace in the format.
func (t *terminal) convert(ctx context.Context, l *loadedTrace, to trace.Format, path string) error {
	header, names, lost := trace.Convert(l.jobs, l.header, l.names, l.format, to)
	if to == trace.SWF && l.format == trace.GWF {
		trace.StartAtZero(l.jobs, header)
	}
	for _, what := range lost {
		t.note("%s: lost in the new format: %s", l.name, what)
	}
	if path == "-" {
		return writeTrace(ctx, t.out, path, l.jobs, header, names, to)
	}
	var packed bytes.Buffer
	if err := writeTrace(ctx, &packed, path, l.jobs, header, names, to); err != nil {
		return err
	}
	if err := results.WriteFile(path, packed.Bytes()); err != nil {
		return err
	}
	t.note("%s: %s in %s", l.name, things(len(l.jobs), "job"), path)
	return nil
}

// writeTrace writes a trace, packed as the ending of the path says. It returns ctx's error where that is done.
func writeTrace(
	ctx context.Context, to io.Writer, path string,
	jobs []trace.Job, header *trace.Header, names *trace.Names, format trace.Format,
) error {
	packing, err := traces.Pack(path, to)
	if err != nil {
		return err
	}
	w := trace.NewWriter(packing, format, header, names)
	const between = 1 << 12 // a few milliseconds
	for i := range jobs {
		if i%between == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := w.Write(&jobs[i]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return packing.Close()
}
