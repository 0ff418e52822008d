// The files of tables and figures: which were written, and which are left over.

package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/tabulate"
	"gridsweep/results"
)

// filesOf returns the files of tables and figures with these names, such as tables/A.1.csv.
func filesOf(tables, figures []string) []string {
	var files []string
	for _, name := range tables {
		for _, file := range tabulate.Files(name) {
			files = append(files, path.Join(tablesFolder, file))
		}
	}
	for _, name := range figures {
		for _, file := range draw.Files(name) {
			files = append(files, path.Join(figuresFolder, file))
		}
	}
	return files
}

// shownFiles returns the files of the tables and figures that a result has.
func shownFiles(result *analysis.Result) []string {
	var tables, figures []string
	for _, t := range result.Tables {
		tables = append(tables, t.Name)
	}
	for _, f := range result.Figures {
		figures = append(figures, f.Name)
	}
	return filesOf(tables, figures)
}

// removeLeftOver removes the files of tables and figures that the result does not have: those of
// the study that an earlier plan wrote, and those that an earlier study file had. The latter are
// files on the list of shownFile whose bytes are as written; other files are the user's. Call it
// before new files are written, since on some file systems names that differ in case are the same.
func (s *Study) removeLeftOver(result *analysis.Result) error {
	written, err := readShown(s.Dir)
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	for _, file := range shownFiles(result) {
		shown[file] = true
	}
	var tables, figures []string
	for _, t := range s.Plan.Study.Tables {
		tables = append(tables, t.Name)
	}
	for _, f := range s.Plan.Study.Figures {
		figures = append(figures, f.Name)
	}
	maps.DeleteFunc(written, func(file, _ string) bool { return shown[file] })
	left := slices.DeleteFunc(filesOf(tables, figures), func(file string) bool { return shown[file] })
	for file, sum := range sumsOf(s.Dir, slices.Collect(maps.Keys(written))) {
		if sum == written[file] {
			left = append(left, file)
		}
	}
	for _, file := range left {
		if err := os.Remove(filepath.Join(s.Dir, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove what an earlier plan or study file left: %w", err)
		}
	}
	return nil
}

// readShown returns the list of files of tables and figures in the folder of a study, with the
// SHA-256 of each; none where there is no list.
func readShown(dir string) (map[string]string, error) {
	list := filepath.Join(dir, shownFile)
	data, err := results.ReadFile(list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read which tables and figures were written: %w", err)
	}
	var files map[string]string
	err = json.Unmarshal(data, &files)
	for file := range files {
		folder, name := path.Split(file)
		if folder != tablesFolder+"/" && folder != figuresFolder+"/" || !filepath.IsLocal(name) {
			err = fmt.Errorf("%q is in neither %s nor %s", file, tablesFolder, figuresFolder)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no list of tables and figures that gridsweep wrote: %w; remove it", list, err)
	}
	return files, nil
}

// foreignFiles returns the files that have names of files of a result but are not as gridsweep
// wrote them by the list, with their SHA-256.
func foreignFiles(dir string, result *analysis.Result) (map[string]string, error) {
	written, err := readShown(dir)
	if err != nil {
		return nil, err
	}
	foreign := sumsOf(dir, shownFiles(result))
	maps.DeleteFunc(foreign, func(file, sum string) bool { return written[file] == sum })
	return foreign, nil
}

// writeShown writes the list of files of a result. It leaves out the foreign ones that have not
// changed: they are the user's.
func writeShown(dir string, result *analysis.Result, foreign map[string]string) error {
	files := sumsOf(dir, shownFiles(result))
	maps.DeleteFunc(files, func(file, sum string) bool { return foreign[file] == sum })
	text, err := json.MarshalIndent(files, "", "  ")
	if err != nil {
		return fmt.Errorf("list the tables and figures: %w", err)
	}
	return results.WriteFile(filepath.Join(dir, shownFile), append(text, '\n'))
}

// sumsOf returns the SHA-256 of each file that can be read.
func sumsOf(dir string, files []string) map[string]string {
	sums := map[string]string{}
	for _, file := range files {
		if data, err := results.ReadFile(filepath.Join(dir, file)); err == nil {
			sums[file] = sumOf(data)
		}
	}
	return sums
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
