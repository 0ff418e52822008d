// Traces extracted from .zip archives.

package traces

import (
	"archive/zip"
	"context"
	"fmt"
	"path"
	"strings"

	"gridsweep/configs"
	"gridsweep/model/trace"
	"gridsweep/results"
)

const zipEnding = ".zip"

// memberEnding is the ending of the file that is extracted from a .zip, before it has its name.
const memberEnding = ".member"

// extracted returns the file with the trace: the source itself or, if the ending says that it is a
// .zip, a new file beside it with the member.
func extracted(ctx context.Context, t configs.Trace, source, ending string) (string, error) {
	if ending != zipEnding {
		return source, nil
	}
	archive, err := zip.OpenReader(source)
	if err != nil {
		return "", fmt.Errorf("it is no whole .zip: %w", err)
	}
	defer archive.Close()
	member, err := memberOf(t, archive)
	if err != nil {
		return "", err
	}
	name, size := trace.Printable(member.Name), int64(min(member.UncompressedSize64, 1<<62))
	if err := checkLimit(t, size); err != nil {
		return "", fmt.Errorf("%s in it: %w", name, err)
	}
	content, err := member.Open()
	if err != nil {
		return "", fmt.Errorf("%s in it: %w", name, err)
	}
	defer content.Close()
	file := source + memberEnding
	if err := writeNew(file, results.UntilDone(ctx, content), size); err != nil {
		return "", fmt.Errorf("%s in it: %w", name, err)
	}
	return file, nil
}

// memberOf returns the member of a .zip that is the trace: the one that the catalogue names, or the
// only one.
func memberOf(t configs.Trace, archive *zip.ReadCloser) (*zip.File, error) {
	var files []*zip.File
	var names []string
	for _, file := range archive.File {
		if file.FileInfo().IsDir() || strings.HasPrefix(file.Name, "__MACOSX/") {
			continue
		}
		if t.Member.Value != "" && path.Base(file.Name) == t.Member.Value {
			return file, nil
		}
		files, names = append(files, file), append(names, trace.Printable(file.Name))
	}
	if len(files) == 1 {
		return files[0], nil
	}
	const shown = 8
	more := ""
	if len(names) > shown {
		names, more = names[:shown], ", ..."
	}
	return nil, fmt.Errorf("which of the %d files in it is the trace? (%s%s); unpack it and import that one",
		len(files), strings.Join(names, ", "), more)
}
