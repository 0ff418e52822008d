// Package external runs schedulers that are programs, in any language: the policies exec:PROGRAM.
// Its one idea: a program is at the other end of two pipes and answers each line by one; package
// protocol has what they say. Time limits, the end of the program and the exchanges that led to an
// error are here.
//
// [Programs] resolves the programs that studies name to references with checksums, and starts one
// for each simulation.
package external

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/results"
)

// checksumMark is between the name of a program and its checksum.
const checksumMark = "@sha256:"

// Programs resolves and starts programs. Resolve computes the checksum of each once, and Open again
// each time. It is safe for concurrent use.
type Programs struct {
	limits limits
	mu     sync.Mutex
	files  map[string]programFile // files of programs by path
	paths  map[string]string      // paths by NAME@sha256:SUM
}

// programFile is the SHA-256 of the file of a program, or why it cannot be a program.
type programFile struct {
	sum string
	err error
}

// NewPrograms returns an empty cache of programs.
func NewPrograms() *Programs {
	return &Programs{limits: usualLimits, files: map[string]programFile{}, paths: map[string]string{}}
}

// split returns the elements of a policy exec:FILE[@sha256:SUM] [ARGUMENT …]: words with spaces
// between. There are no quotes: a file or argument with a space needs a script around it.
func split(policy string) (name, sum string, arguments []string, err error) {
	words := strings.Fields(strings.TrimPrefix(policy, cluster.ProgramPolicy))
	if len(words) == 0 {
		return "", "", nil, fmt.Errorf("policy %q names no program: write exec:./my_scheduler.py", policy)
	}
	name, sum, _ = strings.Cut(words[0], checksumMark)
	return name, strings.ToLower(sum), words[1:], nil
}

// Resolve returns the reference exec:NAME@sha256:SUM of a policy exec:FILE, with its arguments. The
// path of the file is relative to folder; PATH is not searched. If the policy has a checksum, or
// its first digits, the program must have it. With all digits the policy is a reference, and no
// file is needed before a run starts it, so that results can be analysed without the program.
func (p *Programs) Resolve(ctx context.Context, policy, folder string) (string, error) {
	name, want, arguments, err := split(policy)
	if err != nil {
		return "", err
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", fmt.Errorf("program %s: %w", name, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f, isKnown := p.files[path]
	if !isKnown {
		f.sum, f.err = sumOf(path)
		p.files[path] = f
	}
	switch {
	case errors.Is(f.err, fs.ErrNotExist) && results.IsChecksum(want):
		f.sum = want
	case errors.Is(f.err, fs.ErrNotExist):
		return "", fmt.Errorf("program %s: %w; write its path from %s on, such as exec:./my_scheduler.py (PATH is not "+
			"searched)", name, f.err, folderName(folder))
	case f.err != nil:
		return "", fmt.Errorf("program %s: %w", name, f.err)
	case !strings.HasPrefix(f.sum, want):
		return "", fmt.Errorf("program %s has the SHA-256 %s, not %s: get the file that has it, or write exec:%s alone",
			name, f.sum, want, name)
	}
	reference := filepath.Base(name) + checksumMark + f.sum
	if f.err == nil {
		p.paths[reference] = path
	}
	return cluster.ProgramPolicy + strings.Join(append([]string{reference}, arguments...), " "), nil
}

func folderName(folder string) string {
	if folder == "" {
		return "the working folder"
	}
	return "the folder " + folder
}

// sumOf returns the SHA-256 of a program, in hexadecimal digits. The error says why the file cannot
// be a program.
func sumOf(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no regular file", path)
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return "", fmt.Errorf("%s is not executable: a script begins with a line such as #!/usr/bin/env python3, and "+
			"chmod +x %s makes it a program", path, path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum, _, err := results.Checksum(file)
	return sum, err
}

// Open opens the program of a reference that Resolve returned, for one simulation. Its method End
// kills what the program has started too, except on Windows, and explains an error of the
// simulation by the last exchanges and what the program wrote on standard error. Open returns an
// error if the file is missing or was changed since.
func (p *Programs) Open(ctx context.Context, reference string) (model.Program, error) {
	name, want, arguments, err := split(reference)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	path := p.paths[name+checksumMark+want]
	p.mu.Unlock()
	if path == "" {
		return nil, fmt.Errorf("program %s with the SHA-256 %s is not here", name, want)
	}
	switch sum, err := sumOf(path); {
	case err != nil:
		return nil, fmt.Errorf("program %s: %w", name, err)
	case sum != want:
		return nil, fmt.Errorf("program %s: %s now has the SHA-256 %s, not %s: it was changed after the plan was "+
			"made; put the file back, or make a plan with the new one", name, path, sum, want)
	}
	return &conversation{ctx: ctx, name: name, path: path, arguments: arguments, limits: p.limits}, nil
}
