package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/model/columns"
	"gridsweep/pipeline/traces"
)

// The states of a trace's file.
const (
	stateMissing    = "not found"
	stateRecorded   = "recorded"     // has the checksum that FILE.sha256 says
	stateUnrecorded = "not recorded" // there is no FILE.sha256
	stateOther      = "differs"      // has another checksum, or could not be read
)

func newTraceList(t *terminal) *cobra.Command {
	var format string
	var named catalogueFlag
	c := &cobra.Command{
		Use:   "list",
		Short: "List the traces that have names, and where they were found",
		Long: `List the catalogue: the traces that the papers use, which part each paper uses, and the file that was found for
it; then those of your own. Traces are looked for in the folder that $GRIDSWEEP_TRACES names, in ./traces and in the user's
cache, those of your own also beside the file traces.yaml that names them. A file whose checksum is not the
recorded one fails the command.` + ownCatalogue,
		Example: `  gridsweep trace list
  gridsweep trace list --format json
  gridsweep trace list --catalogue my-study/traces.yaml`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			if folder := os.Getenv(traces.FolderVariable); folder != "" {
				if info, err := os.Stat(folder); err != nil || !info.IsDir() {
					t.note("$%s names %s, which is no folder: no trace is found there", traces.FolderVariable, folder)
				}
			}
			catalogue, err := named.read(c.Context())
			if err != nil {
				return err
			}
			var records []traceRecord
			var problems []error
			for _, trace := range catalogue {
				record, err := recordOf(c.Context(), trace)
				if c.Context().Err() != nil {
					return c.Context().Err()
				}
				if err != nil {
					problems = append(problems, err)
				}
				records = append(records, record)
			}
			return errors.Join(append([]error{t.printCatalogue(records, format)}, problems...)...)
		},
	}
	named.addTo(t, c)
	c.Flags().StringVar(&format, "format", "table", "`table`, json or csv")
	return c
}

// traceRecord is a trace of the catalogue and its file. Its JSON has all keys at all times.
type traceRecord struct {
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Format      string     `json:"format"`
	Jobs        *int       `json:"jobs"` // null where the archive does not say
	Clusters    []int      `json:"clusters"`
	Found       string     `json:"found"` // path, or empty
	State       string     `json:"state"`
	Checksum    string     `json:"sha256"` // empty unless it is found
	Used        []traceUse `json:"used"`
	Page        string     `json:"page"`
	Address     string     `json:"address"`
	Acknowledge string     `json:"acknowledge"`
	Reference   string     `json:"reference"`
}

type traceUse struct {
	Paper string `json:"paper"`
	Part  string `json:"part"`
}

// recordOf looks for a trace. The error is of what was found.
func recordOf(ctx context.Context, trace configs.Trace) (traceRecord, error) {
	record := traceRecord{
		Name: trace.Name.Value, Title: trace.Title.Value, Format: trace.Format.Value, Clusters: trace.Clusters,
		State: stateMissing, Used: []traceUse{}, Page: trace.Page.Value, Address: trace.Address.Value,
		Acknowledge: trace.Acknowledge.Value, Reference: trace.Reference.Value,
	}
	if trace.Jobs > 0 {
		record.Jobs = &trace.Jobs
	}
	for _, use := range trace.Uses {
		record.Used = append(record.Used, traceUse{use.Paper.Value, use.Window.Value})
	}
	path, err := traces.FindIn(trace, traces.FoldersOf(trace)...)
	if errors.As(err, new(*traces.NotFoundError)) {
		return record, nil
	}
	record.Found, record.State = path, stateOther
	if err != nil {
		return record, err
	}
	sum, isRecorded, err := traces.Verify(ctx, path)
	switch {
	case err != nil:
		return record, err
	case isRecorded:
		record.State = stateRecorded
	default:
		record.State = stateUnrecorded
	}
	record.Checksum = sum
	return record, nil
}

// jobs returns the number of jobs as people or programs read it; empty where it is not known.
func (r traceRecord) jobs(shown func(int) string) string {
	if r.Jobs == nil {
		return ""
	}
	return shown(*r.Jobs)
}

// uses returns which paper uses which part, with what stands between papers.
func (r traceRecord) uses(between string) string {
	texts := make([]string, len(r.Used))
	for i, use := range r.Used {
		texts[i] = use.Paper + ": " + use.Part
	}
	return strings.Join(texts, between)
}

func (t *terminal) printCatalogue(records []traceRecord, format string) error {
	switch format {
	case "json":
		encoder := json.NewEncoder(t.out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(records)
	case "csv":
		writer := columns.NewWriter(t.out)
		_ = writer.Write([]string{ // writer keeps the error
			"name", "title", "format", "jobs", "clusters", "found", "state", "sha256", "used", "page", "address",
		})
		for _, r := range records {
			_ = writer.Write([]string{
				r.Name, r.Title, r.Format, r.jobs(strconv.Itoa), strings.Trim(fmt.Sprint(r.Clusters), "[]"), r.Found, r.State,
				r.Checksum, r.uses("; "), r.Page, r.Address,
			})
		}
		return writer.Flush()
	}
	writer := t.table()
	writer.AppendHeader(table.Row{"name", "title", "jobs", "found", "checksum", "used by"})
	writer.SetColumnConfigs([]table.ColumnConfig{{Number: 3, Align: text.AlignRight}})
	for _, r := range records {
		found, checksum := r.Found, r.State
		switch {
		case found == "":
			found, checksum = stateMissing, ""
		case r.Checksum != "":
			checksum = r.Checksum[:12] + ", " + r.State
		}
		writer.AppendRow(table.Row{r.Name, r.Title, r.jobs(count), found, checksum, r.uses("\n")})
	}
	writer.Render()
	return nil
}
