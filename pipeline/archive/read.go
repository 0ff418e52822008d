// Reading of bundles that anybody may have made: names, sizes and checksums are verified before a
// file is used.

package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gridsweep/results"
)

// Limits against zip bombs. The files of a bundle may have mostRatio times the bytes of the zip
// file, and smallBytes more: tables and pages shrink to a tenth, while a bomb has a ratio of a
// thousand and more. Files of up to mostText bytes are read into memory.
const (
	mostRatio  = 200
	smallBytes = 64 << 20
	mostText   = 64 << 20
)

// errTooLong is the error of an entry with more bytes than its header says.
var errTooLong = errors.New("has more bytes than the zip file says")

// mostProblems is how many problems an error lists.
const mostProblems = 20

// Archive is a bundle that is open for reading.
type Archive struct {
	files map[string]*zip.File
	sums  map[string]string // SHA-256 of each file but the manifest, by the manifest
}

// Open opens a bundle and reads the list of its files and, of their content, only ManifestFile and
// CrateFile. The caller closes the file that it returns. The error says what is wrong: the bytes
// are no whole zip file, an entry is no regular file with a path below the folder of the bundle,
// files have equal names, are missing or are too many, the sizes are those of a bomb, or the
// metadata is no RO-Crate of these files.
func Open(name string) (*Archive, io.Closer, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is no regular file")
	}
	var a *Archive
	if err == nil {
		a, err = readList(file, info.Size())
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return a, file, nil
}

// readList reads the list of files of a bundle of so many bytes.
func readList(from io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(from, size)
	if err != nil {
		return nil, fmt.Errorf("is no whole zip file (%w): it is damaged, was cut off or is another file; get it again", err)
	}
	a := &Archive{files: map[string]*zip.File{}}
	if err := a.list(z.File, size); err != nil {
		return nil, err
	}
	text, err := a.Content(ManifestFile)
	if err != nil {
		return nil, err
	}
	if a.sums, err = parseManifest(text); err != nil {
		return nil, err
	}
	if err := a.compareNames(); err != nil {
		return nil, err
	}
	crate, err := a.Content(CrateFile)
	if err != nil {
		return nil, err
	}
	if err := checkCrate(crate, a.Names()); err != nil {
		return nil, fmt.Errorf("%s %w", CrateFile, err)
	}
	return a, nil
}

// list checks the entries and adds their files.
func (a *Archive) list(entries []*zip.File, size int64) error {
	var problems []string
	folded := map[string]string{}
	var unpacked, packed uint64
	limit := uint64(size)*mostRatio + smallBytes
	for _, f := range entries {
		problem := entryProblem(f)
		lower := strings.ToLower(f.Name)
		if other, found := folded[lower]; found && problem == "" {
			problem = fmt.Sprintf("has the name of another entry, %q, which some systems do not tell apart", shorten(other))
		}
		folded[lower] = f.Name
		if problem != "" {
			problems = append(problems, fmt.Sprintf("entry %q %s", shorten(f.Name), problem))
			continue
		}
		a.files[f.Name] = f
		// each entry alone first, so that the sums cannot overflow
		if f.UncompressedSize64 > limit || f.CompressedSize64 > uint64(size) {
			return fmt.Errorf("is a zip bomb or damaged: its entry %s claims %d bytes, packed %d, and the zip file has %d",
				f.Name, f.UncompressedSize64, f.CompressedSize64, size)
		}
		unpacked, packed = unpacked+f.UncompressedSize64, packed+f.CompressedSize64
		if unpacked > limit || packed > uint64(size) {
			return fmt.Errorf("is a zip bomb or damaged: its %d bytes would unpack to more than %d times as many, or its "+
				"entries overlap", size, mostRatio)
		}
	}
	return joined(problems)
}

// entryProblem says what is wrong with an entry; empty if nothing is.
func entryProblem(f *zip.File) string {
	switch {
	case nameProblem(f.Name) != "":
		return nameProblem(f.Name)
	case !f.Mode().IsRegular():
		return "is a link or another thing that is no regular file"
	case f.Flags&1 != 0:
		return "is encrypted"
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fmt.Sprintf("is packed by method %d; only stored and deflated files are read", f.Method)
	default:
		return ""
	}
}

// nameProblem says what is wrong with the name of a file in a bundle; empty if nothing is.
func nameProblem(name string) string {
	const mostName = 1000
	isHidden := func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }
	switch {
	case strings.HasSuffix(name, "/"):
		return "is a folder; a bundle lists files alone"
	case name == "" || len(name) > mostName || !utf8.ValidString(name) || strings.ContainsFunc(name, isHidden):
		return "is no name of a file"
	case strings.ContainsAny(name, `\:`) || path.Clean(name) != name || !filepath.IsLocal(filepath.FromSlash(name)):
		return "is not a plain path below the folder of the bundle"
	default:
		return ""
	}
}

// compareNames compares the files with those of the manifest.
func (a *Archive) compareNames() error {
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(a.sums)) {
		if a.files[name] == nil {
			problems = append(problems, fmt.Sprintf("%q is missing: %s lists it", shorten(name), ManifestFile))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		if _, found := a.sums[name]; !found && name != ManifestFile {
			problems = append(problems, fmt.Sprintf("%q is not listed in %s", shorten(name), ManifestFile))
		}
	}
	if _, found := a.sums[ManifestFile]; found {
		problems = append(problems, ManifestFile+" lists itself")
	}
	return joined(problems)
}

// joined returns problems as one error, a line for each of the first; nil if there are none.
func joined(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	if more := len(problems) - mostProblems; more > 0 {
		problems = append(slices.Clone(problems[:mostProblems]), fmt.Sprintf("and %d more", more))
	}
	if len(problems) == 1 {
		return errors.New(problems[0])
	}
	return errors.New("has several faults:\n    " + strings.Join(problems, "\n    "))
}

// Names returns the paths of all files, in ascending order.
func (a *Archive) Names() []string { return slices.Sorted(maps.Keys(a.files)) }

// Content returns the bytes of a file. Its checksum is compared, except that of the manifest. The
// error says that the file is missing, too large or damaged.
func (a *Archive) Content(name string) ([]byte, error) {
	f := a.files[name]
	switch {
	case f == nil:
		return nil, fmt.Errorf("has no file %s: it is no bundle of gridsweep, or not a whole one", name)
	case f.UncompressedSize64 > mostText:
		return nil, fmt.Errorf("has a file %s of %d bytes; that of a bundle has at most %d", name, f.UncompressedSize64,
			mostText)
	}
	var content bytes.Buffer
	if problem := a.copyTo(context.Background(), f, &content); problem != nil {
		return nil, fmt.Errorf("%s %w", name, problem)
	}
	return content.Bytes(), nil
}

// Extract writes all files into a folder, which has none of them yet, and verifies every checksum.
// It calls progress after each file. The error lists the damaged files, or is of ctx, which it
// returns soon after ctx is done, or of the disk.
func (a *Archive) Extract(ctx context.Context, dir string, progress func(done, total int)) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var problems []string
	for i, name := range a.Names() {
		damage, err := a.extract(ctx, root, name)
		switch {
		case err != nil:
			return fmt.Errorf("extract the bundle: %w", err)
		case damage != nil:
			problems = append(problems, fmt.Sprintf("%s %v", name, damage))
		}
		progress(i+1, len(a.files))
	}
	return joined(problems)
}

// extract writes one file. The damage is of the bundle, err of ctx or the disk.
func (a *Archive) extract(ctx context.Context, root *os.Root, name string) (damage, err error) {
	local := filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(local), 0o777); err != nil {
		return nil, err
	}
	file, err := root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	to := &results.Recorder{To: file} // keeps the error of the disk apart
	damage = a.copyTo(ctx, a.files[name], to)
	if err := errors.Join(to.Err, file.Close(), ctx.Err()); err != nil {
		return nil, err
	}
	return damage, nil
}

// copyTo copies a file and verifies its size and, if the manifest lists it, its checksum.
func (a *Archive) copyTo(ctx context.Context, f *zip.File, to io.Writer) error {
	from, err := f.Open()
	if err != nil {
		return fmt.Errorf("is damaged: %w", err)
	}
	defer from.Close()
	size := int64(f.UncompressedSize64)
	sum, n, err := results.Checksum(io.TeeReader(io.LimitReader(results.UntilDone(ctx, from), size+1), to))
	want, isListed := a.sums[f.Name]
	switch {
	case n > size:
		return errTooLong
	case err != nil:
		return fmt.Errorf("is damaged: %w", err)
	case isListed && sum != want:
		return fmt.Errorf("has the SHA-256 %s, not %s as %s says: it was changed", sum, want, ManifestFile)
	}
	return nil
}
