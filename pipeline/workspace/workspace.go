// Package workspace is a folder of results and the studies whose plans, runs, tables, figures and
// pages lie in it: what the commands of gridsweep do, for Go programs. Its one idea: a Study joins
// a study file with its plan, its dataset and the paths of its files, and everything else is a
// method of it.
//
// Errors about a selection, rather than the disk, name the flags of the command line that make it.
package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/analysis/draw"
	"gridsweep/analysis/sequential"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline"
	"gridsweep/pipeline/external"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// Workspace is the studies and models of a program, and how its results are read and written.
type Workspace struct {
	Studies *configs.Library // studies that are known by name
	Models  []*model.Model   // models that studies may name
	Program Program          // the program that plans and runs them

	// Use is what the datasets are read for. With the zero value only the list of runs is read.
	Use results.Use
	// Figures is the size of figures; the zero value is the width of a page.
	Figures draw.Size
	// Note receives notes for the user that are no errors. Nil drops them.
	Note func(text string)
	// CommandFor returns the current command with other studies in place of its own, for errors.
	// With nil the errors name the studies.
	CommandFor func(studies []string) string

	// what a bundle says that traces and programs mean, to plan its studies again; nil looks for
	// them on this machine
	recorded *inputs
}

func (w *Workspace) note(format string, args ...any) {
	if w.Note != nil {
		w.Note(fmt.Sprintf(format, args...))
	}
}

// Study is a study with its plan and its dataset.
type Study struct {
	Name    string // name by which a command finds it
	Config  *configs.Study
	Model   *model.Model
	Plan    *sweeps.Plan
	Dataset *results.Dataset
	Dir     string            // folder of its dataset, tables and figures
	Looks   *sequential.Looks // looks that made the plan; without targets if the selection has none

	workspace *Workspace
	selection Selection       // the selection that made the plan
	library   *traces.Library // the library that resolved the plan
	programs  *external.Programs
	resolved  *inputs           // which files the plan names
	snapshot  *results.Snapshot // snapshot of the dataset; nil until it is needed
	stale     string            // what Stale returns
	hasEnded  bool              // no look gives a cell more replications
	// makes the plan, with sweeps.Options.Replications
	expand func(ctx context.Context, replications map[string]int) (*sweeps.Plan, error)
	// every number of jobs that a run leaves out, by the value of the parameter trace; set by
	// CheckTraceContent and readLeftOut
	leftOut map[string][]int64

	isOutdated bool // runs were written since the snapshot was taken
}

// Open returns the studies of the names, planned by the selection. A name is a paper with all its
// studies, one study as PAPER/STUDY or by its name alone, or the path of a study file. A study that
// is named twice is returned once. Problems of all studies are reported together. Open writes
// nothing.
func (w *Workspace) Open(ctx context.Context, s Selection, names []string) ([]*Study, error) {
	wanted, problems := w.find(ctx, names)
	return w.openAll(ctx, s, wanted, problems)
}

// OpenText returns the study of a text, planned by the selection, as Open returns that of a file.
// The file need not exist; commands that are printed name it.
func (w *Workspace) OpenText(ctx context.Context, s Selection, file string, text []byte) (*Study, error) {
	config, err := w.Studies.Parse(ctx, file, text)
	found, err := named(config, file, err)
	if err != nil {
		return nil, err
	}
	opened, err := w.openAll(ctx, s, found, nil)
	if err != nil {
		return nil, err
	}
	return opened[0], nil
}

// openAll plans studies. The problems of their names come first.
func (w *Workspace) openAll(ctx context.Context, s Selection, wanted []Named, problems []error) ([]*Study, error) {
	if err := cmp.Or(s.checkOut(), model.CheckSpecs(w.Models...)); err != nil {
		return nil, err
	}
	options, err := s.options()
	if err != nil {
		return nil, err
	}
	catalogue, err := traces.Catalogue(ctx, w.Studies)
	if err != nil {
		return nil, err
	}
	library := traces.NewLibrary(catalogue)
	fitting, misfit := w.fitting(ctx, wanted, s, options)
	var opened []*Study
	for _, found := range fitting {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		study, err := w.open(ctx, found, s, library, options)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if err := study.checkName(opened); err != nil {
			problems = append(problems, err)
		}
		opened = append(opened, study)
	}
	if misfit != nil {
		problems = append(problems, misfit)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return opened, nil
}

// find returns the studies of the names, each once, and the problems of names.
func (w *Workspace) find(ctx context.Context, names []string) ([]Named, []error) {
	var studies []Named
	var problems []error
	for _, name := range names {
		found, err := w.Find(ctx, name)
		if err != nil {
			problems = append(problems, err)
		}
		for _, study := range found {
			same := func(other Named) bool { return other.Config.SameFile(study.Config) }
			if !slices.ContainsFunc(studies, same) {
				studies = append(studies, study)
			}
		}
	}
	return studies, problems
}

func (w *Workspace) open(
	ctx context.Context, found Named, s Selection, library *traces.Library, options sweeps.Options,
) (*Study, error) {
	if found.Config.Broken {
		return nil, found.FormProblems
	}
	m, err := w.ModelOf(found.Config)
	if err != nil {
		return nil, found.withoutModel(ctx, err)
	}
	if library, err = library.For(found.Config); err != nil {
		return nil, errors.Join(found.FormError(), err)
	}
	programs := external.NewPrograms()
	resolved := &inputs{}
	if w.recorded != nil {
		options.Traces, options.Programs = w.recorded.trace, w.recorded.program
	} else {
		options.Traces = func(ctx context.Context, value, folder string, names []string) (string, error) {
			reference, err := library.Resolve(ctx, value, folder, names)
			return resolved.Traces.record(value, names, reference, err)
		}
		options.Programs = func(ctx context.Context, value, folder string) (string, error) {
			reference, err := programs.Resolve(ctx, value, folder)
			return resolved.Programs.record(value, nil, reference, err)
		}
	}
	expand := func(ctx context.Context, replications map[string]int) (*sweeps.Plan, error) {
		options.Replications = replications
		return sweeps.Expand(ctx, found.Config, m, options)
	}
	plan, err := expand(ctx, nil)
	problems := found.problems(err)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err() // the problems are not all
	case len(problems) > 0:
		return nil, problems
	}
	dir := filepath.Join(s.Root(), found.Config.Name.Value)
	if err := checkFolders(dir); err != nil {
		return nil, err
	}
	dataset, err := results.Open(dir, found.Config.Name.Value, m, s.Tables...)
	if err != nil {
		return nil, err
	}
	study := &Study{
		Name: found.Name, Config: found.Config, Model: m, Plan: plan, Dataset: dataset, Dir: dir,
		workspace: w, selection: s, library: library, programs: programs, resolved: resolved,
		expand: expand, Looks: &sequential.Looks{},
	}
	return study, study.begin(ctx)
}

// checkName returns an error if another file has a study of the same name, case ignored: on some
// file systems their results would lie in one folder.
func (s *Study) checkName(others []*Study) error {
	name := s.Config.Name
	for _, other := range others {
		if strings.EqualFold(other.Config.Name.Value, name.Value) && !other.Config.SameFile(s.Config) {
			var problems configs.Problems
			s.Config.Report(&problems, name.Pos, "study", "%s has a study of this name too; give one of them another",
				other.Config.File)
			return problems
		}
	}
	return nil
}

// Command returns a command of gridsweep for the study and its selection, such as "gridsweep run
// coallocation --quick".
func (s *Study) Command(name string) string {
	return "gridsweep " + name + Typed(s.Name) + s.selection.Flags()
}

// Snapshot returns the snapshot of the dataset. The first call takes it, and the first call after
// Run updates it.
func (s *Study) Snapshot(ctx context.Context) (*results.Snapshot, error) {
	switch {
	case s.snapshot == nil:
		use := s.workspace.Use
		if len(s.Looks.Targets) > 0 {
			use |= results.Rows
		}
		snapshot, err := s.Dataset.Snapshot(ctx, use)
		if err != nil {
			return nil, err
		}
		s.snapshot = snapshot
	case s.isOutdated:
		if err := s.snapshot.Update(ctx); err != nil {
			return nil, err
		}
	}
	s.isOutdated = false
	return s.snapshot, nil
}

// committed returns a snapshot of the dataset and the ids of the plan's runs that it has.
func (s *Study) committed(ctx context.Context) (*results.Snapshot, map[string]bool, error) {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	ids := make(map[string]bool, len(s.Plan.Runs))
	for _, run := range s.Plan.Runs {
		if snapshot.Finished()[run.ID] {
			ids[run.ID] = true
		}
	}
	return snapshot, ids, nil
}

// Verify verifies those data files of the runs that were not read before.
func (s *Study) Verify(ctx context.Context, runs []sweeps.Run) error {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return err
	}
	return snapshot.Verify(ctx, pipeline.IDs(runs))
}
