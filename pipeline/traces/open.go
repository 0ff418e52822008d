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

// File is an open trace. Its content is unpacked as it is read.
type File struct {
	name     string
	packing  string // gzip, zstd, bzip2, or empty
	raw      *bufio.Reader
	sum      hash.Hash
	content  io.Reader
	closers  []func() error
	checksum string
	recorded string // what checksum has to be; empty where no file beside it says
}

const gzipMagic = "\x1f\x8b"

// packings are what files are packed with, told by the bytes they begin with.
var packings = []struct {
	name, magic string
	unpack      func(*File) (io.Reader, error) // nil: not one that is read
}{
	{"gzip", gzipMagic, (*File).gunzip},
	{"zstd", "\x28\xb5\x2f\xfd", (*File).unzstd},
	{"bzip2", "BZh", func(f *File) (io.Reader, error) { return bzip2.NewReader(f.raw), nil }},
	{"xz", "\xfd7zXZ\x00", nil},
	{"zip", "PK\x03\x04", nil},
}

// Open opens a trace, plain or packed with gzip, zstd or bzip2, which its first bytes tell; the
// path "-" is stdin. It returns an error where the file cannot be read, is packed in another way,
// or where FILE.sha256 beside it is no record of a checksum. When ctx is done, Open and reading end
// with its error, also where they wait for a pipe.
func Open(ctx context.Context, path string, stdin io.Reader) (*File, error) {
	f := &File{name: path, sum: sha256.New()}
	var source io.Reader
	if path == "-" {
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
		return nil, errors.Join(f.Explain(err), f.Close())
	}
	return f, nil
}

// unpack finds out how the source is packed and prepares to read what is in it.
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
	reader.Multistream(false) // which would take whatever follows for damaged gzip data
	return &members{Reader: reader, raw: f.raw}, nil
}

// members reads the gzip members of a file, one after the other. As gzip(1) does, it passes over
// zeros behind the last one, with which tapes are filled up. Anything else there is an error.
type members struct {
	*gzip.Reader
	raw *bufio.Reader
	err error // at the end
}

func (m *members) Read(to []byte) (int, error) {
	for m.err == nil {
		n, err := m.Reader.Read(to)
		if n > 0 && err == io.EOF {
			err = nil // it is there the next time
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		magic, err := m.raw.Peek(2)
		if string(magic) != gzipMagic {
			m.err = m.passZeros(err)
		} else if m.err = m.Reset(m.raw); m.err == nil {
			m.Multistream(false)
		}
	}
	return 0, m.err
}

// passZeros reads the rest of the file. It returns io.EOF where that is zeros alone, and a
// *garbageError otherwise; err is that of looking at its first bytes.
func (m *members) passZeros(err error) error {
	count, isZero := int64(0), true
	for err == nil || err == io.EOF {
		var rest []byte
		rest, err = m.raw.Peek(max(1, m.raw.Buffered()))
		if len(rest) == 0 {
			break
		}
		isZero = isZero && len(bytes.TrimLeft(rest, "\x00")) == 0
		count += int64(len(rest))
		if _, err := m.raw.Discard(len(rest)); err != nil {
			return err
		}
	}
	switch {
	case err != nil && err != io.EOF:
		return err
	case !isZero:
		return &garbageError{count}
	default:
		return io.EOF
	}
}

// garbageError is the error of a file with so many bytes behind its gzip data.
type garbageError struct{ bytes int64 }

func (e *garbageError) Error() string {
	return fmt.Sprintf("%d bytes after the gzip data are no gzip data", e.bytes)
}

// lookAtEnd is what to do with a file of the user's that has such bytes.
const lookAtEnd = "unpack the file by hand and look at its end, or get it once more"

// unzstd reads in this goroutine alone, and keeps no more than 128 MiB in reach, as the program
// zstd does by default.
func (f *File) unzstd() (io.Reader, error) {
	decoder, err := zstd.NewReader(f.raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, err
	}
	f.closers = append(f.closers, func() error { decoder.Close(); return nil })
	return decoder, nil
}

// failed returns the error of reading with the file's name and, where it is packed, what that
// means.
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

// Name returns what to call the file in messages: its path as given, or standard input.
func (f *File) Name() string { return f.name }

// Read reads what is in the file. Errors but io.EOF and those of the context name the file. At the
// end, where the checksum is not the recorded one, there is an error that names both instead of
// io.EOF: what was read is not to be used.
func (f *File) Read(to []byte) (int, error) {
	n, err := f.content.Read(to)
	if err == io.EOF { // and none that wraps it: a header cut off
		return n, f.finish()
	}
	if err != nil {
		err = f.Explain(f.failed(err))
	}
	return n, err
}

// finish takes the checksum, of bytes behind the packed data too, and returns io.EOF where it is
// right.
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

// Explain returns the error of one who could make nothing of the content, such as a malformed line:
// if a checksum was recorded for the file and it has another, that is said too, since it explains
// the rest. It reads the file to its end.
func (f *File) Explain(err error) error {
	if f.recorded == "" {
		return err
	}
	if other := f.finish(); other != io.EOF && f.checksum != "" {
		return fmt.Errorf("%w\n%w", err, other)
	}
	return err
}

// Checksum returns the SHA-256 of the file as it is stored, packed or not, in hexadecimal digits;
// empty before the file was read to its end.
func (f *File) Checksum() string { return f.checksum }

// Close gives the file back. It returns the error of doing so.
func (f *File) Close() error {
	var all []error
	for i := len(f.closers) - 1; i >= 0; i-- {
		all = append(all, f.closers[i]())
	}
	f.closers = nil
	return errors.Join(all...)
}

// Pack returns a writer that packs what it is given as the ending of the path says: .gz and .zst;
// any other is not packed. To close it ends the packed data, not the destination. It returns an
// error for .bz2, .xz and .zip, which are not written.
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
