// Set tests: the files and tables of an exported set.

package conformance

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestExportHasTheFilesAndTheTables checks the files and tables of an exported set of scenarios.
func TestExportHasTheFilesAndTheTables(t *testing.T) {
	folder := fstest.MapFS{"two.txt": {Data: []byte(good)}, "README.md": {Data: []byte("how")}}
	set, err := ReadSet(folder)
	if err != nil || len(set) != 1 || set[0].Name != "two" {
		t.Fatalf("%v, %v", set, err)
	}
	files, err := Export(folder, set)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, file := range files {
		texts[file.Name] = string(file.Text)
	}
	if len(files) != 7 || texts["README.md"] != "how" || texts["two.txt"] != good {
		t.Errorf("%q", texts)
	}
	if !strings.HasPrefix(texts["machines.csv"], "scenario,procs\ntwo,2\n") {
		t.Errorf("the machines are %q", texts["machines.csv"])
	}
	folder["bad.txt"] = &fstest.MapFile{Data: []byte("nothing")}
	if _, err := ReadSet(folder); err == nil || !strings.Contains(err.Error(), "bad.txt") {
		t.Errorf("a file that is no scenario: error %v", err)
	}
}
