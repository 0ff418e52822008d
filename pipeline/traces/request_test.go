// The HTTP requests of downloads: redirects, status codes, malformed answers and addresses,
// certificates and passwords. Requests are counted, since a permanent error is not retried, and
// messages compared.

package traces

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// redirectTo answers with a redirect.
func redirectTo(location string) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, _ int) {
		if location != "" {
			w.Header().Set("Location", location)
		}
		w.WriteHeader(http.StatusFound)
	}
}

// A permanent error is not retried; it has the server's answer and what to do.
func TestFetchPermanentErrors(t *testing.T) {
	loop := func(w http.ResponseWriter, r *http.Request, n int) {
		next := map[string]string{"/small.swf": "/b", "/b": "/c", "/c": "/small.swf"}[r.URL.Path]
		http.Redirect(w, r, next, http.StatusMovedPermanently)
	}
	endlessRedirects := func(w http.ResponseWriter, r *http.Request, n int) {
		http.Redirect(w, r, fmt.Sprintf("/%d", n), http.StatusTemporaryRedirect)
	}
	for name, c := range map[string]struct {
		answer   func(http.ResponseWriter, *http.Request, int)
		want     string
		requests int
	}{
		"to a file": {redirectTo("file:///etc/passwd"),
			`the server says 302 Found, but its address "file:///etc/passwd" is none of http:// or https://`, 1},
		"to another scheme": {redirectTo("gopher://archive.invalid/"), `is none of http:// or https://`, 1},
		"to no server":      {redirectTo("http:///small.swf"), "is none of http:// or https://", 1},
		"malformed":         {redirectTo("http://[::1/%zz"), `but its address "http://[::1/%zz" is none`, 1},
		"to nowhere":        {redirectTo(""), "the server says 302 Found, but not where the file is now", 1},
		"to itself":         {redirectTo("/small.swf#again"), `small.swf" again: its addresses name each other`, 1},
		"a loop":            {loop, `the server says 301 Moved Permanently, and then "http://`, 3},
		"far away":          {endlessRedirects, "and named 10 other addresses before", mostRedirects + 1},
		"no port":           {redirectTo("http://127.0.0.1:99999/"), "invalid port", 1},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, c.answer)
			dir := t.TempDir()
			_, err := fetch(t.Context(), entry(a.URL+"/small.swf"), FetchOptions{Dir: dir}, quick)
			checkFinal(t, err, c.want, len(a.ranges), c.requests, dir)
		})
	}
}

// checkFinal checks the error of a fetch, the number of its requests, and that it left no file.
func checkFinal(t *testing.T, err error, want string, requests, wanted int, dir string) {
	t.Helper()
	const advice = "gridsweep trace import small FILE"
	for _, text := range []string{want, "see http://archive.invalid/small", "--from", advice} {
		if !failsWith(err, text) {
			t.Errorf("error %v, want %s", err, text)
		}
	}
	if requests != wanted || len(namesIn(t, dir)) > 0 {
		t.Errorf("%d requests, want %d; left %v", requests, wanted, namesIn(t, dir))
	}
}

// Answers with an error that may be temporary are retried.
func TestFetchStatuses(t *testing.T) {
	for code := 400; code < 600; code++ {
		a := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(code) })
		dir := t.TempDir()
		_, err := fetch(t.Context(), entry(a.URL+"/small.swf"), FetchOptions{Dir: dir}, quick)
		requests := 1
		if code == 408 || code == 425 || code == 429 || code >= 500 {
			requests = quick.tries
		}
		checkFinal(t, err, fmt.Sprintf("the server says %d", code), len(a.ranges), requests, dir)
		a.Close()
	}
}

// A redirect is followed, also with the rest of a download.
func TestFetchRedirected(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch {
		case r.URL.Path == "/small.swf":
			http.Redirect(w, r, "elsewhere/small.swf", http.StatusFound)
		case n == 1:
			dropAfter(w, r, content, 1000)
		default:
			whole(w, r, content)
		}
	})
	fetchNew(t, a, content)
	if a.sent > len(content)+1000 || a.ranges[3] != "bytes=1000-" {
		t.Errorf("%d bytes were sent, want at most %d; ranges %q", a.sent, len(content)+1000, a.ranges)
	}
}

// A request to a server with a wrong certificate or without TLS is not retried.
func TestFetchOfWrongServers(t *testing.T) {
	var connections atomic.Int64
	counted := func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	start := func(isTLS bool) *httptest.Server {
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.Config.ConnState = counted
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.TLS = &tls.Config{}
		if isTLS {
			server.StartTLS()
		} else {
			server.Start()
		}
		t.Cleanup(server.Close)
		return server
	}
	secure, plain := start(true), start(false)
	for name, c := range map[string]struct{ address, want string }{
		"unknown authority": {secure.URL, "certificate"},
		"no TLS":            {strings.Replace(plain.URL, "http:", "https:", 1), "does not look like a TLS handshake"},
	} {
		t.Run(name, func(t *testing.T) {
			connections.Store(0)
			dir := t.TempDir()
			_, err := fetch(t.Context(), entry(c.address+"/small.swf"), FetchOptions{Dir: dir}, quick)
			checkFinal(t, err, c.want, int(connections.Load()), 1, dir)
		})
	}
}

// The name and password of an address are not sent to the address of a redirect.
func TestFetchWithPassword(t *testing.T) {
	content := jobs(10, 60)
	var names []string
	a := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		name, password, _ := r.BasicAuth()
		names = append(names, name+" "+password)
		if n == 0 {
			http.Redirect(w, r, "http://"+r.Host+"/small.swf", http.StatusFound)
			return
		}
		whole(w, r, content)
	})
	address := strings.Replace(a.URL, "http://", "http://me:secret@", 1)
	if _, err := fetch(t.Context(), entry(address+"/first.swf"), FetchOptions{Dir: t.TempDir()}, quick); err != nil {
		t.Fatal(err)
	}
	if have := strings.Join(names, ","); have != "me secret, " {
		t.Errorf("names and passwords %q, want those of the first request only", have)
	}
}

// No message and no file has the password, wherever Fetch fails.
func TestFetchShowsNoPassword(t *testing.T) {
	content := jobs(1000, 60)
	a := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch {
		case r.URL.Path == "/to":
			redirectTo("ftp://me:secret@archive.invalid/")(w, r, n)
		case r.URL.Path == "/malformed":
			redirectTo("http://me:secret@[::1/")(w, r, n)
		case r.URL.Path == "/half.swf":
			cutOff(w, content)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	host := strings.TrimPrefix(a.URL, "http://")
	dir := t.TempDir()
	for address, want := range map[string]string{
		"http://me:secret@" + host + "/missing.swf":    "from http://me:xxxxx@" + host + "/missing.swf: the server says 404",
		"http://me:secret@" + host + "/to":             `"ftp://me:xxxxx@archive.invalid/" is none of http:// or https://`,
		"http://me:secret@" + host + "/malformed":      `but its address "…@[::1/" is none`,
		"http://me:secret@" + host + "/log.swf.tar.gz": "/log.swf.tar.gz: only plain files",
		"http://me:secret@" + host + "/half.swf":       "ended after 100 bytes",
		"http://me:secret#1@" + host + "/":             "from …@" + host + "/: the address is malformed: in a name or",
		"ftp://me:secret@" + host + "/":                "from ftp://me:xxxxx@" + host + "/: write an address",
	} {
		_, err := fetch(t.Context(), entry(address), FetchOptions{Dir: dir}, quick)
		if !failsWith(err, want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error %v, want %s", address, err, want)
		}
	}
	origin, err := os.ReadFile(filepath.Join(dir, "small.swf.part.origin"))
	if err != nil || !strings.Contains(string(origin), "half.swf") || strings.Contains(string(origin), "secret") {
		t.Errorf("the origin of the part is %s, %v", origin, err)
	}
}

// serveRaw starts a server with the same answer for every connection, and counts the connections.
func serveRaw(t *testing.T, answer string) (address string, connections *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	connections = new(atomic.Int64)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			_, _ = connection.Read(make([]byte, 4096))
			_, _ = io.WriteString(connection, answer)
			connection.Close()
		}
	}()
	return listener.Addr().String(), connections
}

// A malformed answer is not retried. A truncated one is, and a refused connection, since the server
// may be starting.
func TestFetchMalformedAnswer(t *testing.T) {
	plain := "HTTP/1.0 400 Bad Request\r\n\r\n"
	for name, c := range map[string]struct {
		scheme, answer, want string
		requests             int
	}{
		"status":         {"http", "HTTP/1.1 fine\r\n\r\n", "malformed HTTP", 1},
		"protocol":       {"http", "SSH-2.0-server\r\n", "malformed HTTP", 1},
		"length":         {"http", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", "bad Content-Length", 1},
		"two lengths":    {"http", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "Content-Length", 1},
		"header":         {"http", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "malformed", 1},
		"no TLS":         {"https", plain, "does not look like a TLS handshake", 1},
		"no TLS, a page": {"https", "<!DOCTYPE HTML>\n", "does not look like a TLS handshake", 1},
		"nothing":        {"http", "", "EOF", quick.tries},
		"half a header":  {"http", "HTTP/1.1 200 OK\r\nServer: x\r\n", "EOF", quick.tries},
	} {
		t.Run(name, func(t *testing.T) {
			address, connections := serveRaw(t, c.answer)
			dir := t.TempDir()
			_, err := fetch(t.Context(), entry(c.scheme+"://"+address+"/small.swf"), FetchOptions{Dir: dir}, quick)
			checkFinal(t, err, c.want, int(connections.Load()), c.requests, dir)
		})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	retries := 0
	_, err = fetch(t.Context(), entry("http://"+listener.Addr().String()+"/small.swf"), FetchOptions{Dir: t.TempDir(),
		Progress: func(p Progress) {
			if p.Retry != nil {
				retries++
			}
		}}, quick)
	if err == nil || !strings.Contains(err.Error(), "connection refused") || retries != quick.tries-1 {
		t.Errorf("a closed port: error %v after %d retries", err, retries)
	}
}

// Bytes that a server sends after its answer are ignored and not logged.
func TestFetchBehindAnswer(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	content := jobs(10, 60)
	answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s%s", len(content), content, content)
	address, _ := serveRaw(t, answer)
	dir := t.TempDir()
	if _, err := fetch(t.Context(), entry("http://"+address+"/small.swf"), FetchOptions{Dir: dir}, quick); err != nil {
		t.Fatal(err)
	}
	checkStored(t, dir, "small.swf", content)
	if !transport.(*http.Transport).DisableKeepAlives || logged.Len() > 0 {
		t.Errorf("logged %q", logged.String())
	}
}

// The server's text is escaped, so that it cannot control a terminal.
func TestFetchShowsNoEscapes(t *testing.T) {
	address, _ := serveRaw(t, "HTTP/1.1 410 Gone\x1b[2J\x1b]0;title\a for ever\r\nContent-Length: 0\r\n\r\n")
	_, err := fetch(t.Context(), entry("http://"+address+"/small.swf"), FetchOptions{Dir: t.TempDir()}, quick)
	if !failsWith(err, `the server says 410 Gone\x1b[2J\x1b]0;title\a for ever;`) {
		t.Errorf("error %q", err)
	}
}

// Addresses that cannot be requested are refused before a request.
func TestFetchMalformedAddress(t *testing.T) {
	for address, want := range map[string]string{
		"http://":                 "names no server",
		"https:///small.swf":      "names no server",
		"http://[::1/small.swf":   "missing ']' in host",
		"http://a b/small.swf":    "invalid character",
		"http://a:port/small.swf": "invalid port",
		"small.swf":               "write an address that starts with http:// or https://",
		"ftp://a/small.swf":       "write an address that starts with http:// or https://",
		"http://a/\x7fsmall.swf":  "invalid control character",
	} {
		_, err := fetch(t.Context(), entry(address), FetchOptions{Dir: t.TempDir()}, quick)
		if !failsWith(err, want) {
			t.Errorf("%s: error %v, want %s", address, err, want)
		}
	}
}
