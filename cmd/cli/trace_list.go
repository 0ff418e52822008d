// Command trace list: the catalogue of traces and where they were found.

package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"gridsweep/pipeline/traces"
)

func newTraceList(t *terminal) *cobra.Command {
	var format string
	var catalogue catalogueFlag
	c := &cobra.Command{
		Use:   "list",
		Short: "List the catalogue of traces, and where they were found",
		Long: `List the catalogue: the traces that the papers use, which window of each a paper uses, and the file that was
found for it; then your own traces. The command looks for traces in the folder of $GRIDSWEEP_TRACES, in ./traces and in
the user's cache, and for your own traces also beside the file traces.yaml that names them. A file without the
recorded checksum is an error.` + ownCatalogue,
		Example: `  gridsweep trace list
  gridsweep trace list --format json
  gridsweep trace list --catalogue my-study/traces.yaml`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if folder := os.Getenv(traces.FolderVariable); folder != "" && folder != traces.NoFolder {
				if info, err := os.Stat(folder); err != nil || !info.IsDir() {
					t.note("$%s names %s, which is no folder: no trace is found there", traces.FolderVariable, folder)
				}
			}
			known, err := catalogue.read(c.Context())
			if err != nil {
				return err
			}
			entries, err := traces.Entries(c.Context(), known)
			if c.Context().Err() != nil {
				return c.Context().Err()
			}
			return errors.Join(t.printCatalogue(entries, format), err)
		},
	}
	catalogue.addTo(t, c)
	addFormat(c, &format)
	return c
}

// jobsOf returns the number of jobs in the format of shown; empty if it is unknown.
func jobsOf(r traces.Entry, shown func(int) string) string {
	if r.Jobs == nil {
		return ""
	}
	return shown(*r.Jobs)
}

// usesOf returns which paper uses which window of a trace, with a separator between papers.
func usesOf(r traces.Entry, between string) string {
	texts := make([]string, len(r.Used))
	for i, use := range r.Used {
		texts[i] = use.Paper + ": " + use.Window
	}
	return strings.Join(texts, between)
}

func (t *terminal) printCatalogue(entries []traces.Entry, format string) error {
	rows := [][]string{{
		"name", "title", "format", "jobs", "clusters", "found", "state", "sha256", "used", "page", "address",
	}}
	for _, r := range entries {
		rows = append(rows, []string{
			r.Name, r.Title, r.Format, jobsOf(r, strconv.Itoa), strings.Trim(fmt.Sprint(r.Clusters), "[]"), r.Found, r.State,
			r.Checksum, usesOf(r, "; "), r.Page, r.Address,
		})
	}
	return t.print(format, entries, rows, func() {
		writer := t.table()
		writer.AppendHeader(table.Row{"name", "title", "jobs", "found", "checksum", "used by"})
		writer.SetColumnConfigs([]table.ColumnConfig{{Number: 3, Align: text.AlignRight}})
		for _, r := range entries {
			found, checksum := r.Found, r.State
			switch {
			case found == "":
				found, checksum = traces.StateMissing, ""
			case r.Checksum != "":
				checksum = r.Checksum[:12] + ", " + r.State
			}
			writer.AppendRow(table.Row{r.Name, r.Title, jobsOf(r, count), found, checksum, usesOf(r, "\n")})
		}
		writer.Render()
	})
}
