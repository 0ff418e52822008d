// Traces read from files: packed texts are compared with their content and checksum, cut and
// changed at every byte, and followed by other bytes. Whole logs of the archive are compared with
// its published numbers, if they are there.

package traces

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model/trace"
)

const twoJobs = "1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n2 5 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"

// bzipped is twoJobs as the program bzip2 packs it.
const bzipped = "425a6839314159265359fcc87be700001ed8000010400277002000508326202a4d5304d271b576d898c774ae13ccc7" +
	"8ac7aa2a5b0fc5dc914e14243f321ef9c0"

// packed returns the text packed as the ending says.
func packed(t *testing.T, ending, text string) string {
	t.Helper()
	if ending == ".bz2" {
		data, err := hex.DecodeString(bzipped)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var to bytes.Buffer
	w, err := Pack("log.swf"+ending, &to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return to.String()
}

var endings = []string{"", ".gz", ".zst", ".bz2"}

// The content determines the packing, under any name and from stdin, and the checksum is that of
// the stored bytes.
func TestOpen(t *testing.T) {
	for _, ending := range endings {
		stored := packed(t, ending, twoJobs)
		if (ending == "") != (stored == twoJobs) {
			t.Errorf("%s: stored as %q", ending, stored)
		}
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(stored), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{path, "-"} {
			file, err := Open(t.Context(), from, iotest.HalfReader(strings.NewReader(stored)))
			if err != nil {
				t.Fatal(err)
			}
			if file.Checksum() != "" {
				t.Errorf("%s: a checksum before the end", ending)
			}
			text, err := io.ReadAll(file)
			if string(text) != twoJobs || err != nil {
				t.Errorf("%s from %s: read %q, error %v", ending, from, text, err)
			}
			want := sha256.Sum256([]byte(stored))
			if file.Checksum() != hex.EncodeToString(want[:]) {
				t.Errorf("%s: checksum %s, want %x", ending, file.Checksum(), want)
			}
			if n, err := file.Read(make([]byte, 9)); n != 0 || err != io.EOF {
				t.Errorf("%s: after the end %d bytes, error %v", ending, n, err)
			}
			if name := map[string]string{path: path, "-": "standard input"}[from]; file.Name() != name {
				t.Errorf("name %s, want %s", file.Name(), name)
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// However much of a packed file is missing or wrong, the error names the file, and nothing panics.
func TestDamaged(t *testing.T) {
	text := strings.Repeat(twoJobs, 50)
	for _, ending := range endings[1:] {
		stored := packed(t, ending, text)
		if ending == ".bz2" {
			text = twoJobs
		}
		all := func(stored string) (string, error) {
			path := filepath.Join(t.TempDir(), "log.swf"+ending)
			if err := os.WriteFile(path, []byte(stored), 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := Open(t.Context(), path, nil)
			if err != nil {
				return "", err
			}
			defer file.Close()
			read, err := io.ReadAll(file)
			return string(read), err
		}
		for length := 5; length < len(stored); length++ {
			if read, err := all(stored[:length]); !failsWith(err, "log.swf"+ending+": ends within its ") {
				t.Fatalf("%s cut to %d of %d bytes: read %d bytes, error %v", ending, length, len(stored), len(read), err)
			}
		}
		for i := 8; i < len(stored); i++ { // after the header of the packing
			damaged := []byte(stored)
			damaged[i] ^= 0x10
			read, err := all(string(damaged))
			if err == nil && read != text {
				t.Errorf("%s with byte %d changed is read as another text", ending, i)
			}
			if err != nil && !strings.Contains(err.Error(), "log.swf"+ending) {
				t.Errorf("%s with byte %d changed: error %v", ending, i, err)
			}
		}
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"log.xz": "\xfd7zXZ\x00...", "log.zip": "PK\x03\x04..."} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), path, nil); !failsWith(err, path+": is packed with "+name[4:]) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v", err)
	}
	if _, err := Open(t.Context(), "-", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file -: error %v", err)
	}
	if _, err := Open(t.Context(), dir, nil); !failsWith(err, "cannot read "+dir+": is a directory") {
		t.Errorf("a folder: error %v", err)
	}
	failed := errors.New("the disk is gone")
	for _, text := range []string{"", twoJobs, packed(t, ".gz", twoJobs)[:20]} {
		file, err := Open(t.Context(), "-", io.MultiReader(strings.NewReader(text), iotest.ErrReader(failed)))
		if err == nil {
			_, err = io.ReadAll(file)
		}
		if !errors.Is(err, failed) || !strings.Contains(err.Error(), "standard input") {
			t.Errorf("after %d bytes: error %v", len(text), err)
		}
	}
	for _, name := range []string{"a.swf.bz2", "a.swf.XZ", "a.zip"} {
		if _, err := Pack(name, io.Discard); !failsWith(err, "is not written") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Every job of the archive's logs is read strictly, and is the same after it was written. The
// numbers of jobs and processors are those of the archive.
func TestArchive(t *testing.T) {
	dir := os.Getenv("GRIDSWEEP_TRACES")
	if dir == "" {
		t.Skip("GRIDSWEEP_TRACES names no folder of traces")
	}
	for _, c := range []struct {
		file           string
		jobs           int
		procs          int64
		dropped        int
		load           float64 // of what is left; 0: no published value
		acknowledgment string
	}{
		{"CTC-SP2-1996-3.1-cln.swf.gz", 77_222, 338, 17, 0, "Dan Dwyer and Steve Hotovy"},
		{"SDSC-SP2-1998-4.2-cln.swf.gz", 59_715, 128, 5_681, 0, ""},
		{"NASA-iPSC-1993-3.1-cln.swf.gz", 18_239, 128, 173, 0, "Bill Nitzberg"},
		{"LCG-2005-1.swf.gz", 188_041, 24_515, 521, 0, "Hui Li"},
		{"lublin_256.swf.gz", 10_000, 256, 0, 1.06, "Uri Lublin, Hebrew University"},
	} {
		t.Run(c.file, func(t *testing.T) {
			file, err := Open(t.Context(), filepath.Join(dir, c.file), nil)
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			r := trace.NewReader(file, file.Name(), trace.Options{})
			jobs, err := r.ReadAll()
			if err != nil || len(jobs) != c.jobs {
				t.Fatalf("%d jobs, want %d; error %v", len(jobs), c.jobs, err)
			}
			if procs, _ := r.Header().Procs(); procs != c.procs {
				t.Errorf("%d processors, want %d", procs, c.procs)
			}
			if a := r.Header().Acknowledgement(); c.acknowledgment != "" && a != c.acknowledgment {
				t.Errorf("acknowledgement %q, want %q", a, c.acknowledgment)
			}
			var text bytes.Buffer
			w := trace.NewWriter(&text, trace.SWF, r.Header(), nil)
			for i := range jobs {
				if err := w.Write(&jobs[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			r2 := trace.NewReader(&text, "written", trace.Options{Format: trace.SWF})
			again, err := r2.ReadAll()
			if err != nil || !cmp.Equal(r.Header(), r2.Header()) {
				t.Errorf("header %q became %q, error %v", r.Header().Lines, r2.Header().Lines, err)
			}
			for i := range jobs {
				if again[i] != jobs[i] {
					t.Fatalf("job %d: %s", i, cmp.Diff(jobs[i], again[i]))
				}
			}
			kept, report := trace.Clean(jobs, trace.Rules{Procs: c.procs})
			if len(kept) != c.jobs-c.dropped {
				t.Errorf("%d jobs kept: %+v", len(kept), report)
			}
			if s := trace.Describe(kept, r.Header(), c.procs); c.load > 0 && (*s.Load < c.load-0.005 || *s.Load > c.load+0.005) {
				t.Errorf("offered load %g, want %g", *s.Load, c.load)
			}
		})
	}
}

// Several gzip members are one file, and zeros after the last are ignored, as by gzip. Other bytes
// there are an error.
func TestAfterGzipData(t *testing.T) {
	pack := func(content []byte) string {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(content); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		return packed.String()
	}
	first, second := jobs(1000, 60), jobs(500, 61)
	one, two := pack(first), pack(second)
	empty := pack(nil)
	garbage := func(n int) string { return fmt.Sprintf(": %d bytes after the gzip data are no gzip data", n) }
	zeros := strings.Repeat("\x00", 200_000)
	for name, c := range map[string]struct {
		file    string
		content []byte
		want    string // the error; empty where there is none
	}{
		"one member":                    {one, first, ""},
		"two members":                   {one + two, append(slices.Clone(first), second...), ""},
		"empty members":                 {empty + one + empty + empty, first, ""},
		"zeros":                         {one + zeros, first, ""},
		"zeros after two":               {one + two + zeros, append(slices.Clone(first), second...), ""},
		"a byte":                        {one + "x", first, garbage(1)},
		"the first byte of a member":    {one + "\x1f", first, garbage(1)},
		"a page":                        {one + "<html>Not found</html>", first, garbage(22)},
		"much":                          {one + strings.Repeat("garbage", 100_000), first, garbage(700_000)},
		"zeros and more":                {one + zeros + "x", first, garbage(200_001)},
		"a member after zeros":          {one + zeros + two, first, garbage(200_000 + len(two))},
		"more after two":                {one + two + "xyz", append(slices.Clone(first), second...), garbage(3)},
		"a second member that is cut":   {one + two[:len(two)-9], nil, "ends within its gzip data"},
		"a second member's head cut":    {one + two[:5], nil, "ends within its gzip data"},
		"a second member that is wrong": {one + "\x1f\x8bx" + two, nil, "its gzip data are damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "small.swf.gz")
			write(t, path, []byte(c.file))
			file, err := Open(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			content, err := io.ReadAll(file)
			if c.content != nil && !bytes.Equal(content, c.content) {
				t.Errorf("%d bytes were read, want %d", len(content), len(c.content))
			}
			if c.want == "" && (err != nil || file.Checksum() != sumOfBytes([]byte(c.file))) {
				t.Errorf("error %v, checksum %s", err, file.Checksum())
			}
			if c.want != "" && (!failsWith(err, c.want) || !strings.HasPrefix(err.Error(), path+": ")) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if _, again := file.Read(make([]byte, 1)); c.want != "" && fmt.Sprint(again) != fmt.Sprint(err) {
				t.Errorf("read again: error %v", again)
			}
			dir := t.TempDir()
			_, err = Import(t.Context(), entry(""), path, dir)
			if c.want == "" && err != nil || c.want != "" && (!failsWith(err, c.want) || len(namesIn(t, dir)) > 0) {
				t.Errorf("import: error %v, left %v", err, namesIn(t, dir))
			}
			isGarbage := strings.Contains(c.want, "no gzip data")
			if isGarbage && (!strings.Contains(err.Error(), "from "+path+": ") || !strings.HasSuffix(err.Error(), lookAtEnd)) {
				t.Errorf("import: error %v", err)
			}
			a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, []byte(c.file)) })
			dir = t.TempDir()
			_, err = fetch(t.Context(), entry(a.URL+"/small.swf.gz"), FetchOptions{Dir: dir}, quick)
			if c.want == "" && err != nil || c.want != "" && (!failsWith(err, c.want) || len(namesIn(t, dir)) > 0) {
				t.Errorf("fetch: error %v, left %v", err, namesIn(t, dir))
			}
			if isGarbage && (strings.Contains(err.Error(), lookAtEnd) || strings.Contains(err.Error(), ".part")) {
				t.Errorf("fetch: error %v is about a file that is not kept", err)
			}
		})
	}
}
