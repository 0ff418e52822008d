// Files, pipes and standard input whose reading ends when a context is done.

package traces

import (
	"context"
	"io"
	"os"

	"gridsweep/results"
)

// openSource opens a file such that opening and reading return when ctx is done. A named pipe waits
// for its writer even when it is opened.
func openSource(ctx context.Context, path string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		return closing{results.UntilDone(ctx, file), file}, nil
	}
	type opened struct {
		file *os.File
		err  error
	}
	open := make(chan opened, 1)
	go func() {
		file, err := os.Open(path)
		open <- opened{file, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err() // the goroutine ends with the program
	case o := <-open:
		if o.err != nil {
			return nil, o.err
		}
		return closing{newInterruptible(ctx, o.file), o.file}, nil
	}
}

// standardInput returns the reader so that reading ends when ctx is done.
func standardInput(ctx context.Context, stdin io.Reader) io.Reader {
	if file, ok := stdin.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return results.UntilDone(ctx, stdin)
		}
	}
	return newInterruptible(ctx, stdin)
}

type closing struct {
	io.Reader
	io.Closer
}

// interruptible reads a source that may block for ever, such as a pipe, until ctx is done. Each
// read of the source has a goroutine of its own, which stays blocked when ctx is done.
type interruptible struct {
	ctx    context.Context
	source io.Reader
	buffer []byte // used by the goroutine while it reads
	rest   []byte // rest of the buffer, not yet returned
	err    error  // error of the source, after the rest
	done   chan readResult
}

type readResult struct {
	n   int
	err error
}

func newInterruptible(ctx context.Context, source io.Reader) *interruptible {
	return &interruptible{ctx: ctx, source: source, buffer: make([]byte, 64<<10), done: make(chan readResult, 1)}
}

func (p *interruptible) Read(to []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	if len(p.rest) == 0 && p.err == nil {
		go func() {
			n, err := p.source.Read(p.buffer)
			p.done <- readResult{n, err}
		}()
		select {
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		case e := <-p.done:
			p.rest, p.err = p.buffer[:e.n], e.err
		}
	}
	n := copy(to, p.rest)
	if p.rest = p.rest[n:]; len(p.rest) > 0 {
		return n, nil
	}
	return n, p.err
}
