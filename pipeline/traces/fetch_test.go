// Downloads of traces from a server on this machine: the stored bytes and their record are compared
// with the content, and the requests are counted, after dropped, stalled, slow, cancelled, failed
// and changed downloads.

package traces

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fetchNew fetches the archive's trace into a new folder and checks the stored content and its
// record.
func fetchNew(t *testing.T, a *archive, want []byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	fetchInto(t, a, dir, want)
	return dir
}

func fetchInto(t *testing.T, a *archive, dir string, want []byte) {
	t.Helper()
	stored, err := fetch(t.Context(), entry(a.URL+"/small.swf"), FetchOptions{Dir: dir}, quick)
	if err != nil {
		t.Fatal(err)
	}
	n := bytes.Count(want, []byte("\n")) - 1
	if want := (Stored{Path: filepath.Join(dir, "small.swf"), Checksum: sumOfBytes(want), Jobs: n}); stored != want {
		t.Errorf("stored %+v, want %+v", stored, want)
	}
	checkStored(t, dir, "small.swf", want)
}

// checkStored checks that the folder holds the trace, its record and nothing else.
func checkStored(t *testing.T, dir, name string, want []byte) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || !bytes.Equal(content, want) {
		t.Errorf("%d bytes are stored, want %d; %v", len(content), len(want), err)
	}
	record, err := os.ReadFile(filepath.Join(dir, name+".sha256"))
	if wantLine := sumOfBytes(want) + "  " + name + "\n"; err != nil || string(record) != wantLine {
		t.Errorf("recorded %q, want %q; %v", record, wantLine, err)
	}
	if diff := cmp.Diff([]string{name, name + ".sha256"}, namesIn(t, dir)); diff != "" {
		t.Errorf("the folder has other files: %s", diff)
	}
}

func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestFetch(t *testing.T) {
	content := jobs(1000, 60)
	fetchNew(t, serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) }), content)
}

// A download is resumed after a dropped connection: no byte is sent twice, and there may be any
// number of drops as long as each attempt makes progress.
func TestFetchResumesAfterDrops(t *testing.T) {
	content := jobs(10_000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { dropAfter(w, r, content, len(content)/7) })
	fetchNew(t, a, content)
	if len(a.ranges) < 7 || a.sent != len(content) {
		t.Errorf("%d bytes were sent in %d answers, want %d in 7 or more", a.sent, len(a.ranges), len(content))
	}
	for _, requested := range a.ranges[1:] {
		if !strings.HasPrefix(requested, "bytes=") {
			t.Errorf("range %q, want that of the rest", requested)
		}
	}
}

// If the content cannot be resumed, the download starts over.
func TestFetchStartsOver(t *testing.T) {
	content, other := jobs(5000, 60), jobs(2000, 61)
	half := len(other) / 2
	if len(content)/2 < len(other) {
		t.Fatal("the partial file has to be longer than the new content")
	}
	for name, answer := range map[string]func(w http.ResponseWriter, r *http.Request, n int){
		"no ranges": func(w http.ResponseWriter, r *http.Request, n int) {
			r.Header.Del("Range")
			if n == 0 {
				dropAfter(w, r, other, half)
			}
			whole(w, r, other)
		},
		"changed meanwhile": func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 0 {
				dropAfter(w, r, content, len(content)/2)
			}
			whole(w, r, other)
		},
		"another range": func(w http.ResponseWriter, r *http.Request, n int) {
			switch n {
			case 0:
				dropAfter(w, r, other, half)
			case 1:
				w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", half+10, len(other)-1, len(other)))
				w.WriteHeader(http.StatusPartialContent)
				w.Write(other[half+10:])
			default:
				whole(w, r, other)
			}
		},
		"now shorter": func(w http.ResponseWriter, r *http.Request, n int) {
			switch n {
			case 0:
				dropAfter(w, r, content, len(content)/2)
			case 1:
				w.Header().Set("Content-Range", "bytes */10")
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			default:
				whole(w, r, other)
			}
		},
		"weak entity tag": func(w http.ResponseWriter, r *http.Request, n int) {
			if r.Header.Get("Range") != "" {
				w.WriteHeader(http.StatusTeapot)
				return
			}
			w.Header().Set("ETag", `W/"same"`)
			w.Header().Set("Content-Length", fmt.Sprint(len(other)))
			if n == 0 {
				w = &dropping{w, half}
			}
			w.Write(other)
		},
	} {
		t.Run(name, func(t *testing.T) { fetchNew(t, serve(t, answer), other) })
	}
}

// A server that cannot resume and drops the connection at the same byte each time is abandoned.
func TestFetchGivesUp(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		r.Header.Del("Range")
		dropAfter(w, r, content, min(n+1, 4)*1000) // more bytes up to the fourth answer
	})
	dir := t.TempDir()
	_, err := fetch(t.Context(), entry(a.URL+"/small.swf"), FetchOptions{Dir: dir}, quick)
	if !failsWith(err, "small.swf: the connection ended after 4000 ") {
		t.Errorf("error %v", err)
	}
	if want := 4 + quick.tries - 1; len(a.ranges) != want {
		t.Errorf("%d requests, want %d", len(a.ranges), want)
	}
}

// An answer that is shorter than its header says is incomplete.
func TestFetchShortBody(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n > 0 {
			whole(w, r, content)
			return
		}
		cutOff(w, content)
	})
	fetchNew(t, a, content)
	if diff := cmp.Diff([]string{"", "bytes=100-"}, a.ranges); diff != "" {
		t.Error(diff)
	}
}

func TestFetchShortRange(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch n {
		case 0:
			dropAfter(w, r, content, 100)
		case 1:
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 100-%d/%d", len(content)-1, len(content)))
			w.WriteHeader(http.StatusPartialContent)
			w.Write(content[100:200]) // chunked: ends as if it were whole
		default:
			whole(w, r, content)
		}
	})
	fetchNew(t, a, content)
	if diff := cmp.Diff([]string{"", "bytes=100-", "bytes=200-"}, a.ranges); diff != "" {
		t.Error(diff)
	}
}

// A download that was killed after its last byte requests no more.
func TestFetchOfCompleteDownload(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) })
	dir := t.TempDir()
	write(t, filepath.Join(dir, "small.swf.part"), content)
	write(t, filepath.Join(dir, "small.swf.part.origin"),
		fmt.Appendf(nil, `{"address": "%s/small.swf", "validator": "\"%s\""}`, a.URL, sumOfBytes(content)[:8]))
	fetchInto(t, a, dir, content)
	if a.sent >= len(content) {
		t.Errorf("%d bytes were sent, want none of the content", a.sent)
	}
}

// A power failure may leave zeros in place of downloaded bytes; the resumed download is refused.
func TestFetchAfterZeros(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) })
	dir := t.TempDir()
	left := append(slices.Clone(content[:20_000]), make([]byte, 4096)...)
	write(t, filepath.Join(dir, "small.swf.part"), left)
	write(t, filepath.Join(dir, "small.swf.part.origin"),
		fmt.Appendf(nil, `{"address": "%s/small.swf", "validator": "\"%s\""}`, a.URL, sumOfBytes(content)[:8]))
	_, err := fetch(t.Context(), entry(a.URL+"/small.swf"), FetchOptions{Dir: dir}, quick)
	if err == nil || !strings.Contains(err.Error(), "byte 20001 of its text is zero") || len(namesIn(t, dir)) > 0 {
		t.Errorf("error %v, left %v", err, namesIn(t, dir))
	}
	fetchInto(t, a, dir, content)
}

// A partial file of another address is not resumed.
func TestFetchFromElsewhere(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) })
	dir := t.TempDir()
	write(t, filepath.Join(dir, "small.swf.part"), []byte("of another archive"))
	write(t, filepath.Join(dir, "small.swf.part.origin"),
		[]byte(`{"address": "http://other.invalid/", "validator": "\"1\""}`))
	fetchInto(t, a, dir, content)
	if a.ranges[0] != "" {
		t.Errorf("range %s, want none", a.ranges[0])
	}
}

// A request to an overloaded server is retried, one for a missing file is not, and no failed
// download leaves a file.
func TestFetchFails(t *testing.T) {
	var zipped bytes.Buffer
	packed := gzip.NewWriter(&zipped)
	if _, err := packed.Write(jobs(1000, 60)); err != nil || packed.Close() != nil {
		t.Fatal(err)
	}
	status := func(code int) func(http.ResponseWriter, *http.Request, int) {
		return func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(code) }
	}
	body := func(content []byte) func(http.ResponseWriter, *http.Request, int) {
		return func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) }
	}
	for name, c := range map[string]struct {
		file, want string
		requests   int
		answer     func(http.ResponseWriter, *http.Request, int)
	}{
		"missing":    {"small.swf", "/small.swf: the server says 404 Not Found", 1, status(404)},
		"overloaded": {"small.swf", "the server says 500 Internal Server Error", 3, status(500)},
		"asks for pauses": {"small.swf", "the server says 503 Service Unavailable", 3,
			func(w http.ResponseWriter, _ *http.Request, _ int) {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(503)
			}},
		"a page": {"small.swf", "it is no trace in swf: the file:1: ", 1, body([]byte("<html>It has moved.</html>"))},
		"empty":  {"small.swf", "the file has no job", 1, body(nil)},
		"cut":    {"small.swf.gz", "it was not copied as a whole", 1, body(zipped.Bytes()[:zipped.Len()-9])},
		"no zip": {"small.zip", "it is no whole .zip", 1, body([]byte("PK\x03\x04"))},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, c.answer)
			dir := t.TempDir()
			_, err := fetch(t.Context(), entry(a.URL+"/"+c.file), FetchOptions{Dir: dir}, quick)
			if !failsWith(err, c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if len(a.ranges) != c.requests {
				t.Errorf("%d requests, want %d", len(a.ranges), c.requests)
			}
			if left := namesIn(t, dir); len(left) > 0 {
				t.Errorf("left: %s", left)
			}
		})
	}
}

func TestFetchUnsupportedAddress(t *testing.T) {
	for address, want := range map[string]string{
		"file:///small.swf":                  "write an address that starts with http:// or https://",
		"http://127.0.0.1/small.swf.tar.bz2": "unpack it and say gridsweep trace import NAME FILE",
	} {
		_, err := fetch(t.Context(), entry(address), FetchOptions{Dir: t.TempDir()}, quick)
		if !failsWith(err, want) {
			t.Errorf("%s: error %v, want %s", address, err, want)
		}
	}
}

// A download of unknown length may be truncated.
func TestFetchUnknownLength(t *testing.T) {
	content := jobs(20_000, 60)
	for _, c := range []struct {
		sent int
		want string
	}{{len(content), ""}, {len(content) - 20, "it ends half way: the file:20001: has too few fields"}} {
		a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { w.Write(content[:c.sent]) })
		dir := t.TempDir()
		_, err := fetch(t.Context(), entry(a.URL+"/small.swf"), FetchOptions{Dir: dir}, quick)
		if c.want == "" {
			if err != nil {
				t.Error(err)
			}
			checkStored(t, dir, "small.swf", content)
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || len(namesIn(t, dir)) > 0 {
			t.Errorf("error %v, want %s; left %v", err, c.want, namesIn(t, dir))
		}
	}
}

// A connection that stalls is closed, and its bytes are kept.
func TestFetchStalls(t *testing.T) {
	content := jobs(1000, 60)
	a := serveHanging(t, content)
	policy := quick
	policy.stall = 50 * time.Millisecond
	dir := t.TempDir()
	if _, err := fetch(t.Context(), entry(a.URL+"/small.swf"), FetchOptions{Dir: dir}, policy); err != nil {
		t.Fatal(err)
	}
	checkStored(t, dir, "small.swf", content)
	if a.ranges[1] != "bytes=100-" {
		t.Errorf("ranges %q, want bytes=100- as the second", a.ranges)
	}
}

// A slow connection is not closed, however long it takes.
func TestFetchSlowly(t *testing.T) {
	content := jobs(50, 60)
	server := &slowServer{content: content}
	usual := transport
	transport = server
	defer func() { transport = usual }()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		stored, err := Fetch(t.Context(), entry("http://127.0.0.1/small.swf"), FetchOptions{Dir: dir})
		if err != nil || stored.Checksum != sumOfBytes(content) || server.requests != 1 {
			t.Errorf("%+v, %v after %d requests", stored, err, server.requests)
		}
	})
}

// A cancelled Fetch is resumed by the next one.
func TestFetchCancelled(t *testing.T) {
	content := jobs(1000, 60)
	ctx, cancel := context.WithCancelCause(t.Context())
	a := serveHanging(t, content)
	dir := t.TempDir()
	options := FetchOptions{Dir: dir, Progress: func(p Progress) {
		if p.Done == 100 {
			cancel(errors.New("interrupted by SIGINT")) // as the program does
		}
	}}
	if _, err := fetch(ctx, entry(a.URL+"/small.swf"), options, quick); err != context.Canceled {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	if diff := cmp.Diff([]string{"small.swf.part", "small.swf.part.origin"}, namesIn(t, dir)); diff != "" {
		t.Errorf("left: %s", diff)
	}
	var resumed int64
	options.Progress = func(p Progress) { resumed = p.Resumed }
	if _, err := fetch(t.Context(), entry(a.URL+"/small.swf"), options, quick); err != nil {
		t.Fatal(err)
	}
	checkStored(t, dir, "small.swf", content)
	if a.ranges[1] != "bytes=100-" || resumed != 100 {
		t.Errorf("ranges %q, resumed from %d; want bytes=100- as the second, and 100", a.ranges, resumed)
	}
}

// A Fetch that is cancelled while the complete file is checked makes no request when it is
// repeated.
func TestFetchCancelledAtItsEnd(t *testing.T) {
	content := jobs(10, 0)
	for _, file := range []struct {
		name    string
		content []byte
	}{{"small.swf", content}, {"small.zip", zipOf(t, "jobs.swf")}} {
		a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, file.content) })
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		options := FetchOptions{Dir: dir, Progress: func(p Progress) {
			if p.Done == int64(len(file.content)) {
				cancel()
			}
		}}
		if _, err := fetch(ctx, entry(a.URL+"/"+file.name), options, quick); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		if _, err := fetch(t.Context(), entry(a.URL+"/"+file.name), FetchOptions{Dir: dir}, quick); err != nil {
			t.Fatal(err)
		}
		checkStored(t, dir, "small.swf", content)
		if want := fmt.Sprintf("bytes=%d-", len(file.content)); a.ranges[len(a.ranges)-1] != want {
			t.Errorf("ranges %q, want %s, after the end, as the last", a.ranges, want)
		}
	}
}

// The checksum of the first Fetch holds for later ones, until its record is removed.
func TestFetchOtherChecksum(t *testing.T) {
	content, other := jobs(1000, 60), jobs(1000, 61)
	now := content
	a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, now) })
	dir := fetchNew(t, a, content)
	now = other
	stored, err := fetch(t.Context(), entry(a.URL+"/small.swf"), FetchOptions{Dir: dir}, quick)
	if err != nil || !stored.Before || len(a.ranges) != 1 {
		t.Errorf("%+v, %v: a stored trace was fetched again", stored, err)
	}
	kept := filepath.Join(dir, "small.swf")
	if err := os.Remove(kept); err != nil {
		t.Fatal(err)
	}
	_, err = fetch(t.Context(), entry(a.URL+"/small.swf"), FetchOptions{Dir: dir}, quick)
	for _, want := range []string{sumOfBytes(content), sumOfBytes(other), "remove the record if the change is meant"} {
		if !failsWith(err, want) {
			t.Errorf("error %v does not say %s", err, want)
		}
	}
	if diff := cmp.Diff([]string{"small.swf.sha256"}, namesIn(t, dir)); diff != "" {
		t.Errorf("left: %s", diff)
	}
	if err := os.Remove(kept + ".sha256"); err != nil {
		t.Fatal(err)
	}
	fetchInto(t, a, dir, other)
	write(t, kept, content)
	if _, err = fetch(t.Context(), entry(a.URL), FetchOptions{Dir: dir}, quick); err == nil ||
		!strings.Contains(err.Error(), "remove both and fetch or import the trace again") {
		t.Errorf("a damaged trace: %v", err)
	}
}

// Progress is called with growing numbers of bytes, the error of each attempt, and at the end.
func TestFetchProgress(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n == 0 {
			dropAfter(w, r, content, 1000)
		}
		whole(w, r, content)
	})
	dir := t.TempDir()
	var last Progress
	retries := 0
	_, err := fetch(t.Context(), entry("http://127.0.0.1:1/unused"), FetchOptions{From: a.URL + "/small.swf", Dir: dir,
		Progress: func(p Progress) {
			if p.Done < last.Done || p.Trace != "small" {
				t.Errorf("%+v after %+v", p, last)
			}
			if p.Retry != nil {
				retries++
			}
			last = p
		}}, quick)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(len(content))
	path := filepath.Join(dir, "small.swf")
	want := Progress{Trace: "small", Done: size, Total: size, Resumed: 1000, Ended: true, Path: path}
	if last != want || retries != 1 {
		t.Errorf("%d retries, at the end %+v, want %+v", retries, last, want)
	}
}

// failsWith reports whether an error has a text.
func failsWith(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }
