// Downloads, which are retried after pauses and continue where an earlier one ended.

package traces

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"gridsweep/configs"
	"gridsweep/results"
)

// Progress is how far a download is, as FetchOptions.Progress gets it.
type Progress struct {
	Trace   string
	Done    int64  // bytes on disk
	Total   int64  // bytes of the file; 0 if the server does not say
	Resumed int64  // bytes of Done that earlier downloads or attempts left
	Retry   error  // why the next attempt begins after a pause; nil in all other calls
	Ended   bool   // the last call: the trace is stored, or could not be fetched
	Path    string // path of the trace, in the last call; empty if it could not be fetched
}

// settings are how often and after which pauses a download is retried, and how much space it has.
type settings struct {
	tries int                             // most attempts in a row without progress
	first time.Duration                   // pause after the first of them; the others are longer
	stall time.Duration                   // after which a connection without data is closed
	free  func(dir string) (int64, error) // bytes that may be written into a folder
}

var usualSettings = settings{tries: 6, first: time.Second, stall: time.Minute, free: freeSpace}

// longestPause bounds the pauses between attempts, also those that a server asks for.
const longestPause = time.Minute

// download downloads the content of an address into a file. An interrupted download leaves the file
// and its origin, and can be resumed.
type download struct {
	address string
	trace   configs.Trace
	partial string // the file that is downloaded into
	settings
	Progress // how far it is
	show     func(Progress)
}

// origin is the address and version of a partial file, in a file beside it. The rest fits only if
// the validator, an entity tag or a date of the server, is the same.
type origin struct {
	Address   string `json:"address"`
	Validator string `json:"validator"`
}

func (d *download) originFile() string { return d.partial + ".origin" }

// run downloads until the file is complete. Its error is permanent, the last one of many, or ctx's.
func (d *download) run(ctx context.Context) error {
	waits := &pauses{ExponentialBackOff: backoff.NewExponentialBackOff(), tries: d.tries}
	waits.InitialInterval, waits.MaxInterval = d.first, longestPause
	furthest := int64(0) // a server that cannot resume sends the same bytes again: no progress
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		reached, err := d.attempt(ctx)
		if reached > furthest {
			furthest = reached
			waits.failed = 0
			waits.Reset()
		}
		return struct{}{}, err
	}, backoff.WithBackOff(waits), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, _ time.Duration) {
			retried := d.Progress
			retried.Retry = err
			d.show(retried)
		}))
	if results.IsDiskFull(err) {
		err = fmt.Errorf("%w: %w; free some space or name another folder with --dir", errNoSpace, err)
	}
	switch {
	case errors.Is(err, errTooLarge): // which errNoSpace wraps
		return errors.Join(err, removeIfThere(d.partial), removeIfThere(d.originFile()))
	case err != nil:
		return errors.Join(err, d.removeEmpty())
	default:
		return nil
	}
}

// removeEmpty removes a partial file without bytes, and its origin.
func (d *download) removeEmpty() error {
	info, err := os.Stat(d.partial)
	if err != nil || info.Size() > 0 {
		return nil
	}
	return errors.Join(os.Remove(d.partial), removeIfThere(d.originFile()))
}

// pauses grow with attempts without progress, and end after too many of those.
type pauses struct {
	*backoff.ExponentialBackOff
	tries, failed int
}

func (p *pauses) NextBackOff() time.Duration {
	if p.failed++; p.failed >= p.tries {
		return backoff.Stop
	}
	return p.ExponentialBackOff.NextBackOff()
}

var errStalled = errors.New("the server has stopped sending")

// attempt makes one request and stores the answer. It returns the offset in the content that it
// reached, 0 without progress.
func (d *download) attempt(ctx context.Context) (reached int64, err error) {
	file, err := os.OpenFile(d.partial, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return 0, backoff.Permanent(err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	have, from, err := d.resumable(file)
	if err != nil {
		return 0, backoff.Permanent(err)
	}
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(d.stall, func() { cancel(errStalled) })
	defer watch.Stop()
	response, err := d.request(within, have, from)
	if err != nil {
		return 0, reason(within, err)
	}
	defer response.Body.Close()
	start, total, err := d.begin(file, response, have)
	if err == nil && total > 0 {
		err = backoff.Permanent(d.checkRoom(start, total-start)) // nil stays nil
	}
	if err != nil {
		return 0, err
	}
	if start == total && start > 0 { // the earlier download was complete
		return 0, nil
	}
	d.Done, d.Total, d.Resumed = start, total, start
	err = d.receive(file, response.Body, func() { watch.Reset(d.stall) })
	if d.Done > start {
		reached = d.Done
	}
	switch {
	case err != nil:
		return reached, reason(within, err)
	case total > 0 && d.Done < total:
		return reached, fmt.Errorf("the connection ended after %d of %d bytes", d.Done, total)
	}
	return reached, backoff.Permanent(file.Sync())
}

// reason returns why a request ended: err, or the cause if the context was cancelled.
func reason(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// resumable returns how many bytes of which version an earlier download left, 0 if it cannot be
// resumed.
func (d *download) resumable(file *os.File) (have int64, from origin, err error) {
	info, err := file.Stat()
	if err != nil {
		return 0, origin{}, err
	}
	text, err := results.ReadFile(d.originFile())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, origin{}, nil
	}
	if err != nil {
		return 0, origin{}, err
	}
	if json.Unmarshal(text, &from) != nil || from.Address != redacted(d.address) || from.Validator == "" {
		return 0, origin{}, nil // of another address, or malformed: the download starts over
	}
	return info.Size(), from, nil
}

// begin prepares the file for the body of a response. It returns the offset of the body in the
// content and the length of the content, 0 if that is unknown.
func (d *download) begin(file *os.File, response *http.Response, have int64) (start, total int64, err error) {
	switch code := response.StatusCode; {
	case code == http.StatusPartialContent && have > 0:
		var last int64
		sent := response.Header.Get("Content-Range") // its total may be *
		if n, _ := fmt.Sscanf(sent, "bytes %d-%d/%d", &start, &last, &total); n >= 2 && start == have {
			return start, total, nil
		}
		return 0, 0, d.startOver(fmt.Errorf("the server sends %q instead of the rest", sent))
	case code == http.StatusRequestedRangeNotSatisfiable && have > 0:
		if n, _ := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes */%d", &total); n == 1 && total == have {
			return have, total, nil // the earlier download was complete
		}
		return 0, 0, d.startOver(errors.New("the server has less than what is here already"))
	case code == http.StatusOK:
		if err := file.Truncate(0); err != nil {
			return 0, 0, backoff.Permanent(err)
		}
		return 0, max(0, response.ContentLength), backoff.Permanent(d.writeOrigin(response))
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code >= 500:
		return 0, 0, overloaded(response)
	default:
		return 0, 0, backoff.Permanent(fmt.Errorf("the server says %s", statusLine(response)))
	}
}

// startOver makes the next attempt request the whole content, since the server's content does not
// continue the file.
func (d *download) startOver(why error) error {
	if err := os.Remove(d.originFile()); err != nil {
		return backoff.Permanent(err)
	}
	return fmt.Errorf("%w: starting over", why)
}

// overloaded is the error of a server that may answer after a pause, which it may set.
func overloaded(response *http.Response) error {
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return fmt.Errorf("the server says %s", statusLine(response))
	}
	pause := min(seconds, int(longestPause.Seconds()))
	return fmt.Errorf("the server says %s: %w", statusLine(response), backoff.RetryAfter(pause))
}

// writeOrigin records the origin of the file. It does not use a weak entity tag, which does not
// guarantee equal bytes.
func (d *download) writeOrigin(response *http.Response) error {
	validator := response.Header.Get("ETag")
	if validator == "" || strings.HasPrefix(validator, "W/") {
		validator = response.Header.Get("Last-Modified")
	}
	text, err := json.Marshal(origin{redacted(d.address), validator})
	if err != nil {
		return err
	}
	return results.WriteFile(d.originFile(), text)
}

// checkRoom returns an error if more bytes, after those that the file has, exceed the limit of the
// trace or the free space.
func (d *download) checkRoom(have, more int64) error {
	if err := checkLimit(d.trace, have+more); err != nil {
		return err
	}
	return checkSpace(d.free, filepath.Dir(d.partial), more)
}

// receive writes the body to the file from d.Done on. It calls alive when some bytes come. An error
// of writing is permanent.
func (d *download) receive(file *os.File, body io.Reader, alive func()) error {
	buffer := make([]byte, 128<<10)
	for {
		d.show(d.Progress)
		n, err := body.Read(buffer)
		if n > 0 {
			alive()
			if err := d.write(file, buffer[:n]); err != nil {
				return backoff.Permanent(err)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			d.show(d.Progress)
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("the connection ended after %d bytes", d.Done)
		case err != nil:
			return err
		}
	}
}

// write writes the next bytes of the content, if they do not exceed what the server announced, the
// limit of the trace or the free space.
func (d *download) write(file *os.File, next []byte) error {
	n := int64(len(next))
	if d.Total > 0 && d.Done+n > d.Total {
		return fmt.Errorf("%w: the server announced %d bytes and sends %d or more", errTooLarge, d.Total, d.Done+n)
	}
	if err := d.checkRoom(d.Done, n); err != nil {
		return err
	}
	if _, err := file.WriteAt(next, d.Done); err != nil {
		return err
	}
	d.Done += n
	return nil
}
