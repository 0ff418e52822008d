// The store of traces: members of .zip files, imported and packed files are compared with the
// stored bytes and their record, and leftovers of earlier downloads and failed copies are removed.

package traces

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

func zipOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var file bytes.Buffer
	archive := zip.NewWriter(&file)
	for i, name := range names {
		w, err := archive.Create(name)
		if err == nil {
			_, err = w.Write(jobs(10, i))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// Of a .zip the member with the trace is stored.
func TestFetchZip(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  int // the member that is the trace
	}{
		{[]string{"readme.txt", "data/jobs.swf"}, 1}, {[]string{"log.swf"}, 0},
	} {
		content := zipOf(t, c.names...)
		a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) })
		dir := t.TempDir()
		if _, err := fetch(t.Context(), entry(a.URL+"/small.zip?x=1"), FetchOptions{Dir: dir}, quick); err != nil {
			t.Fatal(err)
		}
		checkStored(t, dir, "small.swf", jobs(10, c.want))
	}
	content := zipOf(t, "a.swf", "b.swf")
	a := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { whole(w, r, content) })
	_, err := fetch(t.Context(), entry(a.URL+"/small.zip"), FetchOptions{Dir: t.TempDir()}, quick)
	if !failsWith(err, "which of the 2 files in it is the trace? (a.swf, b.swf)") {
		t.Errorf("error %v", err)
	}
}

func TestImport(t *testing.T) {
	content := jobs(1000, 60)
	dir, from := t.TempDir(), t.TempDir()
	file := filepath.Join(from, "log.swf")
	write(t, file, content)
	for _, want := range []Stored{
		{filepath.Join(dir, "small.swf"), sumOfBytes(content), false, 1000},
		{filepath.Join(dir, "small.swf"), sumOfBytes(content), true, 0},
	} {
		stored, err := Import(t.Context(), entry(""), file, dir)
		if err != nil || stored != want {
			t.Errorf("%+v, %v, want %+v", stored, err, want)
		}
		checkStored(t, dir, "small.swf", content)
	}
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"other.swf":  {jobs(1000, 61), "small.swf is another file"},
		"other.zip":  {zipOf(t, "jobs.swf"), "small.swf is another file"},
		"folder.swf": {nil, "is no file"},
	} {
		file := filepath.Join(from, name)
		if c.content == nil {
			if err := os.Mkdir(file, 0o777); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, file, c.content)
		}
		if _, err := Import(t.Context(), entry(""), file, dir); !failsWith(err, c.want) {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
		checkStored(t, dir, "small.swf", content)
	}
}

// When the trace is stored, files of earlier downloads with any packing are removed; other files
// stay.
func TestImportRemovesParts(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "log.swf")
	content := jobs(10, 60)
	write(t, file, content)
	for range 2 { // the second time it is there
		for _, name := range []string{
			"small.swf.part", "small.swf.part.origin", "small.swf.zip.part", "small.swf.gz.part.origin",
			"small.swf.zip.part.member", "small.swf.zst.import", "small.swf.zip.import.member",
			".small.swf.part.origin17", ".small.swf.sha2561234567",
		} {
			write(t, filepath.Join(dir, name), []byte("left"))
		}
		if _, err := Import(t.Context(), entry(""), file, dir); err != nil {
			t.Fatal(err)
		}
		checkStored(t, dir, "small.swf", content)
	}
	for _, name := range []string{"other.swf.part", ".small.swf.sha256", ".small.swf.sha256.1", ".other.swf.sha2561"} {
		write(t, filepath.Join(dir, name), nil)
	}
	if _, err := Import(t.Context(), entry(""), file, dir); err != nil || len(namesIn(t, dir)) != 6 {
		t.Errorf("%v, left %s", err, namesIn(t, dir))
	}
}

// A failed copy leaves no file.
func TestWriteNewFails(t *testing.T) {
	dir, broken := t.TempDir(), errors.New("the disk is gone")
	source := io.MultiReader(bytes.NewReader(jobs(10, 0)), iotest.ErrReader(broken))
	err := writeNew(filepath.Join(dir, "small.swf.import"), source, 1000)
	if !errors.Is(err, broken) || len(namesIn(t, dir)) > 0 {
		t.Errorf("error %v; left %v", err, namesIn(t, dir))
	}
}

// A packed file stays packed, a .zip does not, and a file that is no trace is not stored.
func TestImportForms(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.Copy(w, bytes.NewReader(jobs(10, 0))); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, kept    string
		content, want []byte
	}{
		{"a.swf.gz", "small.swf.gz", packed.Bytes(), packed.Bytes()},
		{"a.zip", "small.swf", zipOf(t, "jobs.swf"), jobs(10, 0)},
	} {
		dir, file := t.TempDir(), filepath.Join(t.TempDir(), c.file)
		write(t, file, c.content)
		if _, err := Import(t.Context(), entry(""), file, dir); err != nil {
			t.Error(err)
			continue
		}
		checkStored(t, dir, c.kept, c.want)
	}
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "a.swf")
	write(t, file, []byte("1 2 3\n"))
	_, err := Import(t.Context(), entry(""), file, dir)
	if err == nil || !strings.Contains(err.Error(), "it is no trace in swf") || len(namesIn(t, dir)) > 0 {
		t.Errorf("error %v; left %v", err, namesIn(t, dir))
	}
}
