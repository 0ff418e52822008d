// Package archive writes and reads bundles: a zip file of regular files with a manifest of their
// SHA-256 checksums and a description by RO-Crate 1.1 (https://w3id.org/ro/crate/1.1). Its one
// idea: a bundle is checked whole, by its list of files and by every byte, before anything in it is
// used. What the files mean is the business of package pipeline/workspace.
//
// Equal files give equal bytes: entries are sorted and have one fixed time.
package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"gridsweep/results"
)

// The files that describe the others.
const (
	ManifestFile = "manifest-sha256.txt" // a line for every other file, for sha256sum -c
	CrateFile    = "ro-crate-metadata.json"
)

// File is a file to write into a bundle.
type File struct {
	Name    string // path in the bundle, with slashes
	Path    string // path of the file on disk; empty where Content has its bytes
	Content []byte
}

// open returns a reader of the file.
func (f File) open() (io.ReadCloser, error) {
	if f.Path == "" {
		return io.NopCloser(bytes.NewReader(f.Content)), nil
	}
	return os.Open(f.Path)
}

// entryTime is the time of all entries, the first that a zip file can hold.
var entryTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// packedExtensions are those of files that are compressed already.
var packedExtensions = []string{".parquet", ".png", ".pdf", ".gz", ".zst", ".bz2"}

// Write writes a bundle of the files, with CrateFile made of the crate and ManifestFile, whole or
// not at all. A file that exists is replaced if isReplaced; otherwise it is the error fs.ErrExist.
// Write calls progress after each file that was written. Where ctx is done it soon returns the
// error of ctx. The error names a file that cannot be read, has an invalid name or that of another
// one, or changes meanwhile.
func Write(
	ctx context.Context, to string, isReplaced bool, files []File, crate Crate, progress func(done, total int),
) error {
	var listed []listedFile      // sorted by name
	names := map[string]string{} // by their lower case
	list := func(f File) error {
		lower := strings.ToLower(f.Name)
		if problem := nameProblem(f.Name); problem != "" {
			return fmt.Errorf("a file of the bundle has the name %q, which %s", f.Name, problem)
		}
		if other, found := names[lower]; found {
			return fmt.Errorf("two files of the bundle have the names %s and %s, which some systems do not tell apart",
				other, f.Name)
		}
		names[lower] = f.Name
		described, err := describe(ctx, f)
		byName := func(l listedFile, name string) int { return cmp.Compare(l.Name, name) }
		i, _ := slices.BinarySearchFunc(listed, f.Name, byName)
		listed = slices.Insert(listed, i, described)
		return err
	}
	for _, f := range files {
		if err := list(f); err != nil {
			return err
		}
	}
	if err := list(File{Name: CrateFile, Content: crate.encode(listed)}); err != nil {
		return err
	}
	if err := list(File{Name: ManifestFile, Content: manifest(listed)}); err != nil {
		return err
	}
	return results.WriteStream(to, isReplaced, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for i, f := range listed {
			if err := add(ctx, z, f); err != nil {
				return err
			}
			progress(i+1, len(listed))
		}
		return z.Close()
	})
}

// listedFile is a file with its SHA-256 and its size in bytes.
type listedFile struct {
	File
	sum  string
	size int64
}

// describe reads a file.
func describe(ctx context.Context, f File) (listedFile, error) {
	from, err := f.open()
	if err != nil {
		return listedFile{}, err
	}
	defer from.Close()
	sum, size, err := results.Checksum(results.UntilDone(ctx, from))
	if err != nil {
		return listedFile{}, fmt.Errorf("read %s: %w", cmp.Or(f.Path, f.Name), err)
	}
	return listedFile{f, sum, size}, nil
}

// add writes an entry. The file must still have its checksum.
func add(ctx context.Context, z *zip.Writer, f listedFile) error {
	header := &zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: entryTime}
	if slices.Contains(packedExtensions, path.Ext(f.Name)) {
		header.Method = zip.Store
	}
	header.SetMode(0o644)
	to, err := z.CreateHeader(header)
	if err != nil {
		return err
	}
	from, err := f.open()
	if err != nil {
		return err
	}
	defer from.Close()
	sum, _, err := results.Checksum(io.TeeReader(results.UntilDone(ctx, from), to))
	switch {
	case err != nil:
		return err
	case sum != f.sum:
		return fmt.Errorf("%s changed while the bundle was written; write it again when nothing else writes there",
			cmp.Or(f.Path, f.Name))
	}
	return nil
}

// manifest returns the content of ManifestFile for the files, which are sorted by name.
func manifest(files []listedFile) []byte {
	var text bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&text, "%s  %s\n", f.sum, f.Name)
	}
	return text.Bytes()
}

// parseManifest returns the SHA-256 of each file that a manifest lists.
func parseManifest(text []byte) (map[string]string, error) {
	sums := map[string]string{}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		sum, name, found := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		switch _, isListed := sums[name]; {
		case !found || !results.IsChecksum(sum):
			return nil, fmt.Errorf("%s, line %d: %q is not a SHA-256, two spaces and a file", ManifestFile, n, shorten(line))
		case isListed:
			return nil, fmt.Errorf("%s, line %d: lists %q twice", ManifestFile, n, shorten(name))
		}
		sums[name] = strings.ToLower(sum)
	}
	return sums, nil
}

// shorten returns the beginning of a text that may be long.
func shorten(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
