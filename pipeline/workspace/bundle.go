// Bundles: one zip file with the dataset, study files, page, tables and figures of a paper, from
// which another machine can plan, verify and analyse the runs again.

package workspace

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gridsweep/analysis/report"
	"gridsweep/model"
	"gridsweep/pipeline"
	"gridsweep/pipeline/archive"
	"gridsweep/results"
)

// Files and folders of a bundle, besides those of package archive.
const (
	bundleFile    = "bundle.json"
	bundleCFF     = "CITATION.cff"
	bundleReadme  = "README.md"
	bundleStudies = "studies" // of a library, as for --studies
	bundleOwn     = "own"     // other study files
	bundleResults = "results" // as for --out
	bundleTraces  = "traces"
)

// bundleFormat is raised when bundles of an earlier program can no longer be read.
const bundleFormat = 1

// bundleContent is the content of bundleFile.
type bundleContent struct {
	Format    int            `json:"format"`
	Program   Program        `json:"program"`
	Selection Selection      `json:"plan"`
	Studies   []bundledStudy `json:"studies"`
	inputs
	TraceFiles map[string]string `json:"trace_files,omitempty"` // paths in the bundle, by reference
}

type bundledStudy struct {
	Name         string             `json:"name"`
	Paper        string             `json:"paper"`
	File         string             `json:"file"` // path of the study file in the bundle
	Model        string             `json:"model"`
	ModelVersion int                `json:"model_version"`
	Planned      int                `json:"planned_runs"`
	Runs         int                `json:"runs"` // runs of the plan that the dataset has
	PlanChecksum string             `json:"plan_checksum"`
	Digest       string             `json:"digest"`     // digest of these runs
	Provenance   results.Provenance `json:"provenance"` // provenance of cells.parquet
}

// BundleOptions say what a bundle holds besides the results of the studies.
type BundleOptions struct {
	To         string // path of the zip file
	IsReplaced bool   // a file of that path is replaced; otherwise it is an error
	WithTraces bool   // the bundle has the files of traces
	License    string // license of the data, see archive.Crate; empty if not stated
	Date       string // day of publication, as 2026-11-24; empty for that of the newest data file
	Citation   []byte // CITATION.cff of the program
	// Progress is called with 0 of 0, then after each file that was written. Nil shows nothing.
	Progress func(done, total int)
}

// Bundled is what was written into a bundle.
type Bundled struct {
	Files int   // number of files
	Bytes int64 // size of the zip file
}

// Bundle writes studies of one paper and one selection into a zip file, whole or not at all: their
// files, the data files with runs of their plans, and what Analyze and Report make of these now.
// The same program, command, options, machine and data files make the same bytes. The error is
// NoRuns where a study has none, fs.ErrExist where the file exists, or names a file or a setting.
func (w *Workspace) Bundle(ctx context.Context, studies []*Study, o BundleOptions) (Bundled, error) {
	if !o.IsReplaced {
		if _, err := os.Lstat(o.To); err == nil {
			return Bundled{}, fmt.Errorf("cannot create %s: %w", o.To, fs.ErrExist)
		}
	}
	dir, err := os.MkdirTemp("", "gridsweep-bundle-")
	if err != nil {
		return Bundled{}, err
	}
	defer os.RemoveAll(dir)
	progress := o.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	progress(0, 0)
	b := &bundler{workspace: w, options: o, selection: studies[0].selection, dir: dir, written: map[string]bool{}}
	if err := b.collect(ctx, studies); err != nil {
		return Bundled{}, err
	}
	if err := archive.Write(ctx, o.To, o.IsReplaced, b.files, b.crate(), progress); err != nil {
		return Bundled{}, err
	}
	info, err := os.Stat(o.To)
	if err != nil {
		return Bundled{}, err
	}
	const added = 2 // by archive.Write
	return Bundled{Files: len(b.files) + added, Bytes: info.Size()}, nil
}

// bundler collects the files of a bundle.
type bundler struct {
	workspace *Workspace
	options   BundleOptions
	selection Selection
	dir       string // folder for files that are made, with the layout of the bundle
	content   bundleContent
	files     []archive.File
	written   map[string]bool // names of the files
	shown     []StudyResult   // the studies as the page shows them
	newest    time.Time       // time of the newest data file
}

// inBundle returns the selection that plans the studies of a bundle that was extracted to dir.
func (s Selection) inBundle(dir string) Selection {
	s.Out, s.Studies, s.Stale = filepath.Join(dir, bundleResults), "", true
	return s
}

// collect adds all files of the studies and those that describe them.
func (b *bundler) collect(ctx context.Context, studies []*Study) error {
	b.content.Format, b.content.Program, b.content.Selection = bundleFormat, b.workspace.Program, b.selection
	if len(b.selection.Until) == 0 {
		b.content.Selection.MaxReplications = 0
	}
	for _, study := range studies {
		if err := b.addStudy(ctx, study); err != nil {
			return err
		}
	}
	if err := b.addPage(ctx); err != nil {
		return err
	}
	if err := b.addMade(); err != nil {
		return err
	}
	if err := b.content.inputs.check(); err != nil {
		return err
	}
	if b.options.WithTraces {
		if err := b.addTraces(studies); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(b.content, "", "  ")
	if err != nil {
		return err
	}
	b.add(archive.File{Name: bundleFile, Content: append(text, '\n')})
	b.add(archive.File{Name: bundleCFF, Content: b.options.Citation})
	b.add(archive.File{Name: bundleReadme, Content: []byte(b.readme())})
	return nil
}

// add adds a file, once: studies share files.
func (b *bundler) add(f archive.File) {
	if !b.written[f.Name] {
		b.written[f.Name] = true
		b.files = append(b.files, f)
	}
}

// addStudy adds the files and data files of a study, and makes its tables and figures.
func (b *bundler) addStudy(ctx context.Context, s *Study) error {
	result, err := s.Result(ctx)
	if err != nil {
		return err
	}
	snapshot, ids, err := s.committed(ctx)
	if err != nil {
		return err
	}
	staged := *s
	staged.Dir = filepath.Join(b.selection.inBundle(b.dir).Root(), s.Config.Name.Value)
	if err := staged.writeResult(ctx, result); err != nil {
		return err
	}
	if err := pipeline.RecordPlan(staged.RecordFile(), s.Plan, snapshot.Finished()); err != nil {
		return err
	}
	if err := snapshot.Verify(ctx, ids); err != nil {
		return err
	}
	digest, err := snapshot.Digest(ctx, ids)
	if err != nil {
		return err
	}
	data, err := snapshot.Files(ctx, ids)
	if err != nil {
		return err
	}
	if err := b.addData(s.Dir, staged.Dir, data); err != nil {
		return err
	}
	file, err := b.addSources(s)
	if err != nil {
		return err
	}
	shown := *s // on the page, with commands and paths that do not name this folder
	shown.selection.Out = "out"
	shown.Dir = filepath.Join(shown.selection.Root(), s.Config.Name.Value)
	b.shown = append(b.shown, StudyResult{Study: &shown, Result: result})
	b.content.inputs.add(s.resolved)
	b.content.Studies = append(b.content.Studies, bundledStudy{
		Name: s.Config.Name.Value, Paper: s.Config.Paper.Value, File: file, Model: s.Model.Name,
		ModelVersion: s.Model.Version, Planned: len(s.Plan.Runs), Runs: len(ids), PlanChecksum: s.Plan.Checksum(),
		Digest: digest, Provenance: s.provenance(),
	})
	return nil
}

// addData adds the named data files of a dataset to the staged folder of its study.
func (b *bundler) addData(dataset, staged string, names []string) error {
	folder, err := filepath.Rel(b.dir, staged)
	if err != nil {
		return err
	}
	for _, name := range names {
		file := filepath.Join(dataset, filepath.FromSlash(name))
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		if info.ModTime().After(b.newest) {
			b.newest = info.ModTime()
		}
		b.add(archive.File{Name: path.Join(filepath.ToSlash(folder), name), Path: file})
	}
	return nil
}

// addSources adds the study file and the files that it needs, and returns the first one's path in
// the bundle.
func (b *bundler) addSources(s *Study) (string, error) {
	files, err := s.Config.Files()
	if err != nil {
		return "", err
	}
	names := make([]string, len(files))
	for i, f := range files {
		if names[i] = path.Join(bundleOwn, f.Path); f.InLibrary {
			names[i] = path.Join(bundleStudies, f.Path)
		}
		b.add(archive.File{Name: names[i], Content: f.Content})
	}
	return names[0], nil
}

// addPage makes the page of the paper, with the studies of the bundle alone.
func (b *bundler) addPage(ctx context.Context) error {
	paper := b.shown[0].Plan.Study.Paper
	page, err := b.workspace.page(ctx, paper, b.shown, nil)
	if err != nil {
		return err
	}
	return report.Write(ctx, b.selection.inBundle(b.dir).Root(), page)
}

// addMade adds the files that were made, except shownFile: it is for folders in which plans change.
func (b *bundler) addMade() error {
	return filepath.WalkDir(b.dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == shownFile {
			return err
		}
		name, err := filepath.Rel(b.dir, file)
		b.add(archive.File{Name: filepath.ToSlash(name), Path: file})
		return err
	})
}

// addTraces adds the files of the traces that the runs read.
func (b *bundler) addTraces(studies []*Study) error {
	b.content.TraceFiles = map[string]string{}
	from := map[string]string{}
	for _, reference := range b.content.inputs.traceFiles() {
		file := ""
		for _, study := range studies {
			file = cmp.Or(file, study.library.Path(reference))
		}
		name := path.Join(bundleTraces, filepath.Base(file))
		switch other, isTaken := from[name]; {
		case file == "":
			return fmt.Errorf("trace %s is not here, so it cannot be bundled; leave out --with-traces, which bundles its "+
				"checksum alone", reference)
		case isTaken && other != file:
			return fmt.Errorf("the traces %s and %s have one file name; leave out --with-traces, or rename one", other, file)
		}
		from[name] = file
		b.content.TraceFiles[reference] = name
		b.add(archive.File{Name: name, Path: file})
	}
	return nil
}

// crate returns the description of the bundle.
func (b *bundler) crate() archive.Crate {
	var titles []string
	runs := 0
	for i, p := range b.shown {
		titles = append(titles, p.Config.Title.Value)
		runs += b.content.Studies[i].Runs
	}
	papers, models := citations(b.shown)
	if len(papers) == 0 {
		papers = models
	}
	program := b.workspace.Program
	return archive.Crate{
		Name: strings.Join(titles, "; "),
		Description: fmt.Sprintf("Results of %s of simulation with %s: data files, tables, figures, verdicts on claims and "+
			"the page that shows them. README.md says how to verify them.", things(runs, "run"), program.Source()),
		Date:    cmp.Or(b.options.Date, b.newest.UTC().Format(time.DateOnly)),
		License: b.options.License, Papers: papers, Traces: b.content.inputs.traceFiles(), Command: program.Command,
		Version: program.Version, Commit: program.Commit, Citation: bundleCFF, Describe: describeFile,
	}
}

// describeFile says what a file of a bundle is.
func describeFile(name string) string {
	folder := path.Base(path.Dir(name))
	switch base := path.Base(name); {
	case name == bundleFile:
		return "program, plan, digests and traces of the results"
	case name == bundleCFF:
		return "how to cite the software"
	case name == bundleReadme:
		return "what the files are and how to verify them"
	case base == cellsFile:
		return "a row for each cell of the experiments and replication, for notebooks"
	case base == recordFile:
		return "the runs of each cell"
	case base == claimsFile:
		return "claims of the paper with their verdicts and evidence"
	case base == figuresFile:
		return "the numbers of the figures"
	case base == report.PageFile:
		return "the page that shows all results beside the published ones"
	case base == report.StatisticsFile:
		return "the rules of statistics and verdicts"
	case base == report.AssumptionsFile:
		return "the verdicts on each claim under alternative assumptions"
	case strings.HasPrefix(name, bundleTraces+"/"):
		return "trace that the runs read"
	case strings.HasPrefix(name, bundleStudies+"/"), strings.HasPrefix(name, bundleOwn+"/"):
		return "study file, published numbers or catalogue of traces"
	case folder == tablesFolder:
		return "table"
	case folder == figuresFolder:
		return "figure"
	case folder == model.RunsTable:
		return "data file: a row for each run"
	case path.Ext(base) == ".parquet":
		return "data file of the table " + folder
	default:
		return ""
	}
}

// readme returns the text for people who open the bundle.
func (b *bundler) readme() string {
	crate := b.crate()
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n\n%s\n\n", crate.Name, crate.Description)
	root := bundleResults
	if b.selection.Quick {
		root = path.Join(root, quickFolder)
	}
	fmt.Fprintf(&text, "- The page: `%s`\n", path.Join(root, b.shown[0].Plan.Study.Paper, report.PageFile))
	for i, s := range b.content.Studies {
		fmt.Fprintf(&text, "- `%s`: data files, `%s`, `%s`, tables and figures of the study `%s`; digest `%s`\n",
			path.Join(root, s.Name), cellsFile, claimsFile, b.content.Studies[i].File, s.Digest)
	}
	fmt.Fprintf(&text, "\n## Verify\n\n```sh\nsha256sum -c %s     # in the extracted folder\n"+
		"gridsweep verify FILE.zip\ngridsweep verify FILE.zip --rerun 10\n```\n\n", archive.ManifestFile)
	text.WriteString("The second command computes tables and verdicts again from the data files, the third also\n" +
		"simulates ten random runs again. Both need " + b.workspace.Program.Source() + ".\n")
	if list := crate.Traces; len(list) > 0 {
		text.WriteString("\n## Traces\n\nRuns read these traces, by SHA-256:\n\n")
		for _, reference := range list {
			fmt.Fprintf(&text, "- `%s`\n", reference)
		}
		isOwn := func(s bundledStudy) bool { return strings.HasPrefix(s.File, bundleOwn+"/") }
		if slices.ContainsFunc(b.content.Studies, isOwn) {
			fmt.Fprintf(&text, "\nThose with names are found as always (`gridsweep trace list`). A file that a study in\n"+
				"`%[1]s` names by its path is looked for in the working folder by `gridsweep verify --rerun`, unless\n"+
				"`%[2]s` has it, and from the folder of the study file by other commands: put the file of\n"+
				"`trace: log.swf` at `%[1]s/log.swf` before `gridsweep report %[1]s/STUDY.yaml --out %[3]s`.\n",
				bundleOwn, bundleTraces, bundleResults)
		}
	}
	text.WriteString("\n## Cite\n\n")
	for _, paper := range crate.Papers {
		fmt.Fprintf(&text, "- %s\n", paper)
	}
	fmt.Fprintf(&text, "- gridsweep %s: `%s`\n", crate.Version, bundleCFF)
	return text.String()
}
