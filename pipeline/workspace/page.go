// The page of a paper: which studies it shows, and what it shows of each.

package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/analysis"
	"gridsweep/analysis/report"
	"gridsweep/model"
	"gridsweep/pipeline"
	"gridsweep/results"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// StudyResult is a study with the result of its runs.
type StudyResult struct {
	*Study
	Result *analysis.Result

	notApplied string // flags of the command that do not apply to it on the page; empty for most
}

// Report writes a page for each paper that the studies belong to, with its other studies that have
// runs, and the index of all pages. It analyses these other studies as Analyze does, since the page
// links to the files. It returns the paths of the pages. All studies are of one selection.
func (w *Workspace) Report(ctx context.Context, studies []StudyResult) ([]string, error) {
	if len(studies) == 0 {
		return nil, nil
	}
	root := studies[0].selection.Root()
	var papers, pages []string
	requested := map[string][]StudyResult{} // the studies of the call, by paper
	for _, study := range studies {
		paper := study.Plan.Study.Paper
		if requested[paper] == nil {
			papers = append(papers, paper)
		}
		requested[paper] = append(requested[paper], study)
	}
	for _, paper := range papers {
		page, err := w.page(ctx, paper, requested[paper], w.studiesOf(paper))
		if err != nil {
			return pages, err
		}
		if err := report.Write(ctx, root, page); err != nil {
			return pages, err
		}
		if err := writeEntry(root, page.Entry()); err != nil {
			return pages, err
		}
		pages = append(pages, filepath.Join(root, page.Name, report.PageFile))
	}
	return pages, writeIndex(ctx, root)
}

// page makes the page of a paper from the requested studies and the paper's other studies that have
// runs. Names are those of all its studies, or none for a page of the requested ones alone.
func (w *Workspace) page(
	ctx context.Context, paper string, requested []StudyResult, names []string,
) (report.Page, error) {
	studies, absent, err := w.studiesOn(ctx, requested, names)
	if err != nil {
		return report.Page{}, err
	}
	s := requested[0].selection
	page := report.Page{
		Name: paper, Quick: s.Quick, Absent: absent,
		Changed: strings.TrimSpace(Typed(s.changes()...)),
		Command: w.Program.Command, Version: w.Program.Version, Commit: w.Program.Commit, Dirty: w.Program.Dirty,
		Machine: pipeline.Machine(),
	}
	if papers, models := citations(studies); len(papers) > 0 {
		page.Citation = papers[0]
	} else {
		page.References = models
	}
	for _, p := range studies {
		section, err := p.section(ctx, filepath.Join(s.Root(), paper))
		if err != nil {
			return page, err
		}
		section.CompleteCommand = p.completeCommand(requested)
		page.Studies = append(page.Studies, section)
	}
	return page, nil
}

// citations returns the citations of the paper by its studies, and the references of their models,
// each once.
func citations(studies []StudyResult) (papers, models []string) {
	for _, p := range studies {
		study := p.Plan.Study
		if study.Citation != "" && !slices.Contains(papers, study.Citation) {
			papers = append(papers, study.Citation)
		}
		if reference := study.Reference(); reference != "" && !slices.Contains(models, reference) {
			models = append(models, reference)
		}
	}
	return papers, models
}

// studiesOn returns the studies of a page in the order of the paper: the requested ones and the
// others that have runs of the same selection or else of one without its changes. Requested studies
// that are not among the names come last. Absent are the studies that have no result.
func (w *Workspace) studiesOn(
	ctx context.Context, requested []StudyResult, names []string,
) (studies []StudyResult, absent []report.Absent, err error) {
	left := slices.Clone(requested)
	s := requested[0].selection
	plain := Selection{Out: s.Out, Studies: s.Studies, Quick: s.Quick, MaxRuns: s.MaxRuns, Stale: s.Stale}
	for _, name := range names {
		found, err := w.Find(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		study := found[0].Config
		if i := slices.IndexFunc(left, func(p StudyResult) bool { return p.Config.SameFile(study) }); i >= 0 {
			studies = append(studies, left[i])
			left = slices.Delete(left, i, i+1)
			continue
		}
		p, err := w.companion(ctx, name, s, plain)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case p != nil:
			studies = append(studies, *p)
		default:
			why := "has not been run"
			if err != nil {
				why = err.Error()
				w.note("%s is not on the page: %v", name, err)
			}
			absent = append(absent, report.Absent{Heading: study.Title.Value, Why: why,
				Command: "gridsweep reproduce" + Typed(name) + plain.Flags()})
		}
	}
	return append(studies, left...), absent, nil
}

// companion analyses a study that the command does not name, as Analyze does, by the first of the
// selections that fits it and plans a run of its dataset. It returns nil if none does. The error is
// of the dataset or the files, or that of RefuseStale.
func (w *Workspace) companion(ctx context.Context, name string, selections ...Selection) (*StudyResult, error) {
	var before *Study
	for _, s := range selections {
		opened, err := w.Open(ctx, s, []string{name})
		if err != nil {
			continue
		}
		study := opened[0]
		if before != nil && slices.Equal(before.selection.Tables, s.Tables) {
			study.snapshot = before.snapshot // the dataset is the same
		}
		before = study
		_, ids, err := study.committed(ctx)
		if err != nil {
			return nil, err
		}
		if len(ids) == 0 {
			continue
		}
		if err := study.RefuseStale(ctx); err != nil {
			return nil, err
		}
		result, err := study.Analyze(ctx)
		if err != nil {
			return nil, err
		}
		p := &StudyResult{Study: study, Result: result}
		if changes := selections[0].changes(); !slices.Equal(changes, s.changes()) {
			p.notApplied = strings.TrimSpace(Typed(changes...))
		}
		return p, nil
	}
	return nil, nil
}

// section returns what the page shows of the study; dir is the folder of the page.
func (p StudyResult) section(ctx context.Context, dir string) (report.Study, error) {
	snapshot, ids, err := p.committed(ctx)
	if err != nil {
		return report.Study{}, err
	}
	digest, err := snapshot.Digest(ctx, ids)
	if err != nil {
		return report.Study{}, err
	}
	if err := p.readLeftOut(ctx, snapshot, ids); err != nil {
		return report.Study{}, err
	}
	folder, err := filepath.Rel(dir, p.Dir)
	if err != nil {
		return report.Study{}, err
	}
	section := report.Study{
		Name: p.Plan.Study.Name, Title: p.Plan.Study.Title, Result: p.Result, NotApplied: p.notApplied,
		Parameters: parameters(p.Plan), Deviations: deviations(p.Plan), Experiments: experiments(p.Plan, ids),
		Directory:    filepath.ToSlash(folder),
		Looks:        p.Looks,
		HasPublished: len(p.Config.PublishedFiles()) > 0,
		Workloads:    p.Workloads(func(run sweeps.Run) bool { return ids[run.ID] }),
		Provenance: report.Provenance{
			Model: p.Model.Name, ModelVersion: p.Model.Version, Seed: p.Plan.Seed,
			StudyFile: p.Config.File, StudyHash: sumOf(p.Config.Source), PlanChecksum: p.Plan.Checksum(), DatasetDigest: digest,
		},
	}
	if missing := len(p.Plan.Runs) - len(ids); missing > 0 {
		section.Warnings = append(section.Warnings,
			fmt.Sprintf("%d of the plan's %d runs are missing", missing, len(p.Plan.Runs)))
	}
	if p.stale != "" {
		section.Warnings = append(section.Warnings, p.stale)
	}
	failures, err := p.Dataset.Failures()
	if err != nil {
		return report.Study{}, err
	}
	isMissing := map[string]bool{}
	for _, run := range p.Plan.Runs {
		isMissing[run.ID] = !ids[run.ID]
	}
	// the others are of another plan, or were run since
	section.Failures = slices.DeleteFunc(failures, func(f results.Failure) bool { return !isMissing[f.ID] })
	return section, nil
}

// completeCommand returns the command whose page also has the experiments that the result leaves
// out. If an optional experiment is wanted, it names each wanted one, since optional ones run only
// when named. Otherwise it names the study, and all requested ones if it is one of them, since a
// user's own page shows only these.
func (p StudyResult) completeCommand(requested []StudyResult) string {
	s, left := p.selection, p.Result.LeftOut
	names := slices.Clone(s.Experiments)
	optional := false
	for _, x := range p.Plan.Study.Experiments {
		byDefault := len(s.Experiments) == 0 && !x.Optional
		if (byDefault || slices.Contains(left.Experiments, x.Name)) && !slices.ContainsFunc(names, x.IsPartOf) {
			names = append(names, x.Whole)
		}
		optional = optional || x.Optional && slices.ContainsFunc(names, x.IsPartOf)
	}
	s.Experiments = nil
	if optional {
		s.Experiments = names
		return "gridsweep reproduce" + Typed(p.Name) + s.Flags()
	}
	isRequested := func(other StudyResult) bool { return other.Study == p.Study }
	if !slices.ContainsFunc(requested, isRequested) {
		requested = []StudyResult{p}
	}
	command := "gridsweep reproduce"
	for _, other := range requested {
		command += Typed(other.Name)
	}
	return command + s.Flags()
}

// parameters lists every parameter with the value that it has unless an experiment sets another.
func parameters(plan *sweeps.Plan) []report.Parameter {
	list := make([]report.Parameter, len(plan.Model.Parameters))
	for i, p := range plan.Model.Parameters {
		unit := p.AxisUnit()
		if p.Type == model.TypeSeconds {
			unit = "" // a duration is written with its own, such as 10h
		}
		list[i] = report.Parameter{
			Name: p.Name, Symbol: p.Symbol, Unit: unit, Doc: p.Doc, Value: plan.Base[i].String(), Default: p.Default.String(),
			Varied: slices.ContainsFunc(plan.Runs, func(r sweeps.Run) bool { return r.Point[i] != plan.Base[i] }),
		}
	}
	return list
}

// deviations lists the parameters whose values are not those that the paper prints.
func deviations(plan *sweeps.Plan) []report.Deviation {
	var list []report.Deviation
	for _, d := range plan.Study.Deviations {
		if value := plan.Base[d.Parameter].String(); value != d.Printed {
			list = append(list, report.Deviation{
				Name: plan.Model.Parameters[d.Parameter].Name, Value: value, Printed: d.Printed, Source: d.Source, Why: d.Why,
			})
		}
	}
	return list
}

// mostLevels is the most levels of a dimension that the page names; a sample has hundreds of
// universes.
const mostLevels = 40

// experiments lists the experiments of a plan; done are the ids of the runs in the dataset.
func experiments(plan *sweeps.Plan, done map[string]bool) []report.Experiment {
	list := make([]report.Experiment, len(plan.Experiments))
	for i, x := range plan.Experiments {
		var varies []string
		for _, c := range x.Bound.Crossed {
			levels := strings.Join(study.LabelsOf(c.Levels), "; ")
			if n := len(c.Levels); n > mostLevels {
				levels = fmt.Sprintf("%d levels", n)
			}
			varies = append(varies, c.Name+" ("+levels+")")
		}
		list[i] = report.Experiment{
			Name: x.Name, Doc: x.Bound.Doc, Varies: strings.Join(varies, " x "), Replications: fromTo(x.Fewest, x.Most),
			Cells: len(x.Cells), Runs: x.Runs(),
		}
		for _, cell := range x.Cells {
			for _, run := range cell.Runs {
				if done[plan.Runs[run].ID] {
					list[i].Done++
				}
			}
		}
	}
	return list
}
