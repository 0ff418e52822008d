// Power failures: a recorded sequence of file operations is cut after each one, with and without
// the changes that were not synced. No synced run may be lost, and the same commands end with the
// digest of an undisturbed dataset.

package cli

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

// volume is the state of a recorded file system: what is on disk for certain, and later changes,
// which a power failure may lose. Files and folders are indexed by their numbers.
type volume []volumeFile

// volumeFile is a file or a folder of a volume.
type volumeFile struct {
	isFolder bool
	data     []byte // on the disk
	latest   []byte // as processes see it
	writes   int    // number of writes
	synced   int    // number of writes at the last sync
	names    map[string]int
	renames  []change // of a folder, since the last sync
}

// apply applies a change.
func (p *volume) apply(c change) {
	for _, e := range c.names {
		for e.file >= len(*p) {
			*p = append(*p, volumeFile{})
		}
		if e.file != noFile {
			(*p)[e.file].isFolder = e.isFolder
		}
	}
	f := &(*p)[c.file]
	switch {
	case c.synced:
		f.names, f.renames = f.listing(func() bool { return true }), nil
		f.data, f.synced = f.latest, f.writes
	case c.names != nil:
		f.renames = append(f.renames, c)
	default:
		f.writes++
		if c.written == nil {
			f.latest = nil
		} else {
			f.latest = overwrite(f.latest, c.written, c.offset)
		}
	}
}

// listing returns the names in a folder: those on the disk, with the later changes for which keeps
// returns true.
func (f *volumeFile) listing(keeps func() bool) map[string]int {
	names := maps.Clone(f.names)
	if names == nil {
		names = map[string]int{}
	}
	for _, c := range f.renames {
		if !keeps() {
			continue
		}
		for _, e := range c.names {
			if names[e.name] = e.file; e.file == noFile {
				delete(names, e.name)
			}
		}
	}
	return names
}

// loss is the effect of a power failure on changes that were not synced.
type loss struct {
	keepsName func() bool   // called for each change of names
	bytes     func() string // called for each file: kept, lost, half or zero
}

// of returns a file after the power failure.
func (l loss) of(file int, f *volumeFile) foundFile {
	version := fmt.Sprint(file, " ", f.synced)
	if f.synced == f.writes {
		return foundFile{f.data, version}
	}
	what := l.bytes()
	version = fmt.Sprint(version, " ", f.writes, what)
	switch what {
	case "kept":
		return foundFile{f.latest, version}
	case "half":
		return foundFile{f.latest[:len(f.latest)/2], version}
	case "zero":
		return foundFile{make([]byte, len(f.latest)), version}
	default:
		return foundFile{f.data, version}
	}
}

// losses returns all combinations of the extremes, and n random losses.
func losses(random *rand.Rand, n int) []loss {
	bytes := []string{"kept", "lost", "half", "zero"}
	var all []loss
	for _, names := range []bool{true, false} {
		for _, b := range bytes {
			all = append(all, loss{func() bool { return names }, func() string { return b }})
		}
	}
	for range n {
		chance := random.Float64()
		all = append(all, loss{
			func() bool { return random.Float64() < chance }, func() string { return bytes[random.IntN(len(bytes))] },
		})
	}
	return all
}

// found is the files on the disk after a power failure, by path; folders end with a slash.
type found map[string]foundFile

// foundFile is a file after a power failure. Files of equal versions have equal data.
type foundFile struct {
	data    []byte
	version string
}

// cut returns the disk after a power failure.
func (p volume) cut(l loss) found {
	there := found{}
	p.walk(0, "", l, there)
	return there
}

func (p volume) walk(folder int, path string, l loss, there found) {
	names := p[folder].listing(l.keepsName)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		child := filepath.Join(path, name)
		if f := &p[names[name]]; f.isFolder {
			there[child+"/"] = foundFile{}
			p.walk(names[name], child, l, there)
		} else {
			there[child] = l.of(names[name], f)
		}
	}
}

// key identifies the found files that keeps selects.
func (f found) key(keeps func(path string) bool) string {
	var text strings.Builder
	for _, path := range slices.Sorted(maps.Keys(f)) {
		if keeps(path) {
			fmt.Fprintln(&text, path, f[path].version)
		}
	}
	return text.String()
}

// put writes the files to a folder.
func (f found) put(t *testing.T, dir string) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(f)) {
		there := filepath.Join(dir, path)
		err := os.MkdirAll(filepath.Dir(there), 0o777)
		if err == nil && strings.HasSuffix(path, "/") {
			err = os.MkdirAll(there, 0o777)
		} else if err == nil {
			err = os.WriteFile(there, f[path].data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// isTemporary reports whether a file is a temporary one, which readers ignore.
func isTemporary(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

// powerCuts checks the disk after a power failure at each recorded change.
type powerCuts struct {
	t         *testing.T
	disk      disk
	random    *rand.Rand
	reference *workspace.Study // the undisturbed dataset of all plans
	want      string           // its digest
	compared  map[string]bool  // sets of commit files whose rows were compared with it

	promised map[string]bool // runs whose commit was synced
	seen     map[string]bool // keys of the disks checked so far
	// Numbers of checks, for the log.
	finds, distinct, reruns int
}

// otherPlan is the flags for other runs of the same dataset.
var otherPlan = []string{"--set", "trace=model", "--set", "days=0.06", "--experiment", "cooperation", "--table",
	"jobs", "--workers", "2"}

const brokeringFolder = "quick/brokering"

// A power failure may lose any of the changes that were not synced, to files and names, in any
// order. After a failure at any change, no run is lost whose commit was synced, no incomplete file
// is read, and the same commands end with the digest of an undisturbed dataset.
func TestPowerCutAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	t.Parallel()
	if !mayMount(t) {
		return
	}
	r := record(t)
	f := faulty{t, r.dir}
	// As if a process was killed after it made the folders and before it synced them.
	if err := os.MkdirAll(filepath.Join(r.dir, brokeringFolder, "runs"), 0o777); err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		name     string
		commands [][]string // run at the same time
		code     int
		resets   bool // removes runs
		begins   int  // index of its first change
	}{
		{"two shards", [][]string{
			f.arguments("run", append(faultyPlan, "--shard", "1/2")...), f.arguments("run", append(faultyPlan, "--shard",
				"2/2")...),
		}, 0, false, 0},
		{"failures", [][]string{f.arguments("run", append(otherPlan, "--run-timeout", "1ns")...)}, exitFailed, false, 0},
		{"after failures", [][]string{f.arguments("run", otherPlan...)}, 0, false, 0},
		{"compact", [][]string{f.arguments("compact")}, 0, false, 0},
		{"reproduce", [][]string{f.arguments("reproduce", faultyPlan...)}, 0, false, 0},
		{"fresh", [][]string{f.arguments("run", append(faultyPlan, "--fresh")...)}, 0, true, 0},
		{"after fresh", [][]string{f.arguments("run", otherPlan...)}, 0, false, 0},
	}
	for i := range steps {
		steps[i].begins = r.made()
		runAtOnce(t, steps[i].code, steps[i].commands)
	}

	undisturbed := faulty{t, t.TempDir()}
	undisturbed.must()
	runAtOnce(t, 0, [][]string{undisturbed.arguments("run", otherPlan...)})
	cuts := powerCuts{
		t: t, disk: newDisk(t, spacious), random: rand.New(rand.NewPCG(9, 4)), reference: undisturbed.target(),
		want: undisturbed.digest(), compared: map[string]bool{}, promised: map[string]bool{}, seen: map[string]bool{},
	}
	whole := wholeVersions(r.changes)
	p := volume{{isFolder: true}}
	step := 0
	for n, c := range r.changes {
		p.apply(c)
		for step+1 < len(steps) && steps[step+1].begins <= n {
			if step++; steps[step].resets {
				clear(cuts.promised)
			}
		}
		where := fmt.Sprintf("%s, change %d of %d", steps[step].name, n, len(r.changes))
		if runs, isThere := p.find(brokeringFolder + "/runs"); isThere && c.file == runs && c.synced {
			cuts.promise(p)
		}
		for _, l := range losses(cuts.random, 3) {
			there := p.cut(l)
			for path, file := range there {
				if !strings.HasSuffix(path, "/") && !isTemporary(path) && !whole[file.version] {
					t.Fatalf("%s: %s is incomplete, with %d bytes", where, path, len(file.data))
				}
			}
			cuts.check(where, there)
		}
	}
	t.Logf("%d changes, %d failures, %d of them with distinct datasets of %d sets of commits, %d completed",
		len(r.changes), cuts.finds, cuts.distinct, len(cuts.compared), cuts.reruns)
	if want := 2 * faultyRuns; len(cuts.promised) != want {
		t.Errorf("at the end %d runs were promised, want %d", len(cuts.promised), want)
	}
}

// runAtOnce executes commands at the same time; each must end with the exit code.
func runAtOnce(t *testing.T, code int, commands [][]string) {
	t.Helper()
	var started []*exec.Cmd
	for _, arguments := range commands {
		c := exec.Command("gridsweep", arguments...)
		c.Stderr = new(bytes.Buffer)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		started = append(started, c)
	}
	for _, c := range started {
		if err := c.Wait(); c.ProcessState.ExitCode() != code {
			t.Fatalf("%v: %v\n%s", c.Args, err, c.Stderr)
		}
	}
}

// wholeVersions returns the versions of files that were synced after their last write.
func wholeVersions(changes []change) map[string]bool {
	p := volume{{isFolder: true}}
	for _, c := range changes {
		p.apply(c)
	}
	all := map[string]bool{}
	for file := range p {
		if f := &p[file]; f.synced == f.writes {
			all[loss{}.of(file, f).version] = true
		}
	}
	return all
}

// find returns the file with a path, as processes see it.
func (p volume) find(path string) (file int, isThere bool) {
	for name := range strings.SplitSeq(path, "/") {
		if file, isThere = p[file].listing(func() bool { return true })[name]; !isThere {
			return 0, false
		}
	}
	return file, true
}

// promise adds the runs that are in the dataset at this moment to those that no failure may lose.
func (c *powerCuts) promise(p volume) {
	keepAll := loss{func() bool { return true }, func() string { return "kept" }}
	finished := c.readFound("the dataset", p.cut(keepAll), func(faulty, map[string]bool) {})
	maps.Copy(c.promised, finished)
}

// check reads a dataset after a power failure, unless an equal one was checked before. It completes
// one of forty.
func (c *powerCuts) check(where string, there found) {
	c.finds++
	key := there.key(func(path string) bool { return c.isOfDataset(path) && !isTemporary(path) })
	key += fmt.Sprintln(slices.Sorted(maps.Keys(c.promised)))
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	c.distinct++
	c.readFound(where, there, func(f faulty, finished map[string]bool) {
		for id := range c.promised {
			if !finished[id] {
				c.t.Fatalf("%s: run %s is lost", where, id)
			}
		}
		if c.random.IntN(40) > 0 {
			return
		}
		c.reruns++
		for _, command := range [][]string{
			append([]string{"status"}, faultyPlan[:8]...), append([]string{"run"}, faultyPlan...),
			append([]string{"run"}, otherPlan...), {"compact"},
		} {
			if _, messages, code := f.command(command[0], command[1:]...); code != 0 {
				c.t.Fatalf("%s: %v exits with %d: %s", where, command, code, messages)
			}
		}
		if digest := f.digest(); digest != c.want {
			c.t.Fatalf("%s: digest %s after completion, want %s", where, digest, c.want)
		}
	})
}

// isOfDataset reports whether a file belongs to the dataset, and is not an output of reproduce.
func (c *powerCuts) isOfDataset(path string) bool {
	below, found := strings.CutPrefix(path, brokeringFolder+"/")
	folder, _, isFolder := strings.Cut(below, "/")
	return found && folder != "tables" && folder != "figures" && (isFolder || folder == "plan.json")
}

// readFound writes the found files to a folder, compares the rows with the undisturbed ones, calls
// further, and returns the ids of the runs in the dataset.
func (c *powerCuts) readFound(where string, there found, further func(f faulty,
	finished map[string]bool)) map[string]bool {
	dir, err := os.MkdirTemp(string(c.disk), "found")
	if err != nil {
		c.t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	there.put(c.t, dir)
	f := faulty{c.t, dir}
	dataset, err := results.Open(filepath.Join(dir, brokeringFolder), c.reference.Config.Name.Value, c.reference.Model,
		"jobs")
	if err != nil {
		c.t.Fatal(err)
	}
	finished, err := finishedIn(c.t.Context(), dataset)
	if err != nil {
		c.t.Fatalf("%s: %v", where, err)
	}
	commits := there.key(func(path string) bool {
		return strings.HasPrefix(path, brokeringFolder+"/runs/") && !isTemporary(path)
	})
	if !c.compared[commits] && len(finished) > 0 {
		c.compared[commits] = true
		have, err := digestOf(c.t.Context(), dataset, nil)
		if err != nil {
			c.t.Fatalf("%s: %v", where, err)
		}
		if want, err := digestOf(c.t.Context(), c.reference.Dataset, finished); err != nil || have != want {
			c.t.Fatalf("%s: digest %s of %d runs, want %s, %v", where, have, len(finished), want, err)
		}
	}
	if _, err := dataset.Failures(); err != nil {
		c.t.Fatalf("%s: %v", where, err)
	}
	further(f, finished)
	return finished
}
