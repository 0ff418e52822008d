// A server in place of a trace archive, for the tests of downloads: it answers with all of a file,
// a range of it, too little, too slowServer or not at all, and records the requests.

package traces

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"gridsweep/configs"
)

// quick are the settings in tests.
var quick = settings{tries: 3, first: time.Millisecond, stall: 10 * time.Second, free: freeSpace}

// jobs returns a trace of n jobs in the Standard Workload Format, all of the same runtime.
func jobs(n int, runtime int) []byte {
	var text bytes.Buffer
	text.WriteString("; MaxProcs: 8\n")
	for i := range n {
		fmt.Fprintf(&text, "%d %d -1 %d 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n", i+1, 10*i, runtime)
	}
	return text.Bytes()
}

func sumOfBytes(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// entry is an entry of a catalogue.
func entry(address string) configs.Trace {
	text := func(value string) configs.Text { return configs.Text{Value: value} }
	return configs.Trace{
		Name: text("small"), Title: text("A small trace"), Page: text("http://archive.invalid/small"), Address: text(address),
		Member: text("jobs.swf"), Files: []configs.Text{text("small.swf"), text("SMALL-1.swf")}, Format: text("swf"),
	}
}

// archive is a server on this machine that records its requests.
type archive struct {
	*httptest.Server
	mu     sync.Mutex
	ranges []string // of each request
	sent   int      // bytes of bodies
}

// serve starts an archive; answer gets the number of the request, from 0.
func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, n int)) *archive {
	t.Helper()
	a := &archive{}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		n := len(a.ranges)
		a.ranges = append(a.ranges, r.Header.Get("Range"))
		a.mu.Unlock()
		answer(counting{w, a}, r, n)
	}))
	t.Cleanup(a.Close)
	return a
}

// counting counts the bytes of bodies.
type counting struct {
	http.ResponseWriter
	archive *archive
}

func (c counting) Write(body []byte) (int, error) {
	c.archive.mu.Lock()
	c.archive.sent += len(body)
	c.archive.mu.Unlock()
	return c.ResponseWriter.Write(body)
}

func (c counting) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// whole answers with the content, or with the range of it that the request names.
func whole(w http.ResponseWriter, r *http.Request, content []byte) {
	w.Header().Set("ETag", `"`+sumOfBytes(content)[:8]+`"`)
	http.ServeContent(w, r, "small.swf", time.Time{}, bytes.NewReader(content))
}

// cutOff answers with the first 100 bytes of a whole file.
func cutOff(w http.ResponseWriter, content []byte) {
	w.Header().Set("ETag", `"`+sumOfBytes(content)[:8]+`"`)
	w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	w.Write(content[:100])
}

// serveHanging starts an archive whose first answer stops after 100 bytes, with the connection
// open.
func serveHanging(t *testing.T, content []byte) *archive {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n > 0 {
			whole(w, r, content)
			return
		}
		cutOff(w, content)
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	})
}

// dropAfter answers as whole and closes the connection after that many bytes of the body.
func dropAfter(w http.ResponseWriter, r *http.Request, content []byte, most int) {
	whole(&dropping{w, most}, r, content)
	panic(http.ErrAbortHandler)
}

type dropping struct {
	http.ResponseWriter
	left int
}

func (d *dropping) Write(body []byte) (int, error) {
	body = body[:min(len(body), d.left)]
	d.left -= len(body)
	n, err := d.ResponseWriter.Write(body)
	if flush := http.NewResponseController(d.ResponseWriter).Flush(); err == nil {
		err = flush
	}
	if d.left == 0 {
		panic(http.ErrAbortHandler)
	}
	return n, err
}

// slowServer is a server that sends 100 bytes every 50 seconds.
type slowServer struct {
	content  []byte
	requests int
}

func (s *slowServer) RoundTrip(r *http.Request) (*http.Response, error) {
	s.requests++
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", ContentLength: int64(len(s.content)), Header: http.Header{}, Request: r,
		Body: io.NopCloser(&slowBody{r.Context(), s.content}),
	}, nil
}

type slowBody struct {
	ctx  context.Context
	rest []byte
}

func (b *slowBody) Read(to []byte) (int, error) {
	if len(b.rest) == 0 {
		return 0, io.EOF
	}
	select {
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	case <-time.After(50 * time.Second):
		n := copy(to, b.rest[:min(100, len(b.rest))])
		b.rest = b.rest[n:]
		return n, nil
	}
}
