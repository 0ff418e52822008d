package traces

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/configs"
	"gridsweep/model/trace"
	"gridsweep/results"
)

// Stored is a trace in the folder where it is kept.
type Stored struct {
	Path     string
	Checksum string // SHA-256 of the file, in hexadecimal digits
	Before   bool   // it was there already, with this checksum
	Jobs     int    // lines that are jobs; 0 where it was there already, for they were not counted
}

// folder returns the folder where traces are kept, made if need be.
func folder(dir string) (string, error) {
	if dir == "" {
		var err error
		if dir, err = Cache(); err != nil {
			return "", err
		}
	}
	return dir, results.MakeFolder(dir)
}

// before returns the trace that is in the folder already, verified.
func before(ctx context.Context, t configs.Trace, dir string) (Stored, error) {
	if t.Kept() == "" {
		return Stored{}, fmt.Errorf("trace %s is looked for at %s alone: put it there, or give %s a name without a folder above it",
			t.Name.Value, strings.Join(filesOf(t), ", "), t.Name.Pos)
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
	name := strings.ToLower(path.Base(address))
	ending := path.Ext(name)
	switch {
	case strings.Contains(name, ".tar.") || ending == ".tar" || ending == ".tgz" || ending == ".xz":
		return "", fmt.Errorf("%s: only plain files, .gz, .zst, .bz2 and .zip are read; unpack it and say "+
			"gridsweep trace import NAME FILE", address)
	case ending == zipEnding || slices.Contains(packedEndings, ending):
		return ending, nil
	}
	return "", nil
}

// keptPath returns where a trace of the catalogue is kept, packed as the ending says.
func keptPath(t configs.Trace, dir, ending string) string {
	return filepath.Join(dir, filepath.FromSlash(t.Kept())+ending)
}

// removeParts removes what earlier downloads and imports of the trace left that were stopped or
// killed, from whatever address or file: it is there now.
func removeParts(t configs.Trace, dir string) error {
	written := map[string]bool{} // files that results.WriteFile may have left a temporary one of
	var all []error
	for _, ending := range append([]string{zipEnding}, packedEndings...) {
		d := download{part: partPath(t, dir, ending)}
		imported := importPath(t, dir, ending)
		for _, left := range []string{d.part, d.originFile(), d.part + memberEnding, imported, imported + memberEnding} {
			all = append(all, removeIfThere(left))
		}
		written[filepath.Base(d.originFile())], written[filepath.Base(keptPath(t, dir, ending)+recordEnding)] = true, true
	}
	entries, err := results.ListFolder(dir)
	all = append(all, err)
	for _, entry := range entries {
		for name := range written {
			// A dot, the name of the file it was to become and a random number.
			random, found := strings.CutPrefix(entry.Name(), "."+name)
			if found && random != "" && strings.Trim(random, "0123456789") == "" {
				all = append(all, removeIfThere(filepath.Join(dir, entry.Name())))
			}
		}
	}
	return errors.Join(all...)
}

// partPath returns where a download of a trace goes on that is packed as the ending says.
func partPath(t configs.Trace, dir, ending string) string { return keptPath(t, dir, ending) + ".part" }

// importPath returns where a file is copied that is packed as the ending says; no download goes on
// there.
func importPath(t configs.Trace, dir, ending string) string {
	return keptPath(t, dir, ending) + ".import"
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// store puts a whole file into its place: what is in it if it is a .zip. It is checked first, and
// its checksum recorded, so that no file stands there that is not known to be the trace.
func store(ctx context.Context, t configs.Trace, dir, part, ending string) (Stored, error) {
	file, err := extracted(ctx, t, part, ending)
	if err != nil {
		return Stored{}, err
	}
	if ending == zipEnding {
		ending = ""
	}
	kept := keptPath(t, dir, ending)
	stored, err := place(ctx, t, file, kept)
	if file == part {
		return stored, err
	}
	if err != nil {
		return stored, errors.Join(err, os.Remove(file))
	}
	return stored, os.Remove(part)
}

// place checks a file, records its checksum and gives it its name.
func place(ctx context.Context, t configs.Trace, file, kept string) (Stored, error) {
	sum, jobs, err := check(ctx, t, file)
	if err != nil {
		return Stored{}, err
	}
	want, err := recorded(kept)
	if err != nil {
		return Stored{}, err
	}
	if want != "" && want != sum {
		return Stored{}, fmt.Errorf("it has the SHA-256 %s, but %s recorded %s when the trace was here before: the archive "+
			"changed it, or something damages it on the way; remove the record if the change is meant, and try again",
			sum, kept+recordEnding, want)
	}
	if want == "" {
		if err := record(kept, sum); err != nil {
			return Stored{}, err
		}
	}
	return Stored{Path: kept, Checksum: sum, Jobs: jobs}, results.RenameFile(file, kept)
}

// checkedJobs is how many lines at the beginning of a trace have to be jobs in its format.
const checkedJobs = 100

// check returns the checksum of a file and how many jobs it has if it is a trace in the catalogue's
// format: its first lines have to be jobs, as some archives' traces are not in between, and its
// last one has to be, since a file that ends half way ends within a line; what is packed has to be
// whole, and unpacked no larger than the trace can be.
func check(ctx context.Context, t configs.Trace, path string) (sum string, jobs int, err error) {
	format := trace.Detect
	if t.Format.Value != "" {
		var err error
		if format, err = trace.ParseFormat(t.Format.Value); err != nil {
			return "", 0, err
		}
	}
	file, err := Open(ctx, path, nil)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	reader := trace.NewReader(&withoutZeros{&bounded{source: file, trace: t}, 0}, "the file", trace.Options{Format: format})
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
			return "", 0, garbage // the file is a copy, of which nothing is kept to look at
		case !errors.As(err, &wrong):
			return "", 0, err
		case n < checkedJobs:
			return "", 0, fmt.Errorf("it is no trace in %s: %w", cmp.Or(t.Format.Value, "a known format"), wrong)
		}
	}
}

// withoutZeros reads a text. A zero byte in it is an error: a power failure may leave zeros in
// place of what a download had written before, which then goes on behind them.
type withoutZeros struct {
	source io.Reader
	read   int64
}

func (r *withoutZeros) Read(to []byte) (int, error) {
	n, err := r.source.Read(to)
	if i := bytes.IndexByte(to[:n], 0); i >= 0 {
		return 0, fmt.Errorf("byte %d of its text is zero: it was damaged on the way", r.read+int64(i)+1)
	}
	r.read += int64(n)
	return n, err
}

// writeNew writes a file of so many bytes, whole or not at all, and brings it to disk. A trace may
// be too large to be held in memory, as results.WriteFile has it; its file gets its name when it is
// whole and checked.
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
