// Open traces, unpacked from gzip, zstd or bzip2.

package traces

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// File is an open trace. Read returns its unpacked content.
type File struct {
	name     string
	packing  string        // gzip, zstd, bzip2, or empty
	raw      *bufio.Reader // the file as it is stored
	sum      hash.Hash     // of what raw has read of the file
	content  io.Reader     // raw, unpacked
	closers  []func() error
	checksum string
	recorded string // checksum in FILE.sha256; empty if there is none
}

const gzipMagic = "\x1f\x8b"

// packings are the known packings, by the first bytes of a file.
var packings = []struct {
	name, magic string
	unpack      func(*File) (io.Reader, error) // nil if it is not supported
}{
	{"gzip", gzipMagic, (*File).gunzip},
	{"zstd", "\x28\xb5\x2f\xfd", (*File).unzstd},
	{"bzip2", "BZh", func(f *File) (io.Reader, error) { return bzip2.NewReader(f.raw), nil }},
	{"xz", "\xfd7zXZ\x00", nil},
	{"zip", "PK\x03\x04", nil},
}

// Open opens a trace, plain or packed with gzip, zstd or bzip2, which its first bytes determine.
// The path "-" is stdin unless this is nil. It returns an error if the file cannot be read or has
// another packing, or if FILE.sha256 is malformed. When ctx is done, Open and Read return its
// error, also while they wait for a pipe.
func Open(ctx context.Context, path string, stdin io.Reader) (*File, error) {
	f := &File{name: path, sum: sha256.New()}
	var source io.Reader
	if path == "-" && stdin != nil {
		f.name = "standard input"
		source = standardInput(ctx, stdin)
	} else {
		file, err := openSource(ctx, path)
		if err != nil {
			return nil, err
		}
		f.closers = append(f.closers, file.Close)
		if f.recorded, err = recorded(path); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		source = file
	}
	if err := f.unpack(io.TeeReader(source, f.sum)); err != nil {
		return nil, errors.Join(f.explain(err), f.Close())
	}
	return f, nil
}

// unpack determines the packing of the source and prepares to read its content.
func (f *File) unpack(source io.Reader) error {
	f.raw = bufio.NewReaderSize(source, 64<<10)
	f.content = f.raw
	first, err := f.raw.Peek(6)
	if err != nil && !errors.Is(err, io.EOF) {
		return f.failed(err)
	}
	for _, p := range packings {
		if !bytes.HasPrefix(first, []byte(p.magic)) {
			continue
		}
		if p.unpack == nil {
			return fmt.Errorf("%s: is packed with %s: unpack it first, or pack it with gzip, zstd or bzip2", f.name, p.name)
		}
		f.packing = p.name
		if f.content, err = p.unpack(f); err != nil {
			return f.failed(err)
		}
	}
	return nil
}

func (f *File) gunzip() (io.Reader, error) {
	reader, err := gzip.NewReader(f.raw)
	if err != nil {
		return nil, err
	}
	reader.Multistream(false) // members handles the end of the gzip data
	return &members{Reader: reader, raw: f.raw}, nil
}

// members reads the gzip members of a file, one after the other. As gzip(1), it ignores zeros after
// the last one, which are padding of tapes. Other bytes there are an error.
type members struct {
	*gzip.Reader
	raw *bufio.Reader
	err error // error at the end
}

func (m *members) Read(to []byte) (int, error) {
	for m.err == nil {
		n, err := m.Reader.Read(to)
		if n > 0 && err == io.EOF {
			err = nil // it comes again
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		magic, err := m.raw.Peek(2)
		switch {
		case err != nil && err != io.EOF:
			m.err = err
		case string(magic) != gzipMagic:
			m.err = m.passZeros()
		default:
			if m.err = m.Reset(m.raw); m.err == nil {
				m.Multistream(false)
			}
		}
	}
	return 0, m.err
}

// passZeros reads the rest of the file. It returns io.EOF if that has only zeros, and a
// *garbageError otherwise.
func (m *members) passZeros() error {
	count, isZero := int64(0), true
	buffer := make([]byte, 4<<10)
	for {
		n, err := m.raw.Read(buffer)
		count += int64(n)
		isZero = isZero && len(bytes.TrimLeft(buffer[:n], "\x00")) == 0
		if err == io.EOF && !isZero {
			return &garbageError{count}
		}
		if err != nil {
			return err
		}
	}
}

// garbageError is the error of a file with other bytes after its gzip data.
type garbageError struct{ bytes int64 }

func (e *garbageError) Error() string {
	return fmt.Sprintf("%d bytes after the gzip data are no gzip data", e.bytes)
}

// lookAtEnd is what to do with a file of the user with a garbageError.
const lookAtEnd = "unpack the file by hand and look at its end, or get it once more"

// unzstd decodes on the caller's goroutine, with a window of at most 128 MiB as zstd(1) by default.
func (f *File) unzstd() (io.Reader, error) {
	decoder, err := zstd.NewReader(f.raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, err
	}
	f.closers = append(f.closers, func() error { decoder.Close(); return nil })
	return decoder, nil
}

// failed returns the error of reading with the file's name and, if it is packed, an explanation.
func (f *File) failed(err error) error {
	path := new(os.PathError)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &path):
		return fmt.Errorf("cannot read %s: %w", f.name, path.Err) // the path once
	case f.packing == "":
		return fmt.Errorf("cannot read %s: %w", f.name, err)
	case errors.As(err, new(*garbageError)):
		return fmt.Errorf("%s: %w; %s", f.name, err, lookAtEnd)
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return fmt.Errorf("%s: ends within its %s data: it was not copied as a whole", f.name, f.packing)
	default:
		return fmt.Errorf("%s: its %s data are damaged: %w", f.name, f.packing, err)
	}
}

// Name returns what to call the file in messages: its path as it was written, or standard input.
func (f *File) Name() string { return f.name }

// Read reads the content of the file. Errors except io.EOF and those of the context name the file.
// If the checksum at the end is not the recorded one, the error is not io.EOF and names both: the
// content must not be used.
func (f *File) Read(to []byte) (int, error) {
	n, err := f.content.Read(to)
	if err == io.EOF { // not an error that wraps it, as of a truncated header
		return n, f.finish()
	}
	if err != nil {
		err = f.explain(f.failed(err))
	}
	return n, err
}

// finish computes the checksum of the whole file. It returns io.EOF unless another one is recorded.
func (f *File) finish() error {
	if f.checksum == "" {
		if _, err := io.Copy(io.Discard, f.raw); err != nil {
			return f.failed(err)
		}
		f.checksum = hex.EncodeToString(f.sum.Sum(nil))
	}
	if f.recorded != "" && f.checksum != f.recorded {
		return differs(f.name, f.checksum, f.recorded)
	}
	return io.EOF
}

// explain returns an error of parsing the content, such as a malformed line, together with that of
// the checksum if it is not the recorded one, which explains the first. Where a checksum is
// recorded, it reads the file to its end.
func (f *File) explain(err error) error {
	if f.recorded == "" {
		return err
	}
	if other := f.finish(); other != io.EOF && f.checksum != "" {
		return fmt.Errorf("%w\n%w", err, other)
	}
	return err
}

// Checksum returns the SHA-256 of the file as it is stored, in hexadecimal digits; empty before the
// file was read to its end.
func (f *File) Checksum() string { return f.checksum }

// Close closes the file.
func (f *File) Close() error {
	var all []error
	for i := len(f.closers) - 1; i >= 0; i-- {
		all = append(all, f.closers[i]())
	}
	f.closers = nil
	return errors.Join(all...)
}

// Pack returns a writer that packs by the ending of the path: .gz or .zst; with another ending it
// does not pack. Close ends the packed data and does not close the destination. Pack returns an
// error for .bz2, .xz and .zip, which are not supported.
func Pack(path string, to io.Writer) (io.WriteCloser, error) {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".gz":
		return gzip.NewWriter(to), nil
	case ".zst":
		return zstd.NewWriter(to, zstd.WithEncoderConcurrency(1))
	case ".bz2", ".xz", ".zip":
		return nil, fmt.Errorf("%s: %s is not written: name a file that ends in .gz, .zst or neither", path, ending)
	}
	return unpacked{to}, nil
}

type unpacked struct{ io.Writer }

func (unpacked) Close() error { return nil }
