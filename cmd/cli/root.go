// Package cli is the command line of gridsweep: flags and the output of commands. Package
// pipeline/workspace implements the commands. A program passes its studies and models to Main.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gridsweep/cmd/internal/interrupt"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline"
	"gridsweep/pipeline/workspace"
)

// Exit codes besides 0, done.
const (
	exitFailed      = 1   // a run failed, or the command did
	exitUsage       = 2   // wrong usage or a study file with problems; nothing was changed
	exitClaim       = 3   // a claim was not reproduced, with --strict
	exitInterrupted = 130 // interrupted by a signal; the same command continues
	// standard output is a closed pipe; shells report this for programs ended by SIGPIPE
	exitPipe = 141
)

// exitError is an error with an exit code.
type exitError struct {
	code int
	err  error // nil if the message is printed already
}

func (e exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e exitError) Unwrap() error { return e.err }

func usageError(err error) error { return exitError{exitUsage, err} }

func usageErrorf(format string, args ...any) error { return usageError(fmt.Errorf(format, args...)) }

// usageUnlessDone returns a usageError of err, or err itself if it is nil or ctx is done.
func usageUnlessDone(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return usageError(err)
}

func exitCode(err error) int {
	var chosen exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &chosen):
		return chosen.code
	default:
		return exitFailed
	}
}

// terminal is the standard streams of a command, which may also be files or pipes, with results on
// out and messages on err, and the studies and models of the program.
type terminal struct {
	in       io.Reader
	out, err io.Writer
	args     []string         // of the command line, to print it
	studies  *configs.Library // built-in ones and those of --studies
	models   []*model.Model   // that studies may name
}

// printer writes the output of commands and keeps the first error, so that commands need not check
// for errors at each line.
type printer struct {
	to  io.Writer
	err error // nothing is written after an error
}

func (p *printer) Write(text []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	n, err := p.to.Write(text)
	if failed := new(fs.PathError); errors.As(err, &failed) {
		err = failed.Err // without the system's name of the file
	}
	if err != nil {
		p.err = fmt.Errorf("cannot write to standard output: %w", err)
	}
	return n, p.err
}

// Main executes a command line, whose first argument is the program's name, on the standard streams
// and returns the exit code. Studies are the built-in ones of the program; models are those that
// studies may name, with different names. Main handles signals, so the rest of the program must
// not.
func Main(ctx context.Context, args []string, studies *configs.Library, models ...*model.Model) int {
	ctx = interrupt.Context(ctx, exitInterrupted)
	interrupt.OutlivePipes()
	pipeline.SetMemoryLimit()
	t := &terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr, args: args[1:], studies: studies, models: models}
	return exitCode(t.run(ctx))
}

// run executes the command line. Its error has been printed; exitCode gives its code.
func (t *terminal) run(ctx context.Context) error {
	out := &printer{to: t.out}
	t.out = out
	root := newRoot(t)
	root.SetArgs(t.args)
	root.SetIn(t.in)
	root.SetOut(out)
	root.SetErr(t.err)
	err := usageUnlessDone(ctx, model.CheckSpecs(t.models...))
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	switch {
	case interrupt.IsClosedPipe(out.err) && (err == nil || errors.Is(err, out.err)):
		err = exitError{exitPipe, nil}
	case out.err != nil && !errors.Is(err, out.err):
		err = errors.Join(err, out.err)
	}
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = exitError{exitInterrupted, fmt.Errorf("%s; the same command continues", interrupt.Reason(ctx))}
	}
	if err != nil && err.Error() != "" {
		fmt.Fprintln(t.err, printable("gridsweep: "+err.Error()))
	}
	return err
}

// trimList removes the spaces around the items of a flag that is a list with commas.
func trimList(flag *pflag.Flag) {
	list, isList := flag.Value.(pflag.SliceValue)
	if !isList || flag.Value.Type() != "stringSlice" {
		return
	}
	items := list.GetSlice()
	for i, item := range items {
		items[i] = strings.TrimSpace(item)
	}
	_ = list.Replace(items) // a list of strings takes any
}

// refuseURLs returns an error for an argument or a flag that names a file or folder by a URL. The
// system would take s3://bucket for a folder s3: in the current one. Only --from of trace fetch
// takes a URL.
func refuseURLs(c *cobra.Command, args []string) error {
	var problems []error
	refuse := func(what, value string) {
		if err := workspace.RefuseURL(value); err != nil {
			problems = append(problems, usageErrorf("%s: %w", what, err))
		}
	}
	for _, arg := range args {
		refuse(c.CommandPath(), arg)
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		// the word in backquotes of the help text tells what a flag names
		switch named, _ := pflag.UnquoteUsage(f); named {
		case "file", "folder", configs.CatalogueFile:
			refuse("--"+f.Name, f.Value.String())
		}
	})
	return errors.Join(problems...)
}

// noArguments is the cobra.PositionalArgs of commands that take none.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !c.HasSubCommands() {
		return usageErrorf("%s takes no argument, not %q", c.CommandPath(), args[0])
	}
	text := fmt.Sprintf("there is no command %q", args[0])
	if near := commandNear(c, args[0]); near != "" {
		text += "; did you mean " + near + "?"
	}
	return usageErrorf("%s; see %s --help", text, c.CommandPath())
}

// needs returns the cobra.PositionalArgs of commands that take n arguments, described by what.
func needs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return usageErrorf("%s needs %s", c.CommandPath(), what)
		}
		return nil
	}
}

// needsCounted is like needs; its error has the number of arguments and refers to --help.
func needsCounted(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		return needs(n, fmt.Sprintf("%s, not %d; see %s --help", what, len(args), c.CommandPath()))(c, args)
	}
}

// needsSome returns the cobra.PositionalArgs of commands that take an argument or several.
func needsSome(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageErrorf("%s needs %s", c.CommandPath(), what)
		}
		return nil
	}
}

// atLeastOneStudy is the cobra.PositionalArgs of commands about studies.
var atLeastOneStudy = needsSome("a paper, a study or a study file; gridsweep list shows the built-in ones")

// studyArguments is the help text on the arguments that name studies.
const studyArguments = `PAPER-or-STUDY is a paper with all its studies, one study as PAPER/STUDY or by its name alone
(see gridsweep list), or the path of a study file. If a paper and one of its studies have the same name, it means
the paper.`

func newRoot(t *terminal) *cobra.Command {
	root := &cobra.Command{
		Use:   "gridsweep",
		Short: "Reproduce the tables, figures and claims of papers on scheduling",
		Long: `gridsweep makes papers on scheduling runnable: it plans the runs of a study file, runs them on all
processors, stores them as Parquet and writes the paper's own tables and figures, each published
number beside ours and each claim with a verdict. simulate, compare, trace and conformance are for traces of
jobs and single machines.

` + studyArguments,
		Example: `  gridsweep reproduce coallocation            # everything, full published scale
  gridsweep reproduce coallocation --quick    # within a minute, small runs
  gridsweep plan coallocation                 # what would be run
  gridsweep check my-study.yaml               # is my study file correct?
  gridsweep simulate log.swf --policy easy,conservative  # a trace of jobs on one machine`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Args = noArguments // an unknown command is an argument of the root command
	showVersion := root.Flags().Bool("version", false, "print the version of the program, as gridsweep version does")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *showVersion {
			t.printVersion()
			return nil
		}
		return c.Help()
	}
	root.SetFlagErrorFunc(wrongFlag)
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		c.Flags().Visit(trimList)
		return refuseURLs(c, args)
	}
	aboutStudies := []*cobra.Command{
		newReproduce(t), newPlan(t), newRun(t), newSubmit(t), newAnalyze(t), newReport(t), newClaims(t), newExplain(t),
		newStatus(t), newDigest(t), newCompact(t), newBundle(t), newShow(t), newCheck(t),
	}
	for _, c := range aboutStudies {
		t.completeStudies(c)
		c.Long = cmp.Or(c.Long, c.Short+".") + "\n\n" + studyArguments
	}
	root.AddCommand(aboutStudies...)
	for _, c := range []*cobra.Command{newList(t), newSchema(t), newVersion(t), newLicenses(t)} {
		c.ValidArgsFunction = cobra.NoFileCompletions // they take no argument
		root.AddCommand(c)
	}
	root.AddCommand(newDiff(t), newVerify(t), newNew(t), newTrace(t), newSimulate(t), newCompare(t), newConformance(t))
	completeChoices(root)
	return root
}
