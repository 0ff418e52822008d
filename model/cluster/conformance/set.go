// Set: reading a folder of scenario files, and exporting it as files and CSV tables.

package conformance

import (
	"bytes"
	"io/fs"

	"gridsweep/model/columns"
)

// ReadSet reads the scenarios of a folder, the files *.txt, in the order of their names. Its errors
// are those of the folder and of Parse.
func ReadSet(folder fs.FS) ([]*Scenario, error) {
	files, err := fs.Glob(folder, "*.txt")
	if err != nil {
		return nil, err
	}
	var set []*Scenario
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		s, err := Parse(file, bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		set = append(set, s)
	}
	return set, nil
}

// File is a file of the exported set.
type File struct {
	Name string
	Text []byte
}

// Export returns the files of the set's folder, then the tables of the set as CSV. Its errors are
// those of the folder.
func Export(folder fs.FS, set []*Scenario) ([]File, error) {
	names, err := fs.Glob(folder, "*")
	if err != nil {
		return nil, err
	}
	var files []File
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		files = append(files, File{name, text})
	}
	for _, table := range Tables(set) {
		var text bytes.Buffer
		writer := columns.NewWriter(&text)
		for _, row := range table.Rows {
			_ = writer.Write(row) // writer keeps the error
		}
		if err := writer.Flush(); err != nil {
			return nil, err
		}
		files = append(files, File{table.Name + ".csv", text.Bytes()})
	}
	return files, nil
}
