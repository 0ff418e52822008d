// Process: a program with pipes to its standard input and output, under time limits.

package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// limits bound how long a program may take.
type limits struct {
	start  time.Duration // time limit of the first answer
	answer time.Duration // time limit of each other answer
	exit   time.Duration // time limit of its end, after the last answer
}

// usualLimits leave time for imports from a network's file system and for a plan of a long queue.
var usualLimits = limits{start: time.Minute, answer: time.Minute, exit: 5 * time.Second}

// longestAnswer bounds a line from a program, in bytes. One that starts a million jobs is shorter.
const longestAnswer = 8 << 20

// errTooLong is the error of a line that is longer.
var errTooLong = fmt.Errorf("an answer has more than %d bytes", longestAnswer)

// process is a program that runs. Its methods are for one goroutine; timers stop it.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	lines   *bufio.Reader // lines of out
	long    []byte        // a line that is longer than the buffer of lines
	stderr  *tail
	clock   *time.Timer // runs during an exchange alone
	release func() bool // stops watching the context

	mu       sync.Mutex
	isLate   bool // the clock has stopped it
	isReaped bool // it has ended, and its number may be another's
}

// start starts a program in the folder of its file. When ctx is done, it is killed.
func start(ctx context.Context, path string, arguments []string) (*process, error) {
	p := &process{command: exec.Command(path, arguments...), stderr: &tail{}}
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.command.StdoutPipe(); err != nil {
		_, _ = p.in.Close(), p.command.Stdin.(io.Closer).Close() // both ends of the pipe
		return nil, err
	}
	p.lines = bufio.NewReaderSize(p.out, 64<<10)
	p.command.Stderr = p.stderr
	p.command.Dir = filepath.Dir(path)
	// The same program gives the same answers: the order of sets in Python does not change from run
	// to run. Python's print needs no flush.
	p.command.Env = append([]string{"PYTHONHASHSEED=0", "PYTHONUNBUFFERED=1"}, os.Environ()...)
	// for what it has started and left behind with its standard error
	p.command.WaitDelay = time.Second
	setGroup(p.command)
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	p.clock = time.AfterFunc(time.Hour, func() { p.stop(true) })
	p.clock.Stop() // until an exchange
	p.release = context.AfterFunc(ctx, func() { p.stop(false) })
	return p, nil
}

// stop kills the program and ends reading and writing.
func (p *process) stop(isLate bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isLate = p.isLate || isLate
	if !p.isReaped {
		killGroup(p.command)
	}
	_, _ = p.in.Close(), p.out.Close()
}

// exchange writes a line and returns the answer, which is valid until the next call.
func (p *process) exchange(line []byte, limit time.Duration) ([]byte, error) {
	p.clock.Reset(limit)
	defer p.clock.Stop()
	if _, err := p.in.Write(line); err != nil {
		return nil, p.broken(err, limit)
	}
	answer, err := p.read()
	if err != nil {
		err = p.broken(err, limit)
	}
	return answer, err
}

// errOver is the error of a program that has closed its pipes or ended.
var errOver = errors.New("it reads and writes no more")

// broken returns why there is no answer.
func (p *process) broken(err error, limit time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.isLate:
		return fmt.Errorf("no answer in %s", limit)
	case errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE):
		return errOver
	default:
		return err
	}
}

// read returns the next line with its line break.
func (p *process) read() ([]byte, error) {
	line, err := p.lines.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	p.long = append(p.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(p.long) > longestAnswer {
			return p.long, errTooLong
		}
		line, err = p.lines.ReadSlice('\n')
		p.long = append(p.long, line...)
	}
	return p.long, err
}

// end closes the standard input of the program, which ends then, and kills it if it has not ended
// in time. It always kills what the program has left behind. It returns how the program ended.
func (p *process) end(patience time.Duration) string {
	p.release()
	_ = p.in.Close()
	kill := time.AfterFunc(patience, func() { p.stop(false) })
	_ = p.command.Wait() // which closes out; its state says how it has ended
	kill.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	killGroup(p.command) // what it has left behind
	p.isReaped = true
	return p.command.ProcessState.String()
}

// tail keeps the last bytes that are written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	text []byte
	cut  bool // there were more
}

// mostTail is how many bytes of standard error are kept, and mostLines how many lines are shown.
const (
	mostTail  = 8 << 10
	mostLines = 20
)

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	if more := len(t.text) - mostTail; more > 0 {
		t.text, t.cut = append(t.text[:0], t.text[more:]...), true
	}
	return len(text), nil
}

// lines returns the last whole lines.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimRight(string(t.text), "\n"), "\n")
	if t.cut {
		lines = lines[1:]
	}
	if lines = lines[max(0, len(lines)-mostLines):]; len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines
}
