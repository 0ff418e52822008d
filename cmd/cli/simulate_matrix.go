// Several simulations of command simulate: the study that crosses their traces, policies and loads.

package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/tabulate"
	"gridsweep/model"
	"gridsweep/model/columns"
	"gridsweep/model/scheduling"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
	"gridsweep/results/schedule"
)

// matrixFlags are the flags of simulate for several simulations.
type matrixFlags struct {
	loads, set        []string
	replications      int
	replication, base string
	save              string
	study             selection
	run               runOptions
	own               []string // names of these flags
}

func (f *matrixFlags) addFlags(c *cobra.Command) {
	before := map[string]bool{}
	flags := c.Flags()
	flags.VisitAll(func(flag *pflag.Flag) { before[flag.Name] = true })
	flags.StringSliceVar(&f.loads, "load", nil,
		"scale the arrivals to this offered `load`, such as 0.8 (may be repeated)")
	flags.IntVar(&f.replications, "replications", 1,
		"simulate so many replications (default: 1, or 10 with --replication)")
	// so that help shows no default beside that of the usage text
	flags.Lookup("replications").DefValue = "0"
	flags.StringVar(&f.replication, "replication", "",
		"what differs between them: `shaking`, parts (segments), weeks or users of a log, or seeds")
	flags.StringVar(&f.base, "base", "", "compare with this `policy` (default: the first)")
	flags.StringArrayVar(&f.set, "set", nil,
		"set another parameter of the model scheduling: `NAME=VALUE` (may be repeated)")
	flags.StringVar(&f.save, "save-study", "",
		"write the study that does the same to this `file`, .yaml, and run it only with --out")
	f.study.addMaxRuns(c)
	f.study.addStale(c)
	f.run.addFlags(c)
	flags.VisitAll(func(flag *pflag.Flag) {
		if !before[flag.Name] {
			f.own = append(f.own, flag.Name)
		}
	})
}

// isMatrix reports whether the command runs a study of the model scheduling, not one trace as it is
// under some policies.
func (o *simulateOptions) isMatrix(args []string) bool {
	return len(args) > 1 || len(o.cluster.orders) > 1 || len(o.cluster.estimates) > 1 || o.format == "parquet" ||
		slices.ContainsFunc(o.matrix.own, o.isSet) || isWorkload(args[0])
}

// isWorkload reports whether an argument is no file and names a workload model, or a log with a
// stand-in workload.
func isWorkload(word string) bool {
	name, _, hasStandIn := model.SplitStandIn(word)
	_, isModel := scheduling.ModelOf(name)
	_, err := os.Stat(word)
	return err != nil && (hasStandIn || isModel)
}

// isTraceFile reports whether an argument is a path, and no name.
func isTraceFile(word string) bool {
	_, err := os.Stat(word)
	return err == nil || strings.ContainsAny(word, `./\`)
}

// notOfMatrix are the flags that only one simulation has, and what to do instead for several.
var notOfMatrix = [][2]string{
	{"lenient", "gridsweep trace convert --lenient writes a log without these lines"},
	{"in-format", "the format is found from the content"},
	{"shift", "times count from the first submit"},
	{"by", "the tables classes and users of the study have groups of jobs"},
	{"out-format", "schedules are written of one trace, one order and no replications"},
	{"catalogue", "name the file of the trace"},
}

// simulateMatrix simulates all combinations of traces, loads, estimates, orders and policies, as a
// study. With --save-study and without --out it only writes the study.
func (t *terminal) simulateMatrix(ctx context.Context, o *simulateOptions, args []string) error {
	if o.format == "parquet" && t.isScreen() {
		return usageErrorf("--format parquet: standard output is a terminal; write it to a file, with > runs.parquet")
	}
	if err := o.checkOutput(); err != nil {
		return err
	}
	s := o.matrix.study
	s.use, s.Out = results.Rows, cmp.Or(o.out, "out")
	file, name, err := o.studyFile(s.Out)
	if err != nil {
		return err
	}
	matrix, err := o.newMatrix(ctx, args, filepath.Dir(file))
	if err != nil {
		return err
	}
	matrix.Command = t.commandLine()
	text := matrix.Study(name)
	study, err := t.workspace(&s).OpenText(ctx, s.Selection, file, text)
	if err != nil {
		return usageUnlessDone(ctx, err)
	}
	studies := []*workspace.Study{study}
	var whole workspace.Portion // the zero value is that of all runs
	chosen, err := t.choose(ctx, studies, whole, o.matrix.run)
	if err != nil {
		return err
	}
	if err := results.WriteFile(file, text); err != nil {
		return err
	}
	if o.matrix.save != "" && o.out == "" {
		t.note("%s: a study of %s; gridsweep reproduce %[1]s runs it", file, things(len(study.Plan.Runs), "run"))
		return nil
	}
	failed, err := t.execute(ctx, studies, chosen, whole, o.matrix.run, func(*workspace.Study) error {
		result, err := t.analyze(ctx, study)
		if err == nil && o.plot != "" {
			err = draw.Write(ctx, o.plot, result.Figures, o.size)
		}
		if err != nil {
			return err
		}
		return t.printMatrix(ctx, o.format, study, result)
	})
	return errors.Join(failed, err)
}

// checkOutput returns an error for flags of one simulation, and for output that several lack.
func (o *simulateOptions) checkOutput() error {
	for _, flag := range notOfMatrix {
		if o.isSet(flag[0]) {
			return usageErrorf("--%s goes with one simulation of one trace; %s", flag[0], flag[1])
		}
	}
	if o.format != "parquet" {
		if err := checkFormat(o.format); err != nil {
			return err
		}
	}
	if draw.IsPicture(o.plot) {
		return usageErrorf("--plot %s: name a folder; several simulations have several pictures", o.plot)
	}
	if _, err := schedule.FormatOf(o.out); err == nil && o.out != "" {
		return usageErrorf("--out %s: name a folder of results; schedules are written of one trace, one order and no "+
			"replications", o.out)
	}
	return nil
}

// studyFile returns the file and name of the study of several simulations, whose results lie in the
// folder out.
func (o *simulateOptions) studyFile(out string) (file, name string, err error) {
	save := o.matrix.save
	if save == "" {
		return filepath.Join(out, "simulate", "study.yaml"), "simulate", nil
	}
	ending := filepath.Ext(save)
	if ending != ".yaml" && ending != ".yml" {
		return "", "", usageErrorf("--save-study %s: write a name that ends in .yaml", save)
	}
	if _, err := os.Stat(save); !errors.Is(err, fs.ErrNotExist) {
		return "", "", usageErrorf("--save-study %s: is there already; remove it or name another", save)
	}
	return save, strings.TrimSuffix(filepath.Base(save), ending), nil
}

// printMatrix prints the tables of the study, or one row for each run.
func (t *terminal) printMatrix(
	ctx context.Context, format string, study *workspace.Study, result *analysis.Result,
) error {
	if format == "table" {
		for _, table := range result.Tables {
			shown := tabulate.Text(table)
			isChange := func(v analysis.Axis) bool { return v.Change != "" }
			if slices.ContainsFunc(table.Values, isChange) {
				shown = tabulate.Differences(table)
			}
			fmt.Fprintln(t.out, shown)
		}
		return nil
	}
	if format == "parquet" {
		cells, err := study.CellsFile()
		if err == nil {
			_, err = t.out.Write(cells)
		}
		return err
	}
	heads, rows, err := study.Cells(ctx)
	if err != nil {
		return err
	}
	if format == "json" {
		return t.printObjects(heads, rows)
	}
	writer, fields := columns.NewWriter(t.out), make([]string, len(heads))
	for i, c := range heads {
		fields[i] = c.Name
	}
	_ = writer.Write(fields) // Flush returns the error
	for row := range rows {
		for i, value := range row {
			fields[i] = value.String()
			if value.Type() == model.TypeSeconds && !value.IsNull() {
				fields[i] = strconv.FormatInt(value.Int(), 10) // without the unit s
			}
		}
		_ = writer.Write(fields)
	}
	return writer.Flush()
}

// printObjects prints rows as a JSON list of objects, whose keys are in the order of the columns.
func (t *terminal) printObjects(heads []model.Column, rows iter.Seq[[]model.Value]) error {
	text := []byte("[")
	for row := range rows {
		text = append(text, '{')
		for i, value := range row {
			key, err := json.Marshal(heads[i].Name)
			if err != nil {
				return err
			}
			field, err := json.Marshal(plainOf(value))
			if err != nil {
				return err
			}
			text = fmt.Appendf(text, "%s:%s,", key, field)
		}
		text = append(bytes.TrimSuffix(text, []byte(",")), "},"...)
	}
	return t.printJSON(json.RawMessage(append(bytes.TrimSuffix(text, []byte(",")), ']')))
}

// plainOf returns a value for JSON: durations in seconds, nil for an undefined value.
func plainOf(v model.Value) any {
	switch {
	case v.IsNull():
		return nil
	case v.Type() == model.TypeString:
		return v.Text()
	case v.Type() == model.TypeBool:
		return v.Bool()
	case v.Type() == model.TypeFloat:
		return v.Float()
	default:
		return v.Int()
	}
}
