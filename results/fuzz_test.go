// Fuzz test: readers of data files with valid names and any bytes return errors that name the file.

package results

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// meets runs the readers on a file with any bytes under the right name, as only an attacker makes
// it.
func meets(t testing.TB, dir string, data []byte) {
	d := openTest(t, dir)
	path := d.path("runs", sumOf(data))
	write(t, path, data)
	defer os.Remove(path)
	if _, err := finishedFrom(context.Background(), d); err != nil && !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name %s", err, path)
	}
	readFrom(context.Background(), d, "runs", nil, nil)
	readFrom(context.Background(), d, "jobs", nil, nil)
	if err := d.Clear(); err != nil {
		t.Error(err)
	}
}

func TestFilesThatOnlyLookVerified(t *testing.T) {
	source := openTest(t, t.TempDir())
	writeTest(t, source, testRuns(source.model, 5), 5)
	good, err := os.ReadFile(onlyFile(t, source, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(3, 4))
	for range 600 {
		data := bytes.Clone(good)
		for range 1 + random.IntN(3) {
			data[random.IntN(len(data))] ^= 1 << random.IntN(8)
		}
		meets(t, dir, data)
	}
	for n := 0; n < len(good); n += 101 {
		meets(t, dir, good[n:])
		meets(t, dir, good[:n])
	}
}

// The files are big for a fuzzer: go test -fuzz FuzzDataFile -fuzzminimizetime 1x.
func FuzzDataFile(f *testing.F) {
	source := openTest(f, f.TempDir())
	writeTest(f, source, testRuns(source.model, 3), 3)
	for _, table := range []string{"runs", "jobs"} {
		data, err := os.ReadFile(onlyFile(f, source, table))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("PAR1PAR1"))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) { meets(t, t.TempDir(), data) })
}
