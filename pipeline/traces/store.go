// The folder of traces: the names of stored and partial files, and how a trace gets there.

package traces

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	slashpath "path"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/configs"
	"gridsweep/model/trace"
	"gridsweep/results"
)

// Stored is a trace in its folder.
type Stored struct {
	Path     string
	Checksum string // SHA-256 of the file, in hexadecimal digits
	Before   bool   // it was stored before, with this checksum
	Jobs     int    // lines that are jobs; 0, not counted, if it was stored before
}

// folder returns the folder of stored traces, dir or else the cache, and makes it.
func folder(dir string) (string, error) {
	if dir == "" {
		var err error
		if dir, err = cacheFolder(); err != nil {
			return "", err
		}
	}
	return dir, results.MakeFolder(dir)
}

// storedBefore returns the trace if it is in the folder already. It verifies the file, and records
// its checksum if that is not recorded. It returns an error for a trace whose files are all outside
// that folder.
func storedBefore(ctx context.Context, t configs.Trace, dir string) (Stored, error) {
	if t.Kept() == "" {
		return Stored{}, fmt.Errorf("trace %s is looked for at %s alone: put it there, or give %s a name without "+
			"a folder above it", t.Name.Value, strings.Join(filesOf(t), ", "), t.Name.Pos)
	}
	path, err := FindIn(t, dir)
	if errors.As(err, new(*NotFoundError)) {
		return Stored{}, nil
	}
	if err != nil {
		return Stored{}, err
	}
	sum, isRecorded, err := Verify(ctx, path)
	if err == nil && !isRecorded {
		err = record(path, sum)
	}
	return Stored{Path: path, Checksum: sum, Before: err == nil}, err
}

// endingOf returns how the file of an address or path is packed: an ending of packedEndings, or
// .zip.
func endingOf(address string) (string, error) {
	if parsed, err := url.Parse(address); err == nil && parsed.Host != "" {
		address = parsed.Path
	}
	name := strings.ToLower(slashpath.Base(address))
	ending := slashpath.Ext(name)
	switch {
	case strings.Contains(name, ".tar.") || ending == ".tar" || ending == ".tgz" || ending == ".xz":
		return "", fmt.Errorf("%s: only plain files, .gz, .zst, .bz2 and .zip are read; unpack it and say "+
			"gridsweep trace import NAME FILE", address)
	case ending == zipEnding || slices.Contains(packedEndings, ending):
		return ending, nil
	}
	return "", nil
}

// keptPath returns the path of a stored trace with the ending of its packing.
func keptPath(t configs.Trace, dir, ending string) string {
	return filepath.Join(dir, filepath.FromSlash(t.Kept())+ending)
}

// removeLeftovers removes the files that stopped and killed downloads and imports of the trace
// left, from any address or file, after the trace was stored.
func removeLeftovers(t configs.Trace, dir string) error {
	written := map[string]bool{} // files of which results.WriteFile may have left temporary ones
	var all []error
	for _, ending := range append([]string{zipEnding}, packedEndings...) {
		d := download{partial: partialPath(t, dir, ending)}
		imported := importPath(t, dir, ending)
		files := []string{d.partial, d.originFile(), d.partial + memberEnding, imported, imported + memberEnding}
		for _, file := range files {
			all = append(all, removeIfThere(file))
		}
		written[filepath.Base(d.originFile())], written[filepath.Base(keptPath(t, dir, ending)+recordEnding)] = true, true
	}
	entries, err := results.ListFolder(dir)
	all = append(all, err)
	for _, entry := range entries {
		for name := range written {
			// A dot, the name of the file and a random number.
			random, found := strings.CutPrefix(entry.Name(), "."+name)
			if found && random != "" && strings.Trim(random, "0123456789") == "" {
				all = append(all, removeIfThere(filepath.Join(dir, entry.Name())))
			}
		}
	}
	return errors.Join(all...)
}

// partialPath returns the file that a trace with this ending is downloaded into.
func partialPath(t configs.Trace, dir, ending string) string {
	return keptPath(t, dir, ending) + ".part"
}

// importPath returns the file that a user's file with this ending is copied to.
func importPath(t configs.Trace, dir, ending string) string {
	return keptPath(t, dir, ending) + ".import"
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// store makes a complete file, or the member of a .zip, the stored trace. If the trace was stored
// earlier, the file must be equal. The caller removes the source if it is still there.
func store(ctx context.Context, t configs.Trace, dir, source, ending string, earlier Stored) (Stored, error) {
	file, err := extracted(ctx, t, source, ending)
	if err != nil {
		return Stored{}, err
	}
	stored := earlier
	if earlier.Before {
		err = compare(ctx, earlier, file)
	} else {
		stored, err = install(ctx, t, file, keptPath(t, dir, strings.TrimSuffix(ending, zipEnding)))
	}
	if err != nil && file != source {
		err = errors.Join(err, os.Remove(file))
	}
	return stored, err
}

// compare returns an error if a file is not the stored trace.
func compare(ctx context.Context, stored Stored, file string) error {
	sum, err := sumOf(ctx, file)
	if err == nil && sum != stored.Checksum {
		err = fmt.Errorf("%s is another file, with the SHA-256 %s instead of %s; remove it and its %s first to replace it",
			stored.Path, stored.Checksum, sum, recordEnding)
	}
	return err
}

// install checks a file, records its checksum and gives it its name.
func install(ctx context.Context, t configs.Trace, file, kept string) (Stored, error) {
	sum, jobs, err := check(ctx, t, file)
	if err != nil {
		return Stored{}, err
	}
	want, err := recorded(kept)
	if err != nil {
		return Stored{}, err
	}
	if want != "" && want != sum {
		return Stored{}, fmt.Errorf("it has the SHA-256 %s, but %s recorded %s when the trace was stored before: the "+
			"archive changed it, or something damages it on the way; remove the record if the change is meant, and try again",
			sum, kept+recordEnding, want)
	}
	if want == "" {
		if err := record(kept, sum); err != nil {
			return Stored{}, err
		}
	}
	return Stored{Path: kept, Checksum: sum, Jobs: jobs}, results.RenameFile(file, kept)
}

// checkedJobs is how many lines at the beginning of a trace must be jobs in its format.
const checkedJobs = 100

// check returns the checksum of a trace and its number of jobs. The first lines must be jobs in the
// catalogue's format; later ones need not be, as in traces of some archives, except the last line,
// since a truncated file ends within a line. A packed file must be complete, and its content not
// larger than the limit of the trace.
func check(ctx context.Context, t configs.Trace, path string) (sum string, jobs int, err error) {
	format := trace.Detect
	if t.Format.Value != "" {
		if format, err = trace.ParseFormat(t.Format.Value); err != nil {
			return "", 0, err
		}
	}
	file, err := Open(ctx, path, nil)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	reader := trace.NewReader(&limitedReader{source: file, trace: t}, "the file", trace.Options{Format: format})
	var job trace.Job
	var wrong *trace.LineError // of the last line
	var garbage *garbageError
	for n := 0; ; n++ {
		err := reader.Read(&job)
		switch {
		case errors.Is(err, io.EOF) && n == 0:
			return "", 0, errors.New("the file has no job")
		case errors.Is(err, io.EOF) && wrong != nil:
			return "", 0, fmt.Errorf("it ends half way: %w", wrong)
		case errors.Is(err, io.EOF):
			return file.Checksum(), jobs, nil
		case err == nil:
			wrong = nil
			jobs++
		case errors.As(err, &garbage):
			return "", 0, garbage // without its advice: the file is a copy that is removed
		case !errors.As(err, &wrong):
			return "", 0, err
		case n < checkedJobs:
			return "", 0, fmt.Errorf("it is no trace in %s: %w", cmp.Or(t.Format.Value, "a known format"), wrong)
		}
	}
}

// writeNew writes a file of at most so many bytes and syncs it to disk. After an error it removes
// the file. Unlike results.WriteFile it does not hold the content in memory, and a process that is
// killed leaves a part of the file.
func writeNew(path string, source io.Reader, size int64) (err error) {
	if err := checkSpace(freeSpace, filepath.Dir(path), size); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	n, err := io.Copy(file, io.LimitReader(source, size+1))
	switch {
	case err != nil:
		return err
	case n > size:
		return fmt.Errorf("%w: it has more than the %d bytes that it is said to have", errTooLarge, size)
	default:
		return file.Sync()
	}
}
