// Traces by name: the files that are found in folders, and the references and errors for every form
// of the parameter trace, are compared with texts. Logs are read from whole, changed and missing
// files, and from the archive's log of one paper if it is there.

package traces

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/configs"
	"gridsweep/model/trace"
)

// isolate changes to a new folder, the only one in which traces can be found.
func isolate(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Chdir(dir)
	t.Setenv(FolderVariable, "")
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	return dir
}

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, path, content)
}

// located returns the file of a word, as Locate does with the program's catalogue.
func located(word string) (string, error) {
	return Locate(word, func() (configs.Catalogue, error) { return configs.Traces(), nil }, "")
}

// The folder of the environment goes before ./traces, and that before the cache; within a folder
// the order of names and endings decides.
func TestFind(t *testing.T) {
	dir := isolate(t)
	var missing *NotFoundError
	if _, err := located("das2"); !errors.As(err, &missing) || !failsWith(err, "trace fetch das2") {
		t.Errorf("error %v", err)
	}
	t.Setenv(FolderVariable, filepath.Join(dir, "mine"))
	cache, err := cacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{filepath.Join(dir, "mine"), "traces", cache}, folders()); diff != "" {
		t.Error(diff)
	}
	for _, path := range []string{
		filepath.Join(cache, "das2", "anon_jobs.gwf.bz2"), filepath.Join(cache, "das2.gwf"),
		filepath.Join("traces", "GWA-T-1-DAS2.gwf.zst"), filepath.Join("traces", "das2.gwf.gz"),
		filepath.Join(dir, "mine", "das2", "anon_jobs.gwf"),
	} {
		put(t, path, nil)
		if got, err := located("das2"); err != nil || got != path {
			t.Errorf("found %s, %v, want %s", got, err, path)
		}
	}
	if _, err := located("das3"); !errors.Is(err, fs.ErrNotExist) || !failsWith(err, "did you mean das2?") {
		t.Errorf("error %v", err)
	}
	t.Setenv(FolderVariable, NoFolder)
	if path, err := located("das2"); !errors.As(err, &missing) {
		t.Errorf("found %s, %v where no folder is searched", path, err)
	}
	t.Setenv(FolderVariable, filepath.Join(dir, "mine"))
	own := filepath.Join("traces", "das2.gwf.gz")
	if got, err := located(own); err != nil || got != own {
		t.Errorf("found %s, %v, want %s", got, err, own)
	}
	if err := os.Mkdir(filepath.Join(dir, "mine", "das2.gwf"), 0o777); err != nil {
		t.Fatal(err)
	}
	if got, err := located("das2"); err != nil || filepath.Base(got) != "anon_jobs.gwf" {
		t.Errorf("a folder of a trace's name: found %s, %v", got, err)
	}
}

// A trace that is a dangling link, as to a disk that is not mounted, is not replaced by the
// stand-in workload.
func TestFindDanglingLink(t *testing.T) {
	dir := isolate(t)
	link := filepath.Join(dir, "mine", "das2.gwf")
	if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o777), os.Symlink("/nowhere/das2.gwf", link)); err != nil {
		t.Fatal(err)
	}
	t.Setenv(FolderVariable, filepath.Dir(link))
	_, err := NewLibrary(configs.Traces()).Resolve(t.Context(), "auto", "", []string{"das2"})
	if !failsWith(err, link+" is a link that leads nowhere") {
		t.Errorf("error %v", err)
	}
}

// A file in place of a folder of traces is no error.
func TestFindFileInPlaceOfAFolder(t *testing.T) {
	dir := isolate(t)
	put(t, filepath.Join(dir, "mine", "das2"), nil) // where das2/anon_jobs.gwf may be
	put(t, filepath.Join(dir, "traces"), nil)       // in place of the folder
	t.Setenv(FolderVariable, filepath.Join(dir, "mine"))
	if path, err := located("das2"); !errors.As(err, new(*NotFoundError)) {
		t.Errorf("found %q, error %v", path, err)
	}
	got, err := NewLibrary(configs.Traces()).Resolve(t.Context(), "auto", "", []string{"das2"})
	if err != nil || got != "model" {
		t.Errorf("auto is %q, error %v", got, err)
	}
	cache, err := cacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(cache, "das2.gwf"), jobs(10, 1))
	if got, err := located("das2"); err != nil || got != filepath.Join(cache, "das2.gwf") {
		t.Errorf("found %q, error %v", got, err)
	}
}

// Every form of a study's value of the parameter trace.
func TestResolve(t *testing.T) {
	dir := isolate(t)
	das2, auver, own := jobs(10, 2), jobs(10, 4), jobs(10, 5)
	put(t, filepath.Join("traces", "das2.gwf"), das2)
	put(t, filepath.Join(dir, "study", "own.swf"), own)
	put(t, filepath.Join(dir, "study", "a=b.swf"), own)
	both := []string{"das2", "auvergrid"}
	ref := func(name string, content []byte) string { return name + "@sha256:" + sumOfBytes(content) }
	for _, c := range []struct {
		value, want string
		names       []string
	}{
		{"model", "model", both},
		{"auto", "model", both}, // one of them is not there
		{"auto", ref("das2", das2), both[:1]},
		{"das2", ref("das2", das2), []string{"sharcnet"}},
		{"own.swf", ref("own.swf", own), both[:1]},
		{filepath.Join(dir, "study", "own.swf"), ref("own.swf", own), both[:1]},
		{"own.swf, das2", ref("own.swf", own) + "," + ref("das2", das2), both},
		{"das2@sha256:" + sumOfBytes(das2)[:12], ref("das2", das2), both[:1]},
		{ref("own.swf", own), ref("own.swf", own), both[:1]},
		{ref("sharcnet", own), ref("sharcnet", own), both[:1]}, // neither is here, nor need be
		{ref("far/away.swf", own), ref("away.swf", own), both[:1]},
		{"das2=own.swf", ref("own.swf", own), both[:1]},
		{"das2 = own.swf", ref("own.swf", own), both[:1]},
		{"auvergrid=own.swf, das2=das2", ref("das2", das2) + "," + ref("own.swf", own), both},
		// and away.swf is not read
		{"auvergrid=own.swf,das2=away.swf", ref("own.swf", own), both[1:]},
		{"a=b.swf", ref("a=b.swf", own), both[:1]},            // is the name of a file
		{"own.swf", ref("own.swf", own), []string{"own.swf"}}, // is all that is read
		{"a=b.swf|lublin", ref("a=b.swf", own), []string{"a=b.swf"}},
		{"das2@sha256:" + sumOfBytes(das2)[:12] + "|lublin", ref("das2", das2), both[:1]},
		{"auvergrid|lublin", "model", both[1:]}, // it is not there
		{"das2, auvergrid|model", "model", both},
	} {
		got, err := NewLibrary(configs.Traces()).Resolve(t.Context(), c.value, filepath.Join(dir, "study"), c.names)
		if err != nil || got != c.want {
			t.Errorf("%q for %v: %s, %v, want %s", c.value, c.names, got, err, c.want)
		}
	}
	for value, want := range map[string]string{
		"auvergrid":             "gridsweep trace fetch auvergrid",
		"auvergrid@sha256:0123": "gridsweep trace fetch auvergrid",
		"das2,das2": `"das2,das2" names 2 of the 1 traces that are read, das2; ` +
			`write auto, model, or one file for each, with commas between, as das2=FILE`,
		"auvergrid=das2": `"auvergrid=das2" has no file for the trace das2, which is read too; add das2=FILE`,
		"das2=das2,das2": `"das2" in "das2=das2,das2" does not begin with a trace of the catalogue and =`,
		"das2=das2,Sharcnet=x": `"Sharcnet=x" in "das2=das2,Sharcnet=x" does not begin with a trace of the ` +
			`catalogue and =, as the others do; did you mean sharcnet?`,
		"das2=das2,das2=das2": `"das2=das2,das2=das2" names das2 twice; say once which file is read as it`,
		"das2=":               `"das2=" has no file after das2=`,
		"das-2":               `"das-2" is neither auto, model, a trace of the catalogue nor a file: open `,
		"autoo":               "did you mean auto?",
		ref("das2", auver):    "traces/das2.gwf has the SHA-256 " + sumOfBytes(das2) + ", not " + sumOfBytes(auver),
		"":                    "neither auto",
		// no workload model stands in for a file
		"away.swf|lublin": `"away.swf" is neither auto`,
	} {
		_, err := NewLibrary(configs.Traces()).Resolve(t.Context(), value, "", both[:1])
		if !failsWith(err, want) {
			t.Errorf("%q: error %v, want %s", value, err, want)
		}
	}
	for value, want := range map[string]string{
		"a,b.swf": `"a,b.swf" has a comma: a run reads one trace; several are levels of a factor`,
		"lubin": "workload models are lublin, lublin-batch, lublin-interactive, lublin-mixed " +
			"and those of sites, such as model:das2",
	} {
		_, err := NewLibrary(configs.Traces()).Resolve(t.Context(), value, "", []string{value})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", value, err, want)
		}
	}
	// A trace with another checksum is an error, not a reason to use the stand-in workload.
	put(t, filepath.Join("traces", "das2.gwf.sha256"), []byte(sumOfBytes(auver)+" *das2.gwf\n"))
	_, err := NewLibrary(configs.Traces()).Resolve(t.Context(), "auto", "", both[:1])
	if !failsWith(err, "remove both") {
		t.Errorf("error %v", err)
	}
	put(t, filepath.Join("traces", "das2.gwf.sha256"), []byte("no checksum\n"))
	_, err = NewLibrary(configs.Traces()).Resolve(t.Context(), "auto", "", both[:1])
	if !failsWith(err, "correct or remove it") {
		t.Errorf("error %v", err)
	}
}

// A library reads a file once, so that all runs of a plan have the same trace.
func TestResolveOnce(t *testing.T) {
	isolate(t)
	path := filepath.Join("traces", "das2.gwf")
	put(t, path, jobs(10, 1))
	library := NewLibrary(configs.Traces())
	first, err := library.Resolve(t.Context(), "auto", "", []string{"das2"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, jobs(10, 2))
	if again, err := library.Resolve(t.Context(), "auto", "", []string{"das2"}); err != nil || again != first {
		t.Errorf("%s, %v, before %s", again, err, first)
	}
	if library.Path(first) != path || library.Path("das2") != "" {
		t.Errorf("paths %q and %q, want %q and none", library.Path(first), library.Path("das2"), path)
	}
}

// A user's file with the name of a trace in the catalogue is not that trace.
func TestResolveFileOfACataloguedName(t *testing.T) {
	isolate(t)
	put(t, "das2", jobs(10, 1))
	put(t, filepath.Join("traces", "das2.gwf"), jobs(10, 2))
	library := NewLibrary(configs.Traces())
	for _, c := range []struct{ value, sum string }{
		{"./das2", sumOfBytes(jobs(10, 1))}, {"auto", sumOfBytes(jobs(10, 2))}, {"./das2", sumOfBytes(jobs(10, 1))},
	} {
		got, err := library.Resolve(t.Context(), c.value, "", []string{"das2"})
		if err != nil || got != "das2@sha256:"+c.sum {
			t.Errorf("%s: %s, %v, want checksum %s", c.value, got, err, c.sum)
		}
	}
	library = NewLibrary(configs.Traces())
	_, err := library.Resolve(t.Context(), "./sharcnet", "", []string{"das2"})
	if err == nil || len(library.Missing()) > 0 {
		t.Errorf("error %v, missing %v", err, library.Missing())
	}
}

// For auto all traces are looked for, even if the first is missing, so that Missing returns all.
func TestMissing(t *testing.T) {
	isolate(t)
	put(t, filepath.Join("traces", "auvergrid.gwf"), jobs(10, 1))
	library := NewLibrary(configs.Traces())
	names := []string{"sharcnet", "auvergrid", "das2"}
	if got, err := library.Resolve(t.Context(), "auto", "", names); err != nil || got != "model" {
		t.Errorf("auto is %q, error %v", got, err)
	}
	missing := library.Missing()
	slices.Sort(missing)
	if want := []string{"das2", "sharcnet"}; !slices.Equal(missing, want) {
		t.Errorf("missing %q, want %q", missing, want)
	}
}

func TestLog(t *testing.T) {
	dir := isolate(t)
	path := filepath.Join(dir, "own.swf")
	put(t, path, jobs(500, 7))
	library := NewLibrary(configs.Traces())
	reference, err := library.Resolve(t.Context(), "own.swf", dir, []string{"das2"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := library.Log(t.Context(), reference)
	if err != nil || len(all.Jobs) != 500 || all.Jobs[499].Run != 7 || all.Jobs[499].Submit != 4990 {
		t.Errorf("%+v, %v", all, err)
	}
	if procs, _ := all.Header.Procs(); procs != 8 {
		t.Errorf("the header says %d processors, want 8", procs)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := library.Log(cancelled, reference); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	changed := "own.swf now has the SHA-256 "
	for _, c := range []struct {
		content []byte
		want    string
	}{
		{jobs(500, 8), changed}, {[]byte("no trace\n"), changed},
		{append(bytes.Clone(jobs(500, 7)), '\n'), changed}, {nil, changed},
	} {
		put(t, path, c.content)
		if _, err := library.Log(t.Context(), reference); !failsWith(err, c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := library.Log(t.Context(), reference); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if _, err := library.Log(t.Context(), "das2@sha256:00"); !failsWith(err, "is not here; gridsweep trace list") {
		t.Errorf("error %v", err)
	}
	// A file that was not changed, with a line that is no job.
	put(t, path, slices.Concat(jobs(500, 7), []byte("one two\n")))
	fresh := NewLibrary(configs.Traces())
	if reference, err = fresh.Resolve(t.Context(), "own.swf", dir, []string{"das2"}); err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Log(t.Context(), reference); !failsWith(err, "own.swf:502: ") {
		t.Errorf("error %v", err)
	}
}

// ReadFirst reports a file whose first line is no trace. Later lines and missing files are left to
// Log.
func TestLook(t *testing.T) {
	dir := isolate(t)
	for name, c := range map[string]struct {
		content []byte
		want    string // in the error; empty for none
	}{
		"whole.swf":  {jobs(500, 7), ""},
		"empty.swf":  {nil, ""},
		"later.swf":  {slices.Concat(jobs(1, 7), []byte("one two\n")), ""},
		"passwd":     {[]byte("root:x:0:0:root:/root:/bin/sh\n"), "passwd:1: is no job of a trace"},
		"packed.swf": {[]byte("\x1f\x8b\x08"), "packed.swf: "},
	} {
		put(t, filepath.Join(dir, name), c.content)
		library := NewLibrary(configs.Traces())
		reference, err := library.Resolve(t.Context(), name, dir, []string{"das2"})
		if err != nil {
			t.Fatal(err)
		}
		err = library.ReadFirst(t.Context(), reference)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if err := NewLibrary(configs.Traces()).ReadFirst(t.Context(), "das2@sha256:00"); err != nil {
		t.Errorf("of a file that is not here: %v", err)
	}
}

// The log of the paper provisioning, if it is available, has what the catalogue says.
func TestRealTrace(t *testing.T) {
	known, err := configs.Traces().Find("ctc-sp2")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FindIn(known, os.Getenv(FolderVariable)); os.Getenv(FolderVariable) == "" || err != nil {
		t.Skipf("no %s in $%s", known.Title.Value, FolderVariable)
	}
	library := NewLibrary(configs.Traces())
	reference, err := library.Resolve(t.Context(), "auto", "", []string{"ctc-sp2"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := library.Log(t.Context(), reference)
	if err != nil || len(all.Jobs) != known.Jobs {
		t.Fatalf("%d jobs, %v, want %d", len(all.Jobs), err, known.Jobs)
	}
	procs, _ := all.Header.Procs()
	start, dated := all.Start() // Wed Jun 26 21:06:00 UTC 1996
	if procs != int64(known.Clusters[0]) || start != 835823160 || !dated {
		t.Errorf("%d processors, second 0 at %d (%t)", procs, start, dated)
	}
	if months := all.Segments(trace.Rules{}, trace.Month); months != 11 {
		t.Errorf("%d whole months, want 11", months)
	}
	stored, err := Import(t.Context(), known, library.Path(reference), t.TempDir())
	if err != nil || "ctc-sp2"+checksumMark+stored.Checksum != reference {
		t.Errorf("imported %+v, %v, want %s", stored, err, reference)
	}
}

// The user's catalogue is read if it exists; it does not if the home is no folder.
func TestUserCatalogue(t *testing.T) {
	dir := isolate(t)
	for what, content := range map[string]string{"no file": "", "a file": "lab: {files: [lab.swf]}\n"} {
		own, err := userCatalogue()
		if err != nil {
			t.Fatal(err)
		}
		if content != "" {
			put(t, own, []byte(content))
		}
		all, err := Catalogue(t.Context(), configs.Builtin())
		if err != nil || (all.Index("lab") >= 0) != (content != "") {
			t.Errorf("%s: %v, %v", what, all.Names(), err)
		}
		if content != "" {
			put(t, own, []byte("lab: {file: lab.swf}\n"))
			if _, err := Catalogue(t.Context(), configs.Builtin()); !failsWith(err, "traces.yaml:1:7: lab.file: unknown key") {
				t.Errorf("with a mistake: %v", err)
			}
			if err := os.Remove(own); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(t, filepath.Join(dir, "nothing"), nil)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "nothing"))
	if all, err := Catalogue(t.Context(), configs.Builtin()); err != nil || len(all) != len(configs.Traces()) {
		t.Errorf("a file in place of the folder of configurations: %v", err)
	}
}
