// The HTTP requests of downloads, with their redirects and errors.

package traces

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/cenkalti/backoff/v5"

	"gridsweep/model/trace"
)

// mostRedirects is how often servers may redirect one request of a download.
const mostRedirects = 10

// redirects are the statuses of answers that name another address.
var redirects = []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
	http.StatusTemporaryRedirect, http.StatusPermanentRedirect}

// checkAddress returns an error for an address that cannot be downloaded.
func checkAddress(address string) error {
	parsed, err := url.Parse(address)
	switch {
	case err != nil && strings.Contains(address, "@"):
		return errors.New("the address is malformed: in a name or password write @ as %40, # as %23, / as %2F and % as %25")
	case err != nil:
		return errors.Unwrap(err) // without the address
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return errors.New("write an address that starts with http:// or https://; gridsweep trace import takes a file")
	case parsed.Hostname() == "":
		return errors.New("the address names no server")
	default:
		return nil
	}
}

// redacted returns an address with its password replaced, for messages and files.
func redacted(address string) string {
	if parsed, err := url.Parse(address); err == nil {
		return parsed.Redacted()
	}
	if at := strings.LastIndex(address, "@"); at >= 0 {
		return "…" + address[at:] // what is before it may be a password
	}
	return address
}

// request requests the content, or the rest of it if the version is still the same. It follows
// redirects. Errors that another attempt would meet again are permanent.
func (d *download) request(ctx context.Context, have int64, from origin) (*http.Response, error) {
	addresses := []string{d.address}
	for {
		response, err := get(ctx, addresses[len(addresses)-1], have, from)
		if err != nil || !slices.Contains(redirects, response.StatusCode) {
			return response, err
		}
		response.Body.Close()
		next, err := redirectTarget(response, addresses)
		if err != nil {
			return nil, backoff.Permanent(fmt.Errorf("the server says %s, %w", statusLine(response), err))
		}
		addresses = append(addresses, next)
	}
}

// redirectTarget returns the address that an answer redirects to, after requests to the earlier
// ones.
func redirectTarget(response *http.Response, earlier []string) (string, error) {
	if response.Header.Get("Location") == "" {
		return "", errors.New("but not where the file is now")
	}
	location, err := response.Location()
	if err != nil {
		return "", fmt.Errorf("but its address %q is none", redacted(response.Header.Get("Location")))
	}
	location.Fragment = ""
	next := location.String()
	switch {
	case checkAddress(next) != nil:
		return "", fmt.Errorf("but its address %q is none of http:// or https://", redacted(next))
	case slices.Contains(earlier, next):
		return "", fmt.Errorf("and then %q again: its addresses name each other", redacted(next))
	case len(earlier) > mostRedirects:
		return "", fmt.Errorf("and named %d other addresses before", mostRedirects)
	}
	return next, nil
}

// get makes one request, which is not redirected.
func get(ctx context.Context, address string, have int64, from origin) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, backoff.Permanent(err)
	}
	request.Header.Set("Accept-Encoding", "identity") // otherwise a .gz might come unpacked
	request.Header.Set("User-Agent", "gridsweep")
	if have > 0 {
		request.Header.Set("Range", "bytes="+strconv.FormatInt(have, 10)+"-")
		request.Header.Set("If-Range", from.Validator)
	}
	if user := request.URL.User; user != nil {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
	var answered atomic.Bool
	request = request.WithContext(httptrace.WithClientTrace(ctx,
		&httptrace.ClientTrace{GotFirstResponseByte: func() { answered.Store(true) }}))
	// an http.Client would follow redirects by rules of its own
	response, err := transport.RoundTrip(request)
	if err != nil && (isFinal(err) || answered.Load() && !isOfConnection(err)) {
		err = backoff.Permanent(err)
	}
	return response, err
}

// transport makes a new connection for each request, so that bytes that a server sends after an
// answer are not logged.
var transport http.RoundTripper = ownTransport()

func ownTransport() *http.Transport {
	own := http.DefaultTransport.(*http.Transport).Clone()
	own.DisableKeepAlives = true
	return own
}

// isFinal reports whether the error of a request without an answer is permanent: the server's name
// or port cannot exist, its certificate is wrong, or it has another protocol. A server that refuses
// connections may be starting.
func isFinal(err error) bool {
	name := new(net.DNSError)
	return errors.As(err, &name) && name.IsNotFound || errors.As(err, new(*net.AddrError)) ||
		errors.As(err, new(*tls.CertificateVerificationError)) || errors.As(err, new(tls.RecordHeaderError))
}

// isOfConnection reports whether an answer could not be read because the connection ended.
// Otherwise it is malformed.
func isOfConnection(err error) bool {
	return errors.As(err, new(net.Error)) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// statusLine returns the status line of an answer with control characters escaped: its text is the
// server's.
func statusLine(response *http.Response) string { return trace.Printable(response.Status) }
