// Bundles of equal files have equal bytes and are extracted as they were; hostile ones are refused
// with an error that says what is wrong, and write nothing outside their folder.

package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var testFiles = []File{
	{Name: "results/a b/runs/1.parquet", Content: bytes.Repeat([]byte("rows"), 1000)},
	{Name: "README.md", Content: []byte("# read\n")},
	{Name: "results/a b/tables/50 % of.csv", Content: []byte("a,b\n1,2\n")},
	{Name: "empty.txt"},
}

var testCrate = Crate{
	Name: "Results", Description: "of a test", Date: "2026-11-24", License: "CC-BY-4.0",
	Papers:   []string{"A. Person, A paper, https://doi.org/10.1000/1.", "B. Person, a thesis"},
	Traces:   []string{"log@sha256:" + strings.Repeat("0", 64)},
	Version:  "1",
	Citation: "README.md",
	Describe: func(name string) string { return "file " + name },
}

// write returns the bytes of a bundle.
func write(t testing.TB, files []File, crate Crate) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.zip")
	if err := Write(t.Context(), name, false, files, crate, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(data []byte) (*Archive, error) { return readList(bytes.NewReader(data), int64(len(data))) }

func TestRoundTrip(t *testing.T) {
	data := write(t, testFiles, testCrate)
	again := slices.Clone(testFiles)
	slices.Reverse(again)
	if !bytes.Equal(data, write(t, again, testCrate)) {
		t.Error("the order of the files changes the bytes")
	}
	a, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := a.Extract(t.Context(), dir, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	for _, f := range testFiles {
		if have, err := os.ReadFile(filepath.Join(dir, f.Name)); err != nil || !bytes.Equal(have, f.Content) {
			t.Errorf("%s: %q, %v", f.Name, have, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, CrateFile))
	if err != nil || !bytes.Contains(text, []byte(`"@id": "https://doi.org/10.1000/1"`)) {
		t.Errorf("the crate lacks the address of the paper (%v):\n%s", err, text)
	}
	if manifest, err := a.Content(ManifestFile); err != nil || bytes.Count(manifest, []byte("\n")) != len(testFiles)+1 {
		t.Errorf("manifest %s, %v", manifest, err)
	}
}

// A file is not replaced unless that is wanted, and not written in part.
func TestWriteIsWhole(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.zip")
	quiet := func(int, int) {}
	if err := Write(t.Context(), name, false, testFiles, testCrate, quiet); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), name, false, testFiles, testCrate, quiet); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an existing file: %v", err)
	}
	if err := Write(t.Context(), name, true, testFiles[:1], testCrate, quiet); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stop := func(int, int) { cancel() }
	err := Write(ctx, filepath.Join(dir, "y.zip"), false, testFiles, testCrate, stop)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after an interruption: %v", err)
	}
	missing := append([]File{{Name: "x", Path: filepath.Join(dir, "absent")}}, testFiles...)
	if err := Write(t.Context(), filepath.Join(dir, "y.zip"), false, missing, testCrate, quiet); err == nil {
		t.Error("a missing file is no error")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
	for _, files := range [][]File{
		{{Name: "../x"}}, {{Name: "a"}, {Name: "A"}}, {{Name: "/x"}}, {{Name: `a\b`}}, {{Name: "a/"}}, {{Name: ""}},
		{{Name: "a\nb"}}, {{Name: "a//b"}}, {{Name: "B"}, {Name: "a"}, {Name: "b"}}, {{Name: CrateFile}},
	} {
		if err := Write(t.Context(), filepath.Join(dir, "z.zip"), false, files, testCrate, quiet); err == nil {
			t.Errorf("%q is written", files)
		}
	}
}

// entries returns the entries of a bundle, to change some.
func entries(t testing.TB, data []byte) []entry {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var list []entry
	for _, f := range z.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(from); err != nil {
			t.Fatal(err)
		}
		list = append(list, entry{name: f.Name, content: content.Bytes()})
	}
	return list
}

// entry is a file of any zip.
type entry struct {
	name    string
	content []byte
	mode    fs.FileMode
	size    uint64 // that the header says, in place of the true one
}

func pack(t testing.TB, list []entry) []byte {
	var data bytes.Buffer
	z := zip.NewWriter(&data)
	for _, e := range list {
		header := &zip.FileHeader{Name: e.name, Method: zip.Store}
		header.SetMode(0o644 | e.mode)
		header.CompressedSize64, header.UncompressedSize64 = uint64(len(e.content)), uint64(len(e.content))
		header.CRC32 = crc32.ChecksumIEEE(e.content)
		if e.size > 0 {
			header.UncompressedSize64 = e.size
		}
		w, err := z.CreateRaw(header)
		if err == nil {
			_, err = w.Write(e.content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

func TestHostileBundles(t *testing.T) {
	good := write(t, testFiles, testCrate)
	with := func(extra ...entry) func([]entry) []entry {
		return func(list []entry) []entry { return append(list, extra...) }
	}
	on := func(name string, change func(*entry)) func([]entry) []entry {
		return func(list []entry) []entry {
			for i := range list {
				if list[i].name == name {
					change(&list[i])
				}
			}
			return list
		}
	}
	replaced := func(old, changed string) func(*entry) {
		return func(e *entry) {
			text := strings.Replace(string(e.content), old, changed, 1)
			if text == string(e.content) {
				t.Fatalf("%s has no %q", e.name, old)
			}
			e.content = []byte(text)
		}
	}
	// crate replaces a text in the crate, with the right checksum in the manifest.
	crate := func(old, changed string) func([]entry) []entry {
		return func(list []entry) []entry {
			list = on(CrateFile, replaced(old, changed))(list)
			var sums []listedFile
			for _, e := range list {
				if e.name != ManifestFile {
					l, err := describe(t.Context(), File{Name: e.name, Content: e.content})
					if err != nil {
						t.Fatal(err)
					}
					sums = append(sums, l)
				}
			}
			return on(ManifestFile, func(e *entry) { e.content = manifest(sums) })(list)
		}
	}
	for name, c := range map[string]struct {
		change func([]entry) []entry
		want   string
	}{
		"a path outside":            {with(entry{name: "../../evil"}), `entry "../../evil" is not a plain path below`},
		"an absolute path":          {with(entry{name: "/tmp/evil"}), "is not a plain path"},
		"a path of Windows":         {with(entry{name: `a\..\..\evil`}), "is not a plain path"},
		"a drive":                   {with(entry{name: "c:/evil"}), "is not a plain path"},
		"a path through a dot":      {with(entry{name: "a/../b"}), "is not a plain path"},
		"a line break":              {with(entry{name: "a\nb"}), "is no name of a file"},
		"a folder":                  {with(entry{name: "folder/"}), "is a folder"},
		"a link":                    {with(entry{name: "l", content: []byte("/etc"), mode: fs.ModeSymlink}), "is a link"},
		"a pipe":                    {with(entry{name: "pipe", mode: fs.ModeNamedPipe}), "is a link or another thing"},
		"a duplicate":               {with(entry{name: "README.md"}), `has the name of another entry, "README.md"`},
		"names that differ in case": {with(entry{name: "readme.MD"}), "which some systems do not tell apart"},
		"an extra file":             {with(entry{name: "extra"}), `"extra" is not listed in manifest-sha256.txt`},
		"a missing file":            {func(l []entry) []entry { return l[1:] }, `"README.md" is missing`},
		"a changed file": {
			on("README.md", func(e *entry) { e.content = []byte("# evil\n") }), "README.md has the SHA-256",
		},
		"a bomb by its header": {on("empty.txt", func(e *entry) { e.size = 1 << 40 }), "is a zip bomb or damaged"},
		"more bytes than said": {
			on("README.md", func(e *entry) { e.content = make([]byte, 1<<20); e.size = 7 }), "README.md",
		},
		"fewer bytes than said": {on("README.md", func(e *entry) { e.size = 9 }), "README.md is damaged"},
		"no manifest": {
			func(l []entry) []entry {
				return slices.DeleteFunc(l, func(e entry) bool { return e.name == ManifestFile })
			}, "has no file manifest-sha256.txt: it is no bundle",
		},
		"no checksum": {on(ManifestFile, func(e *entry) { e.content = []byte("x  y\n") }), "line 1: \"x  y"},
		"a line twice": {
			on(ManifestFile, func(e *entry) { e.content = append(e.content, e.content...) }), `lists "README.md" twice`,
		},
		"no JSON":         {crate("{", "["), "ro-crate-metadata.json is no RO-Crate: "},
		"another context": {crate("crate/1.1/context", "crate/1.0/context"), "its @context is not"},
		"another profile": {crate(`"https://w3id.org/ro/crate/1.1"`, `"https://w3id.org/ro/crate/1.2"`), "conforms to"},
		"no root":         {crate(`"Dataset"`, `"Thing"`), "./ is no Dataset"},
		"a part too many": {crate(`"@id": "README.md"`, `"@id": "README.txt"`), `lists "README.txt", which`},
		"a part missing":  {crate("\"hasPart\": [", "\"hadPart\": ["), `does not list "README.md"`},
		"two entities of one id": {
			crate("\"@id\": \"./\",\n      \"@type\"", "\"@id\": \"README.md\",\n      \"@type\""), "has no @id of its own",
		},
	} {
		data := pack(t, c.change(entries(t, good)))
		dir := t.TempDir()
		inside := filepath.Join(dir, "a", "b")
		if err := os.MkdirAll(inside, 0o777); err != nil {
			t.Fatal(err)
		}
		a, err := read(data)
		if err == nil {
			err = a.Extract(t.Context(), inside, func(int, int) {})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		onlyInside(t, dir)
	}
	for n := range len(good) {
		if n%7 == 0 {
			if _, err := read(good[:n]); err == nil {
				t.Errorf("cut off after %d of %d bytes: no error", n, len(good))
			}
		}
	}
}

// onlyInside checks that a folder has nothing but a/b and what is below.
func onlyInside(t testing.TB, dir string) {
	t.Helper()
	for _, folder := range []string{dir, filepath.Join(dir, "a")} {
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
			t.Errorf("%s has %v (%v)", folder, entries, err)
		}
	}
}

// A bomb whose headers tell the truth is refused too.
func TestBombs(t *testing.T) {
	var data bytes.Buffer
	z := zip.NewWriter(&data)
	w, err := z.Create("zeros")
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range (smallBytes >> 20) + 60 {
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := read(data.Bytes()); err == nil || !strings.Contains(err.Error(), "zip bomb") {
		t.Errorf("error %v", err)
	}
}

// Whatever the bytes are, the reader returns an error or the files, and writes into its folder
// only.
func FuzzRead(f *testing.F) {
	good := write(f, testFiles, testCrate)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add(pack(f, append(entries(f, good), entry{name: "../evil"}, entry{name: "l", mode: fs.ModeSymlink})))
	f.Add(pack(f, []entry{{name: ManifestFile}, {name: CrateFile, content: []byte(`{"@graph": [{}]}`)}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := read(data)
		if err != nil {
			return
		}
		dir := t.TempDir()
		inside := filepath.Join(dir, "a", "b")
		if err := os.MkdirAll(inside, 0o777); err != nil {
			t.Fatal(err)
		}
		_ = a.Extract(t.Context(), inside, func(int, int) {})
		onlyInside(t, dir)
	})
}

// Whatever a crate says, the check returns an error or accepts it.
func FuzzCrate(f *testing.F) {
	a, err := read(write(f, testFiles, testCrate))
	if err != nil {
		f.Fatal(err)
	}
	text, err := a.Content(CrateFile)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"@context": ["` + crateContext + `"],
		"@graph": [{"@id": "./", "@type": "Dataset", "hasPart": [1, {}]}]}`))
	names := a.Names()
	f.Fuzz(func(t *testing.T, text []byte) {
		if checkCrate(text, names) == nil && !json.Valid(text) {
			t.Errorf("accepts %q", text)
		}
	})
}
