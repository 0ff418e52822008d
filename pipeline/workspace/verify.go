// Verification of bundles: checksums, and what their rows give when they are analysed again.

package workspace

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/analysis"
	"gridsweep/analysis/report"
	"gridsweep/analysis/tabulate"
	"gridsweep/pipeline"
	"gridsweep/pipeline/archive"
	"gridsweep/results"
)

// Bundle is a bundle that was extracted, with its studies.
type Bundle struct {
	Studies []*Study // planned as they were bundled; their folders are in that of the bundle
	Files   int      // number of files, which all have the right checksums
	Program Program  // the program that made the bundle, without its command

	content bundleContent
	dir     string
}

// OpenBundle extracts a bundle into an empty folder, verifies every checksum and opens its studies
// as Open does, except that their traces may be missing on this machine. It calls progress after
// each file. The error names what is wrong with the bundle, or why this program cannot plan its
// studies.
func (w *Workspace) OpenBundle(
	ctx context.Context, file, dir string, progress func(done, total int),
) (b *Bundle, err error) {
	content, files, err := extractBundle(ctx, file, dir, progress)
	if err != nil {
		return nil, err
	}
	b = &Bundle{Files: files, Program: content.Program, content: content, dir: dir}
	planner := *w // the same with the traces, programs and studies of the bundle
	planner.recorded = &b.content.inputs
	// The folder may be missing; then the library has no studies of it.
	planner.Studies = w.Studies.With(os.DirFS(filepath.Join(dir, bundleStudies)))
	var names []string
	for _, s := range b.content.Studies {
		if library, found := strings.CutPrefix(s.File, bundleStudies+"/"); found {
			names = append(names, strings.TrimSuffix(library, ".yaml"))
			continue
		}
		names = append(names, filepath.Join(dir, filepath.FromSlash(s.File)))
	}
	if b.Studies, err = planner.Open(ctx, b.content.Selection.inBundle(dir), names); err != nil {
		return nil, cmp.Or(ctx.Err(), fmt.Errorf("%s: this program cannot plan the study: %w\nit was made by %s",
			file, err, b.Program.Source()))
	}
	if len(b.Studies) != len(names) {
		return nil, fmt.Errorf("%s: %s and its files have different numbers of studies, %d and %d", file, bundleFile,
			len(names), len(b.Studies))
	}
	for i, s := range b.content.Studies {
		if b.Studies[i].Config.Name.Value != s.Name {
			return nil, fmt.Errorf("%s: %s names the study %q, but %s is another", file, bundleFile, s.Name, s.File)
		}
		b.Studies[i].Name = s.Name // not the path in the temporary folder
	}
	return b, nil
}

// extractBundle extracts a bundle into an empty folder and verifies every checksum. It returns the
// content of bundleFile and the number of files.
func extractBundle(
	ctx context.Context, file, dir string, progress func(done, total int),
) (content bundleContent, files int, err error) {
	zip, closer, err := archive.Open(file)
	if err != nil {
		return content, 0, err
	}
	defer closer.Close()
	text, err := zip.Content(bundleFile)
	if err != nil {
		return content, 0, fmt.Errorf("%s: %w", file, err)
	}
	if err := content.parse(text); err != nil {
		return content, 0, fmt.Errorf("%s: %s %w", file, bundleFile, err)
	}
	if err := zip.Extract(ctx, dir, progress); err != nil {
		return content, 0, cmp.Or(ctx.Err(), fmt.Errorf("%s: %w", file, err))
	}
	return content, len(zip.Names()), nil
}

// parse reads bundleFile. It returns an error if one of its paths leads out of a bundle.
func (c *bundleContent) parse(text []byte) error {
	if err := json.Unmarshal(text, c); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	switch {
	case c.Format != bundleFormat:
		return fmt.Errorf("has the format %d; this program reads %d: it needs the program that made the bundle, %s %s",
			c.Format, bundleFormat, c.Program.Version, c.Program.Commit)
	case len(c.Studies) == 0:
		return fmt.Errorf("names no study")
	}
	files := slices.Collect(maps.Values(c.TraceFiles))
	for _, s := range c.Studies {
		if !filepath.IsLocal(s.Name) {
			return fmt.Errorf("names the study %q, which is no name of a folder", s.Name)
		}
		files = append(files, s.File)
	}
	for _, file := range files {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			return fmt.Errorf("names %q, which is no file of a bundle", file)
		}
	}
	return nil
}

// Verify computes the checksum of the plan and the digest, cells, tables and verdicts of the
// bundle's rows and returns how they differ from those in the bundle; none if they agree. Numbers
// of claims may differ by their last digits, as they do between processors. The error is of reading
// or analysing the rows.
func (b *Bundle) Verify(ctx context.Context) (differences []string, err error) {
	for i, study := range b.Studies {
		found, err := b.verifyStudy(ctx, study, b.content.Studies[i])
		if err != nil {
			return nil, fmt.Errorf("verify %s: %w", study.Name, err)
		}
		for _, difference := range found {
			differences = append(differences, study.Config.Name.Value+": "+difference)
		}
	}
	return differences, nil
}

// verifyStudy compares plan, rows and files of one study with what the bundle recorded. It notes
// runs that another source of the model made.
func (b *Bundle) verifyStudy(ctx context.Context, s *Study, recorded bundledStudy) (differences []string, err error) {
	differ := func(format string, args ...any) { differences = append(differences, fmt.Sprintf(format, args...)) }
	if plan := s.Plan.Checksum(); plan != recorded.PlanChecksum {
		differ("the plan of this program has the checksum %s and %s, that of the bundle %s and %s", plan,
			things(len(s.Plan.Runs), "run"), recorded.PlanChecksum, things(recorded.Planned, "run"))
	}
	result, err := s.Result(ctx)
	if err != nil {
		return nil, err
	}
	stale, err := s.Stale(ctx)
	if err != nil {
		return nil, err
	}
	if stale != "" {
		s.workspace.note("%s: %s", s.Config.Name.Value, stale)
	}
	snapshot, ids, err := s.committed(ctx)
	if err != nil {
		return nil, err
	}
	if len(ids) != recorded.Runs {
		differ("the dataset has %s of the plan, %s says %d", things(len(ids), "run"), bundleFile, recorded.Runs)
	}
	if err := snapshot.Verify(ctx, ids); err != nil {
		return nil, err
	}
	digest, err := snapshot.Digest(ctx, ids)
	if err != nil {
		return nil, err
	}
	if digest != recorded.Digest {
		differ("the digest of the rows is %s, %s says %s", digest, bundleFile, recorded.Digest)
	}
	files, err := b.compareFiles(ctx, s, recorded.Provenance, snapshot, result)
	return append(differences, files...), err
}

// compareFiles makes the cells, the record of the plan, the tables and the claims of a study again
// and compares them with those of the bundle, which also has to have the figures and the page.
func (b *Bundle) compareFiles(
	ctx context.Context, s *Study, provenance results.Provenance, snapshot *results.Snapshot, result *analysis.Result,
) (differences []string, err error) {
	again := filepath.Join(b.dir, "again", s.Config.Name.Value)
	if err := analysis.WriteCells(ctx, s.Plan, snapshot, filepath.Join(again, cellsFile), provenance); err != nil {
		return nil, err
	}
	if err := pipeline.RecordPlan(filepath.Join(again, recordFile), s.Plan, snapshot.Finished()); err != nil {
		return nil, err
	}
	if err := tabulate.Write(ctx, filepath.Join(again, tablesFolder), result.Tables); err != nil {
		return nil, err
	}
	var claims bytes.Buffer
	if err := analysis.WriteClaims(&claims, result); err != nil {
		return nil, err
	}
	for _, file := range []string{cellsFile, recordFile} {
		if text := compareBytes(filepath.Join(s.Dir, file), filepath.Join(again, file)); text != "" {
			differences = append(differences, file+" "+text)
		}
	}
	tables, err := compareTables(filepath.Join(s.Dir, tablesFolder), filepath.Join(again, tablesFolder))
	if err != nil {
		return nil, err
	}
	differences = append(differences, tables...)
	var figures []string
	for _, f := range result.Figures {
		figures = append(figures, f.Name)
	}
	for _, file := range append(filesOf(nil, figures), path.Join("..", s.Config.Paper.Value, report.PageFile)) {
		if _, err := os.Stat(filepath.Join(s.Dir, filepath.FromSlash(file))); err != nil {
			differences = append(differences, path.Base(file)+" is missing")
		}
	}
	have, err := results.ReadFile(filepath.Join(s.Dir, claimsFile))
	if err != nil {
		return append(differences, claimsFile+" is missing"), nil
	}
	return append(differences, compareClaims(have, claims.Bytes())...), nil
}

// compareBytes says how a file of the bundle differs from the one that was made again; empty if
// both are equal.
func compareBytes(bundled, again string) string {
	have, err := results.ReadFile(bundled)
	if err != nil {
		return "is missing"
	}
	want, err := results.ReadFile(again)
	switch {
	case err != nil:
		return "does not come from these rows"
	case bytes.Equal(have, want):
		return ""
	case !strings.HasSuffix(bundled, ".csv"):
		return "differs from the one that these rows give"
	}
	haveLines, wantLines := strings.Split(string(have), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(haveLines), len(wantLines)) {
		if haveLines[i] != wantLines[i] {
			return fmt.Sprintf("line %d is %q, these rows give %q", i+1, haveLines[i], wantLines[i])
		}
	}
	return fmt.Sprintf("has %s, these rows give %d", things(len(haveLines)-1, "line break"), len(wantLines)-1)
}

// compareTables compares the files of two folders of tables.
func compareTables(bundled, again string) (differences []string, err error) {
	names := map[string]bool{}
	for _, dir := range []string{bundled, again} {
		entries, err := os.ReadDir(dir)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		for _, entry := range entries {
			names[entry.Name()] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if text := compareBytes(filepath.Join(bundled, name), filepath.Join(again, name)); text != "" {
			differences = append(differences, tablesFolder+"/"+name+" "+text)
		}
	}
	return differences, nil
}

// compareClaims compares two contents of claims.json: each difference is named by its keys.
func compareClaims(have, want []byte) []string {
	var a, b any
	if err := json.Unmarshal(have, &a); err != nil {
		return []string{fmt.Sprintf("%s cannot be read: %v", claimsFile, err)}
	}
	if err := json.Unmarshal(want, &b); err != nil {
		panic(err) // WriteClaims made it
	}
	return compareValues(claimsFile, a, b)
}

// compareValues compares two values of JSON.
func compareValues(key string, have, want any) []string {
	const rounding = 1e-9 // of a number; processors differ in the last digits
	switch want := want.(type) {
	case map[string]any:
		if have, isObject := have.(map[string]any); isObject {
			return compareObjects(key, have, want)
		}
	case []any:
		if have, isList := have.([]any); isList {
			return compareLists(key, have, want)
		}
	case float64:
		have, isNumber := have.(float64)
		if isNumber && math.Abs(have-want) <= rounding*max(math.Abs(have), math.Abs(want)) {
			return nil
		}
	default: // a text, a truth value or null
		if have == want {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s: is %s, these rows give %s", key, inJSON(have), inJSON(want))}
}

// compareObjects compares the values of each key. A key that is missing is equal to null.
func compareObjects(key string, have, want map[string]any) (differences []string) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(have)), maps.Keys(want))
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		differences = append(differences, compareValues(key+" "+k, have[k], want[k])...)
	}
	return differences
}

// compareLists compares the elements of each position.
func compareLists(key string, have, want []any) (differences []string) {
	if len(have) != len(want) {
		return []string{fmt.Sprintf("%s: has %d elements, these rows give %d", key, len(have), len(want))}
	}
	for i := range want {
		differences = append(differences, compareValues(key+" "+elementName(want[i], i), have[i], want[i])...)
	}
	return differences
}

// elementName returns the name of an element of a list, or its number from 1.
func elementName(element any, i int) string {
	if object, isObject := element.(map[string]any); isObject {
		if name, isText := object["name"].(string); isText {
			return fmt.Sprintf("%q", name)
		}
	}
	return fmt.Sprint(i + 1)
}

// inJSON returns a value for a message, shortened.
func inJSON(value any) string {
	const most = 100
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was parsed
	}
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
