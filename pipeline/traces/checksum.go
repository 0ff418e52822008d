// Checksums of traces, computed and recorded in a file beside each trace.

package traces

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"gridsweep/results"
)

// recordEnding is the ending of the file beside a trace with its checksum, as sha256sum writes it.
const recordEnding = ".sha256"

// Verify returns the SHA-256 of a file as it is stored, in hexadecimal digits, and whether
// FILE.sha256 beside it records that. If FILE.sha256 records another checksum or is malformed, the
// error says what to do.
func Verify(ctx context.Context, path string) (sum string, isRecorded bool, err error) {
	if sum, err = sumOf(ctx, path); err != nil {
		return "", false, err
	}
	want, err := recorded(path)
	switch {
	case err != nil:
		return "", false, err
	case want != "" && want != sum:
		return "", false, differs(path, sum, want)
	}
	return sum, want != "", nil
}

// differs is the error of a file with another checksum than the recorded one.
func differs(path, sum, want string) error {
	return fmt.Errorf("%s has the SHA-256 %s, but %s recorded %s: it is damaged or another file; "+
		"remove both and fetch or import the trace again, or remove only the record if the file is the one you want",
		path, sum, path+recordEnding, want)
}

// sumOf returns the SHA-256 of a file.
func sumOf(ctx context.Context, path string) (string, error) {
	file, err := openSource(ctx, path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum, _, err := results.Checksum(file)
	return sum, err
}

// recorded returns the recorded checksum of a file, which need not exist; empty if there is none.
func recorded(path string) (string, error) {
	text, err := results.ReadFile(path + recordEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name = strings.TrimLeft(name, " *"); results.IsChecksum(sum) && filepath.Base(name) == filepath.Base(path) {
			return strings.ToLower(sum), nil
		}
	}
	return "", fmt.Errorf("%s has no line with the SHA-256 of %s, as sha256sum writes it; correct or remove it",
		path+recordEnding, filepath.Base(path))
}

// record records the checksum of a file beside it.
func record(path, sum string) error {
	return results.WriteFile(path+recordEnding, fmt.Appendf(nil, "%s  %s\n", sum, filepath.Base(path)))
}
