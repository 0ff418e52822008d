package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/analysis"
	"gridsweep/analysis/report"
	"gridsweep/model"
	"gridsweep/pipeline"
	"gridsweep/results"
	"gridsweep/sweeps"
)

func newReport(t *terminal) *cobra.Command {
	s := selection{use: results.Rows | results.Digests}
	var strict bool
	c := &cobra.Command{
		Use:   "report PAPER-or-STUDY...",
		Short: "Write the HTML page of a paper from its runs, and the index of all pages",
		Long: `Write one self-contained HTML page for each paper: claims with verdicts, every table and figure beside
the published numbers, parameters and provenance. Give the same flags as to run.`,
		Example: `  gridsweep report coallocation
  gridsweep report coallocation --quick`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			targets, err := s.targets(c.Context(), args)
			if err != nil {
				return err
			}
			if err := t.refuseStale(c.Context(), s, targets); err != nil {
				return err
			}
			var shown []*target
			var all []*analysis.Result
			var without error
			for _, target := range targets {
				result, err := t.result(c.Context(), target, s)
				if errors.As(err, &noRuns{}) {
					without = errors.Join(without, err)
					continue
				}
				if err != nil {
					return err
				}
				shown, all = append(shown, target), append(all, result)
			}
			if len(shown) == 0 {
				return without
			}
			if err := t.report(c.Context(), s, shown, all); err != nil {
				return err
			}
			return cmp.Or(without, strictly(strict, all))
		},
	}
	s.addFlags(c)
	addStrict(c, &strict)
	return c
}

// report writes a page for each paper that the targets belong to, and the index of all pages under the root.
func (t *terminal) report(ctx context.Context, s selection, targets []*target, all []*analysis.Result) error {
	var papers []string
	parts := map[string][]part{}
	for i, target := range targets {
		paper := target.study.Paper.Value
		if parts[paper] == nil {
			papers = append(papers, paper)
		}
		parts[paper] = append(parts[paper], part{target: target, result: all[i], flags: s})
	}
	for _, paper := range papers {
		page, err := t.page(ctx, s, paper, parts[paper], studiesOf(paper))
		if err != nil {
			return err
		}
		if err := report.Write(ctx, s.root(), page); err != nil {
			return err
		}
		if err := writeEntry(filepath.Join(s.root(), page.Name, entryFile), page.Entry()); err != nil {
			return err
		}
		t.note("report: %s", filepath.Join(s.root(), page.Name, report.PageFile))
	}
	entries, err := readEntries(s.root())
	if err != nil {
		return err
	}
	return report.WriteIndex(s.root(), entries)
}

// part is one study of a page.
type part struct {
	target  *target
	result  *analysis.Result
	flags   selection // that made the plan
	without string    // the flags that changed others and do not fit this study, which is shown as it is
}

// page makes the page of a paper from the studies that were asked for and, so that it does not lose them, the other of
// its studies that have runs.
func (t *terminal) page(ctx context.Context, s selection, paper string, asked []part, studies []string) (report.Page, error) {
	parts, absent, err := t.beside(ctx, s, asked, studies)
	if err != nil {
		return report.Page{}, err
	}
	first := parts[0].target
	commit, dirty := sourceCommit()
	page := report.Page{
		Name: paper, Citation: first.model.Paper, Quick: s.quick, Absent: absent,
		Changed: changes(s),
		Command: t.commandLine(), Version: version, Commit: commit, Dirty: dirty, Machine: pipeline.Machine(),
	}
	for _, p := range parts {
		study, err := section(ctx, filepath.Join(s.root(), paper), p.target, p.result)
		if err != nil {
			return page, err
		}
		study.Without = p.without
		study.Whole = whole(p, asked)
		page.Studies = append(page.Studies, study)
	}
	return page, nil
}

// changes returns the flags that give parameters or factors other values.
func changes(s selection) string {
	return strings.TrimSpace(typed("--set", s.set) + typed("--levels", s.levels))
}

// beside returns the studies of a page in the order of the paper: those asked for and, of the paper's studies, the others
// that have runs, with the same flags or else as their files say. Absent are those of which nothing can be shown.
func (t *terminal) beside(
	ctx context.Context, s selection, asked []part, studies []string,
) (parts []part, absent []report.Absent, err error) {
	left := slices.Clone(asked)
	for _, name := range studies {
		found, err := findStudies(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		study := found[0].study
		if i := slices.IndexFunc(left, func(p part) bool { return p.target.study.SameFile(study) }); i >= 0 {
			parts = append(parts, left[i])
			left = slices.Delete(left, i, i+1)
			continue
		}
		plain := selection{out: s.out, quick: s.quick, maxRuns: s.maxRuns, stale: s.stale, use: s.use}
		p, err := t.companion(ctx, s, name)
		if err == nil && p == nil {
			if p, err = t.companion(ctx, plain, name); p != nil {
				p.without = changes(s)
			}
		}
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case p != nil:
			parts = append(parts, *p)
		default:
			why := "has not been run"
			if err != nil {
				why = err.Error()
				t.note("%s is not on the page: %v", name, err)
			}
			absent = append(absent, report.Absent{Heading: study.Title.Value, Why: why,
				Command: "gridsweep reproduce " + shellQuote(name) + plain.flags()})
		}
	}
	return append(parts, left...), absent, nil
}

// companion returns a study that was not asked for, nil where the flags do not fit it or make a plan without runs. The
// error is of its dataset.
func (t *terminal) companion(ctx context.Context, s selection, name string) (*part, error) {
	targets, err := s.targets(ctx, []string{name})
	if err != nil {
		return nil, nil
	}
	taken, err := targets[0].snapshot(ctx)
	if err != nil {
		return nil, err
	}
	finished := taken.Finished()
	if !slices.ContainsFunc(targets[0].plan.Runs, func(run sweeps.Run) bool { return finished[run.ID] }) {
		return nil, nil
	}
	if err := t.refuseStale(ctx, s, targets); err != nil {
		return nil, err
	}
	result, err := t.result(ctx, targets[0], s)
	if err != nil {
		return nil, err
	}
	return &part{target: targets[0], result: result, flags: s}, nil
}

// section is the part of a page that one study makes; dir is the folder of the page.
func section(ctx context.Context, dir string, target *target, result *analysis.Result) (report.Study, error) {
	taken, err := target.snapshot(ctx)
	if err != nil {
		return report.Study{}, err
	}
	finished := taken.Finished()
	rows := map[string]bool{}
	for _, run := range target.plan.Runs {
		if finished[run.ID] {
			rows[run.ID] = true
		}
	}
	digest, err := taken.Digest(ctx, rows)
	if err != nil {
		return report.Study{}, err
	}
	folder, err := filepath.Rel(dir, target.dir)
	if err != nil {
		return report.Study{}, err
	}
	study := report.Study{
		Name: target.study.Name.Value, Title: target.study.Title.Value, Result: result,
		Parameters: parameters(target.plan), Experiments: experiments(target.plan, rows), Directory: filepath.ToSlash(folder),
		Workloads: workloads(target, func(run sweeps.Run) bool { return rows[run.ID] }),
		Provenance: report.Provenance{
			Model: target.model.Name, ModelVersion: target.model.Version, Seed: target.plan.Seed,
			StudyFile: target.study.File, StudyHash: sumOf(target.study.Source), PlanDigest: target.plan.Digest(), DatasetDigest: digest,
		},
	}
	if missing := len(target.plan.Runs) - len(rows); missing > 0 {
		study.Warnings = append(study.Warnings, fmt.Sprintf("%d of the plan's %d runs are missing", missing, len(target.plan.Runs)))
	}
	if target.stale != "" {
		study.Warnings = append(study.Warnings, target.stale)
	}
	failures, err := target.dataset.Failures()
	if err != nil {
		return report.Study{}, err
	}
	planned := map[string]bool{}
	for _, run := range target.plan.Runs {
		planned[run.ID] = !rows[run.ID]
	}
	for _, f := range failures {
		if !planned[f.ID] {
			continue // of another plan, or run since
		}
		study.Failures = append(study.Failures, report.Failure{Run: f.ID, Error: f.Error, Rerun: f.Command})
	}
	return study, nil
}

// whole returns the command whose page also has what the result leaves out. Optional experiments are run only when
// named, and then only those that are named: beside an optional one all others that are wanted have to be named too.
// Else all studies are named that were asked for with the part, since the page of users' own studies has those alone.
func whole(p part, asked []part) string {
	s, target, left := p.flags, p.target, p.result.LeftOut
	names := slices.Clone(s.experiments)
	optional := false
	for _, x := range target.study.Experiments {
		name := x.Name.Value
		isPart := func(part string) bool { return sweeps.IsPart(part, name) }
		byDefault := len(s.experiments) == 0 && !x.Optional
		if (byDefault || slices.ContainsFunc(left.Experiments, isPart)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
		optional = optional || x.Optional && slices.ContainsFunc(names, isPart)
	}
	if s.experiments = nil; optional {
		s.experiments = names
		return "gridsweep reproduce " + shellQuote(target.name) + s.flags()
	}
	isAsked := func(other part) bool { return other.target == target }
	if !slices.ContainsFunc(asked, isAsked) {
		asked = []part{p}
	}
	command := "gridsweep reproduce"
	for _, other := range asked {
		command += " " + shellQuote(other.target.name)
	}
	return command + s.flags()
}

// parameters lists every parameter with the value it has where no experiment of the plan says otherwise.
func parameters(plan *sweeps.Plan) []report.Parameter {
	list := make([]report.Parameter, len(plan.Model.Parameters))
	for i, p := range plan.Model.Parameters {
		unit := p.Unit
		if p.Kind == model.KindSeconds {
			unit = "" // a duration is written with its own, such as 10h
		}
		list[i] = report.Parameter{
			Name: p.Name, Symbol: p.Symbol, Unit: unit, Doc: p.Doc, Value: plan.Base[i].String(), Default: p.Default.String(),
			Varied: slices.ContainsFunc(plan.Runs, func(r sweeps.Run) bool { return r.Point[i] != plan.Base[i] }),
		}
	}
	return list
}

func experiments(plan *sweeps.Plan, rows map[string]bool) []report.Experiment {
	list := make([]report.Experiment, len(plan.Experiments))
	for i, x := range plan.Experiments {
		var varies []string
		for _, d := range x.Dimensions {
			varies = append(varies, d.Name+" ("+strings.Join(d.Levels, "; ")+")")
		}
		list[i] = report.Experiment{
			Name: x.Name, Doc: x.Doc, Varies: strings.Join(varies, " x "), Rounds: x.Rounds,
			Cells: len(x.Cells), Runs: len(x.Cells) * x.Rounds,
		}
		for _, cell := range x.Cells {
			for _, run := range cell.Runs {
				if rows[plan.Runs[run].ID] {
					list[i].Done++
				}
			}
		}
	}
	return list
}

func writeEntry(path string, entry report.Entry) error {
	text, err := json.MarshalIndent(entry, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return results.WriteFile(path, append(text, '\n'))
}

// readEntries returns the entries of all pages under the root, in the order of their names.
func readEntries(root string) ([]report.Entry, error) {
	folders, err := results.ListFolder(root)
	if err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	var entries []report.Entry
	for _, folder := range folders {
		if folder.Type().IsRegular() {
			continue // a folder, or a link to one, holds a page
		}
		file := filepath.Join(root, folder.Name(), entryFile)
		text, err := results.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the folder of a study, whose page lies with its paper
		}
		if err != nil {
			return nil, fmt.Errorf("read the index: %w", err)
		}
		var entry report.Entry
		if err := json.Unmarshal(text, &entry); err != nil {
			return nil, fmt.Errorf("%s is no entry of the index: %w; remove it or make the report anew", file, err)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}
