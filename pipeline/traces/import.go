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

// Import takes a trace from a file of the user's, plain, packed or in a .zip: it checks that it is
// one, copies it into the folder (the cache where dir is empty) under the catalogue's name, whole
// or not at all, and records its checksum.
//
// It returns an error where the file is no trace in the catalogue's format, or where another file
// is there already; and ctx's where that is done.
func Import(ctx context.Context, t configs.Trace, file, dir string) (Stored, error) {
	dir, err := folder(dir)
	if err != nil {
		return Stored{}, err
	}
	ending, err := endingOf(filepath.ToSlash(file))
	if err != nil {
		return Stored{}, err
	}
	there, err := before(ctx, t, dir)
	if err != nil {
		return there, err
	}
	part := importPath(t, dir, ending)
	if err := copyFile(ctx, file, part); err != nil {
		return Stored{}, err
	}
	stored, err := storeBeside(ctx, there, t, dir, part, ending)
	if err != nil {
		err = fmt.Errorf("import trace %s from %s: %w", t.Name.Value, file, adviseFile(err))
		return stored, errors.Join(err, os.Remove(part))
	}
	return stored, removeParts(t, dir)
}

// adviseFile adds to the error of a file of the user's what to do.
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

// storeBeside is store, unless a trace is there: then it may only be the same.
func storeBeside(
	ctx context.Context, there Stored, t configs.Trace, dir, part, ending string,
) (Stored, error) {
	if !there.Before {
		return store(ctx, t, dir, part, ending)
	}
	member, err := extracted(ctx, t, part, ending)
	if err != nil {
		return Stored{}, err
	}
	sum, err := sumOf(ctx, member)
	if err == nil && sum != there.Checksum {
		err = fmt.Errorf("%s is another file, with the SHA-256 %s instead of %s; remove it and its %s first to replace it",
			there.Path, there.Checksum, sum, recordEnding)
	}
	if member != part {
		err = errors.Join(err, os.Remove(member))
	}
	if err != nil {
		return Stored{}, err
	}
	return there, os.Remove(part)
}

// copyFile copies a file of the user's; the error names it.
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
