// The traces that studies name: their references with checksums, and their jobs for runs.

package traces

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
	"gridsweep/results"
)

// checksumMark is between the name and the checksum of a reference.
const checksumMark = "@sha256:"

// SplitReference splits a reference into the name of a trace or of a user's file, and its SHA-256.
func SplitReference(reference string) (name, sum string) {
	name, sum, _ = strings.Cut(reference, checksumMark)
	return name, sum
}

// Library resolves the traces that studies name into references, and reads the traces of
// references. It looks for each file and computes its checksum once. It is safe for concurrent use.
type Library struct {
	catalogue configs.Catalogue
	// file of the catalogue to which errors advise to add a trace; empty for the user's
	own string
	*lookups
}

// lookups caches the files that were looked for, for all studies of a command.
type lookups struct {
	mu    sync.Mutex
	files map[fileKey]foundFile
	paths map[string]string // paths by reference
}

// fileKey is a trace, by its name and the file of its catalogue, or a user's file by its path. The
// name of a trace and a path may be equal.
type fileKey struct {
	catalogue string // empty for a path
	name      string
}

// foundFile is what was found for a fileKey.
type foundFile struct {
	name      string // of a reference
	path, sum string
	err       error
}

// NewLibrary returns a library of a catalogue's traces and of users' files.
func NewLibrary(catalogue configs.Catalogue) *Library {
	return &Library{catalogue: catalogue, lookups: &lookups{files: map[fileKey]foundFile{}, paths: map[string]string{}}}
}

// For returns the library of a study, which has the traces of the study's catalogue too. Both share
// their cache. It returns an error if the study's catalogue has a name of the library's.
func (l *Library) For(study *configs.Study) (*Library, error) {
	catalogue, err := study.Catalogue(l.catalogue)
	if err != nil {
		return nil, err
	}
	return &Library{catalogue: catalogue, own: study.TracesFile(), lookups: l.lookups}, nil
}

// Catalogue returns the traces with names.
func (l *Library) Catalogue() configs.Catalogue { return l.catalogue }

// Resolve returns the value of the parameter trace, see model.TraceParameter, for runs that read
// the named traces: model.TraceModel, or a reference for each name, with commas between. A study
// may give these values:
//
//   - model: the stand-in workload.
//   - auto: the named traces, or model if one of them is not found; Missing returns which.
//   - For each of the names, in their order and with commas between, what to read as that trace: a
//     name of the catalogue, or the path of a file relative to folder. @sha256: and first digits of
//     a checksum accept only the file that has it. With all digits it is a reference, and no
//     file is needed before a run reads it, so that results can be analysed without the traces.
//   - The same with NAME= before each, in any order and with names that these runs do not read.
//   - FILES|MODEL: FILES as above, or model if a trace of the catalogue among them is not found.
//     Spec.Workload of the model says which workload model that is.
//
// Where the parameter chooses the only trace that a run reads, names is that name alone; a run of a
// workload model reads none.
//
// It returns an error if a file that value names does not exist or has another checksum than the
// recorded one.
func (l *Library) Resolve(ctx context.Context, value, folder string, names []string) (string, error) {
	files := names
	value, _, hasStandIn := model.SplitStandIn(value)
	hasStandIn = hasStandIn || value == model.TraceAuto
	isNamed := len(names) == 1 && names[0] == model.TraceName(value) // value chose the trace itself
	switch {
	case value == model.TraceModel:
		return value, nil
	case isNamed:
		if files = []string{value}; strings.Contains(value, ",") {
			return "", fmt.Errorf("%q has a comma: a run reads one trace; several are levels of a factor", value)
		}
	case value == model.TraceAuto:
		for _, name := range names {
			if l.catalogue.Index(name) < 0 {
				return "", fmt.Errorf("the model reads the trace %s, which is in no catalogue; %s",
					name, HowToAdd(name, l.own))
			}
		}
	default:
		var err error
		if files, err = l.split(value, names); err != nil {
			return "", err
		}
	}
	references := make([]string, len(files))
	isMissing := false
	for i, name := range files {
		reference, err := l.reference(ctx, name, folder)
		switch {
		case hasStandIn && errors.As(err, new(*NotFoundError)):
			isMissing = true // the others are looked for all the same, so that Missing returns all
		case isNamed && errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("%w; workload models are %s", err, workloadModels())
		case err != nil:
			return "", err
		}
		references[i] = reference
	}
	if isMissing {
		return model.TraceModel, nil
	}
	return strings.Join(references, ","), nil
}

// split returns the file or name in value for each of the named traces.
func (l *Library) split(value string, names []string) ([]string, error) {
	files := strings.Split(value, ",")
	named, alone := map[string]string{}, "" // files by NAME; an entry without a NAME
	for i := range files {
		files[i] = strings.TrimSpace(files[i])
		name, file, found := strings.Cut(files[i], "=")
		name = strings.TrimSpace(name)
		if !found || l.catalogue.Index(name) < 0 && !slices.Contains(names, name) {
			alone = files[i] // a = in it is part of a path
			continue
		}
		if _, twice := named[name]; twice {
			return nil, fmt.Errorf("%q names %s twice; say once which file is read as it", value, name)
		}
		if named[name] = strings.TrimSpace(file); named[name] == "" {
			return nil, fmt.Errorf("%q has no file after %s=", value, name)
		}
	}
	switch {
	case len(named) == 0 && len(files) != len(names):
		return nil, fmt.Errorf("%q names %d of the %d traces that are read, %s; write auto, model, or one file for each, "+
			"with commas between, as %s", value, len(files), len(names), strings.Join(names, ", "), assigned(names))
	case len(named) == 0:
		return files, nil
	case len(named) < len(files):
		name, _, _ := strings.Cut(alone, "=")
		return nil, fmt.Errorf("%q in %q does not begin with a trace of the catalogue and =, as the others do; %s",
			alone, value, l.suggest(strings.TrimSpace(name)))
	}
	files = files[:0]
	for _, name := range names {
		file, known := named[name]
		if !known {
			return nil, fmt.Errorf("%q has no file for the trace %s, which is read too; add %s",
				value, name, assigned([]string{name}))
		}
		files = append(files, file)
	}
	return files, nil
}

// assigned returns the form of a value that assigns a file to each trace.
func assigned(names []string) string { return strings.Join(names, "=FILE,") + "=FILE" }

// reference returns the reference for the text NAME or NAME@sha256:DIGITS of a trace or file.
func (l *Library) reference(ctx context.Context, text, folder string) (string, error) {
	name, want, _ := strings.Cut(text, checksumMark)
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.lookUp(ctx, name, folder)
	isMissing := errors.As(f.err, new(*NotFoundError)) || errors.Is(f.err, fs.ErrNotExist)
	switch {
	case isMissing && results.IsChecksum(want):
		return f.name + checksumMark + strings.ToLower(want), nil
	case f.err != nil:
		return "", f.err
	case !strings.HasPrefix(f.sum, strings.ToLower(want)):
		return "", fmt.Errorf("trace %s: %s has the SHA-256 %s, not %s; get the file that has it, or say %s alone",
			name, f.path, f.sum, want, name)
	}
	reference := f.name + checksumMark + f.sum
	l.paths[reference] = f.path
	return reference, nil
}

// lookUp finds and verifies a file, once.
func (l *Library) lookUp(ctx context.Context, name, folder string) foundFile {
	key := fileKey{name: name}
	i := l.catalogue.Index(name)
	inCatalogue := i >= 0
	switch {
	case inCatalogue:
		key.catalogue = l.catalogue[i].Name.Pos.File
	case !filepath.IsAbs(name):
		key.name = filepath.Join(folder, name)
	}
	if f, known := l.files[key]; known {
		return f
	}
	f := foundFile{name: name, path: key.name}
	if inCatalogue {
		f.path, f.err = FindIn(l.catalogue[i], FoldersOf(l.catalogue[i])...)
	} else {
		f.name = filepath.Base(name)
	}
	// a pipe would be empty at the next reading; of a folder Verify returns an error
	if info, err := os.Stat(f.path); f.err == nil && err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f.err = fmt.Errorf("%s is no regular file: what runs read has to be the same each time", f.path)
	}
	if f.err == nil {
		f.sum, _, f.err = Verify(ctx, f.path)
	}
	if !inCatalogue && errors.Is(f.err, fs.ErrNotExist) {
		f.err = fmt.Errorf("%q is neither auto, model, a trace of the catalogue nor a file: %w; %s",
			name, f.err, l.suggest(name))
		if !strings.ContainsAny(name, `./\`) { // a name, and no path
			f.err = fmt.Errorf("%w; %s", f.err, HowToAdd(name, l.own))
		}
	}
	l.files[key] = f
	return f
}

func (l *Library) suggest(name string) string {
	return configs.Suggest(name, append([]string{model.TraceAuto, model.TraceModel}, l.catalogue.Names()...)).String()
}

// workloadModels lists the workload models that a study may name in place of a trace.
func workloadModels() string {
	var names []string
	for _, m := range workload.Models() {
		if m.Scalable {
			names = append(names, m.Name)
		}
	}
	return strings.Join(names, ", ") + " and those of sites, such as " + model.WorkloadTrace(workload.Sites()[0].Name)
}

// Missing returns the names of the catalogue's traces that were looked for and not found, in the
// order of the catalogue.
func (l *Library) Missing() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var names []string
	for _, t := range l.catalogue {
		if errors.As(l.files[fileKey{t.Name.Pos.File, t.Name.Value}].err, new(*NotFoundError)) {
			names = append(names, t.Name.Value)
		}
	}
	return names
}

// Path returns the file of a reference that Resolve returned, or "" if it was not found.
func (l *Library) Path(reference string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paths[reference]
}

// Use makes a file, such as one in a bundle of results, that of a reference. Log verifies that it
// has the checksum of the reference.
func (l *Library) Use(reference, path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paths[reference] = path
}

// Log reads the trace of a reference that Resolve returned. It returns an error if the file is
// missing, was changed since or has a malformed line. When ctx is done, it returns its error.
func (l *Library) Log(ctx context.Context, reference string) (*trace.Log, error) {
	path := l.Path(reference)
	if path == "" {
		return nil, fmt.Errorf("trace %s is not here; gridsweep trace list shows which traces are", reference)
	}
	_, want := SplitReference(reference)
	file, err := Open(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := trace.NewReader(file, path, trace.Options{})
	jobs, err := reader.ReadAll()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	sum := file.Checksum()
	if err != nil { // if the file was changed, that is the better explanation
		sum, _ = sumOf(ctx, path)
	}
	if sum != "" && sum != want {
		return nil, fmt.Errorf("trace %s: %s now has the SHA-256 %s: it was changed after the plan was made; "+
			"put the file back, or make a plan with the new one", reference, path, sum)
	}
	if err != nil {
		return nil, err
	}
	return &trace.Log{Jobs: jobs, Header: reader.Header()}, nil
}

// ReadFirst reads the first job of a reference that Resolve returned, if its file was found, to
// find out before any run whether it is a trace. It does not verify the checksum.
func (l *Library) ReadFirst(ctx context.Context, reference string) error {
	path := l.Path(reference)
	if path == "" {
		return nil
	}
	file, err := Open(ctx, path, nil)
	if err != nil {
		return err
	}
	defer file.Close()
	err = trace.NewReader(file, path, trace.Options{}).Read(new(trace.Job))
	if errors.Is(err, io.EOF) {
		return nil // a run says that the trace has no job
	}
	return err
}
