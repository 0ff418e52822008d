// Traces of the catalogue, downloaded from their archives, checked and stored.

package traces

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"gridsweep/configs"
)

// FetchOptions say how a trace is fetched.
type FetchOptions struct {
	From     string         // another address than the catalogue's; empty for that
	Dir      string         // folder in which it is stored; empty for the cache
	Progress func(Progress) // called during the download, never concurrently; nil shows nothing
}

// Fetch downloads a trace, checks it, records its checksum and stores it under the catalogue's
// name, whole or not at all. A .zip is unpacked. An interrupted download is resumed. One that fails
// is retried several times after pauses, unless the error is permanent. A trace that is stored
// already is verified instead.
//
// The error names the address: it has no such file, the file is too large for this trace or the
// disk or is no trace, or an earlier fetch recorded another checksum. When ctx is done, Fetch
// returns its error.
func Fetch(ctx context.Context, t configs.Trace, options FetchOptions) (Stored, error) {
	return fetch(ctx, t, options, usualSettings)
}

func fetch(ctx context.Context, t configs.Trace, options FetchOptions, settings settings) (Stored, error) {
	dir, err := folder(options.Dir)
	if err != nil {
		return Stored{}, err
	}
	if stored, err := storedBefore(ctx, t, dir); err != nil {
		return stored, err
	} else if stored.Before {
		return stored, removeLeftovers(t, dir) // of a process that was killed at its end
	}
	address := cmp.Or(options.From, t.Address.Value)
	if address == "" {
		return Stored{}, fmt.Errorf("fetch trace %s: %s has no address of it; name one with --from, or say "+
			"gridsweep trace import %s FILE", t.Name.Value, t.Name.Pos, t.Name.Value)
	}
	if err := checkAddress(address); err != nil {
		return Stored{}, fmt.Errorf("fetch trace %s from %s: %w", t.Name.Value, redacted(address), err)
	}
	ending, err := endingOf(address)
	if err != nil {
		return Stored{}, err
	}
	if options.Progress == nil {
		options.Progress = func(Progress) {}
	}
	d := download{
		address: address, trace: t, partial: partialPath(t, dir, ending), settings: settings,
		Progress: Progress{Trace: t.Name.Value}, show: options.Progress,
	}
	stored, err := d.into(ctx, t, dir, ending)
	d.Ended, d.Path = true, stored.Path
	d.show(d.Progress)
	switch {
	case err != nil && ctx.Err() != nil:
		return stored, ctx.Err() // a download returns the cause of its context instead
	case err != nil:
		err = fmt.Errorf("fetch trace %s from %s: %w", t.Name.Value, redacted(address), err)
	}
	return stored, err
}

// into downloads the trace and stores it in the folder.
func (d *download) into(ctx context.Context, t configs.Trace, dir, ending string) (Stored, error) {
	if err := d.run(ctx); err != nil {
		return Stored{}, adviseAddress(err, t)
	}
	stored, err := store(ctx, t, dir, d.partial, ending, Stored{})
	switch {
	case ctx.Err() != nil:
		return stored, err // the next Fetch finds a complete download
	case err != nil:
		// The download is complete and wrong, so another attempt must start over.
		return stored, errors.Join(adviseAddress(err, t), removeIfThere(d.partial), removeIfThere(d.originFile()))
	}
	return stored, removeLeftovers(t, dir)
}

// adviseAddress adds what to do to the error of a download, unless it is of the disk.
func adviseAddress(err error, t configs.Trace) error {
	if errors.Is(err, errNoSpace) || errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%w; has it moved? see %s, and name another address with --from, or download it by hand and say "+
		"gridsweep trace import %s FILE", err, cmp.Or(t.Page.Value, "who published it"), t.Name.Value)
}
