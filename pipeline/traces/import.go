// Traces of the catalogue, checked and stored from a file of the user.

package traces

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gridsweep/configs"
)

// Import stores a trace from a file of the user, plain, packed or in a .zip: it checks the file,
// copies it into the folder (the cache where dir is empty) under the catalogue's name, whole or not
// at all, and records its checksum.
//
// It returns an error if the file is no trace in the catalogue's format, or if another file is
// stored already. When ctx is done, it returns its error.
func Import(ctx context.Context, t configs.Trace, file, dir string) (Stored, error) {
	dir, err := folder(dir)
	if err != nil {
		return Stored{}, err
	}
	ending, err := endingOf(filepath.ToSlash(file))
	if err != nil {
		return Stored{}, err
	}
	earlier, err := storedBefore(ctx, t, dir)
	if err != nil {
		return earlier, err
	}
	copied := importPath(t, dir, ending)
	if err := copyFile(ctx, file, copied); err != nil {
		return Stored{}, err
	}
	stored, err := store(ctx, t, dir, copied, ending, earlier)
	if err != nil {
		err = fmt.Errorf("import trace %s from %s: %w", t.Name.Value, file, adviseFile(err))
		return stored, errors.Join(err, os.Remove(copied))
	}
	return stored, removeLeftovers(t, dir)
}

// adviseFile adds what to do to the error of a file of the user.
func adviseFile(err error) error {
	switch {
	case errors.As(err, new(*garbageError)):
		return fmt.Errorf("%w; %s", err, lookAtEnd)
	case errors.Is(err, errTooLarge) && !errors.Is(err, errNoSpace):
		return fmt.Errorf("%w; is it this trace? Commands and studies take any file by its path", err)
	default:
		return err
	}
}

// copyFile copies a file of the user. The error names it.
func copyFile(ctx context.Context, from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "copy", Path: from, Err: errors.New("is no file")}
	}
	source, err := openSource(ctx, from)
	if err != nil {
		return err
	}
	defer source.Close()
	return writeNew(to, source, info.Size())
}
