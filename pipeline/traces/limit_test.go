// Limits of the size of traces: downloads, members of .zip files, packed files and copies over the
// limit of a trace or the free space are refused, and files at the limit stored.

package traces

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"gridsweep/configs"
)

// limited is an entry of a catalogue of 1,000 jobs, which have at most 2,048,576 bytes.
func limited(address string) configs.Trace {
	t := entry(address)
	t.Jobs = 1000
	return t
}

const limitedBytes = 1000*bytesPerJob + headerBytes

// endless answers with a status code and jobs without end.
func endless(w http.ResponseWriter, code int) {
	w.WriteHeader(code)
	line := []byte(strings.Repeat("1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n", 500))
	for {
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

// A download over the limit is stopped at once, removed and not retried.
func TestFetchTooLarge(t *testing.T) {
	content := jobs(1000, 60)
	for name, c := range map[string]struct {
		answer   func(w http.ResponseWriter, r *http.Request, n int)
		free     int64
		requests int
		wants    []string
	}{
		"announced": {func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.Header().Set("Content-Length", "9000000000000")
			endless(w, 200)
		}, 1 << 60, 1, []string{"has 9000000000000 bytes", fmt.Sprintf("at most %d", limitedBytes), "--from"}},
		"without an end": {func(w http.ResponseWriter, _ *http.Request, _ int) { endless(w, 200) }, 1 << 60, 1,
			[]string{"bytes or more", fmt.Sprintf("at most %d", limitedBytes), "trace import small FILE"}},
		"more than announced": {func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 0 {
				dropAfter(w, r, content, 1000)
			}
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 1000-%d/%d", len(content)-1, len(content)))
			endless(w, http.StatusPartialContent)
		}, 1 << 60, 2, []string{fmt.Sprintf("announced %d bytes and sends ", len(content))}},
		"for the disk": {func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) }, 1000, 1,
			[]string{fmt.Sprintf("%d bytes are needed", len(content)), "1000 are free", "free some space"}},
		"for the disk, without a length": {func(w http.ResponseWriter, r *http.Request, _ int) { endless(w, 200) }, 1000, 1,
			[]string{"bytes are needed", "1000 are free", "free some space"}},
		"for the disk, from the beginning again": {func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 0 {
				w.Header().Set("ETag", `"an earlier version"`)
				(&dropping{w, 1000}).Write(content)
			}
			whole(w, r, content)
		}, int64(len(content)) - 500, 2, []string{fmt.Sprintf("%d bytes are needed", len(content))}},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, c.answer)
			dir := t.TempDir()
			full := quick
			full.free = func(string) (int64, error) { return c.free, nil }
			_, err := fetch(t.Context(), limited(a.URL+"/small.swf"), FetchOptions{Dir: dir}, full)
			if !errors.Is(err, errTooLarge) {
				t.Fatalf("error %v", err)
			}
			for _, want := range c.wants {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want %s", err, want)
				}
			}
			a.Close()
			// of the two ends of the connection, which hold what is sent and not read
			const buffers = 32 << 20
			if len(a.ranges) != c.requests || a.sent > limitedBytes+buffers || len(namesIn(t, dir)) > 0 {
				t.Errorf("%d requests, %d bytes sent, left %v", len(a.ranges), a.sent, namesIn(t, dir))
			}
		})
	}
}

// A file at the limit is stored.
func TestFetchAtTheLimit(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) })
	full := quick
	full.free = func(string) (int64, error) { return int64(len(content)), nil }
	dir := t.TempDir()
	if _, err := fetch(t.Context(), limited(a.URL+"/small.swf"), FetchOptions{Dir: dir}, full); err != nil {
		t.Fatal(err)
	}
	checkStored(t, dir, "small.swf", content)
	if err := checkLimit(limited(""), limitedBytes); err != nil {
		t.Error(err)
	}
	if err := checkLimit(limited(""), limitedBytes+1); !errors.Is(err, errTooLarge) {
		t.Errorf("a byte too many: error %v", err)
	}
}

// A small .zip may hold a member over the limit.
func TestZipTooLarge(t *testing.T) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	member, err := w.Create("evil\x1b[2J.swf")
	if err != nil {
		t.Fatal(err)
	}
	for range limitedBytes>>16 + 1 {
		if _, err := member.Write(make([]byte, 1<<16)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "small.zip")
	write(t, file, packed.Bytes())
	_, err = Import(t.Context(), limited(""), file, dir)
	want := fmt.Sprintf(`evil\x1b[2J.swf in it: too large: it has %d bytes`, (limitedBytes>>16+1)<<16)
	if !errors.Is(err, errTooLarge) || !failsWith(err, want) || len(namesIn(t, dir)) > 0 {
		t.Errorf("error %v, left %v", err, namesIn(t, dir))
	}
}

// A copy does not exceed the size of its source.
func TestWriteNewTooMuch(t *testing.T) {
	dir := t.TempDir()
	for size, want := range map[int64]error{9: errTooLarge, 10: nil, 1 << 61: errNoSpace} {
		err := writeNew(filepath.Join(dir, fmt.Sprint(size)), strings.NewReader("0123456789"), size)
		if !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%d bytes: error %v, want %v", size, err, want)
		}
	}
	if left := namesIn(t, dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestFreeSpace(t *testing.T) {
	free, err := freeSpace(t.TempDir())
	if err != nil || free <= 0 {
		t.Errorf("%d bytes are free, %v", free, err)
	}
	if _, err := freeSpace(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that does not exist has free space")
	}
}

// A small packed file may unpack to more than the limit; it is not read beyond it.
func TestUnpackedTooLarge(t *testing.T) {
	line := "1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n"
	want := fmt.Sprintf("its content is too large: it has %d bytes or more, and this trace at most %d",
		limitedBytes+1, limitedBytes)
	for name, c := range map[string]struct{ text, want string }{
		"jobs":   {line, "its content is too large: it has 20"},
		"header": {"; x\n", fmt.Sprintf("the file:%d: the header is longer than 1048576 bytes: want the first job", 1<<18+1)},
		"blanks": {" \n", "its content is too large: it has 20"},
	} {
		t.Run(name, func(t *testing.T) {
			content := []byte(packed(t, ".gz", strings.Repeat(c.text, 2*limitedBytes/len(c.text))))
			file := filepath.Join(t.TempDir(), "small.swf.gz")
			write(t, file, content)
			dir := t.TempDir()
			_, err := Import(t.Context(), limited(""), file, dir)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(namesIn(t, dir)) > 0 {
				t.Errorf("import: error %v, want %s; left %v", err, c.want, namesIn(t, dir))
			}
			if errors.Is(err, errTooLarge) && !strings.HasSuffix(err.Error(), "take any file by its path") {
				t.Errorf("import: error %v gives no advice", err)
			}
			a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) })
			_, err = fetch(t.Context(), limited(a.URL+"/small.swf.gz"), FetchOptions{Dir: dir}, quick)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(namesIn(t, dir)) > 0 || len(a.ranges) != 1 {
				t.Errorf("fetch: error %v after %d requests, want %s; left %v", err, len(a.ranges), c.want, namesIn(t, dir))
			}
		})
	}
	source := &limitedReader{source: strings.NewReader(strings.Repeat("x", limitedBytes+1)), trace: limited("")}
	if n, err := io.Copy(io.Discard, io.LimitReader(source, limitedBytes)); n != limitedBytes || err != nil {
		t.Errorf("%d bytes, error %v", n, err)
	}
	_, err := source.Read(make([]byte, 1))
	if !errors.Is(err, errTooLarge) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}
