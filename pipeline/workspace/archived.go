// Datasets in bundles, extracted to be read.

package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gridsweep/results"
)

// foldersOf returns the folders of two datasets. That of a bundle is extracted into a folder of
// temporary; it is of the study that the other path has, if this is a folder, else of the bundle's
// only study.
func foldersOf(ctx context.Context, paths [2]string, temporary string) (folders [2]string, err error) {
	var isBundle [2]bool
	for i, name := range paths {
		info, err := os.Stat(name)
		if err != nil {
			return folders, err
		}
		isBundle[i] = !info.IsDir()
		folders[i] = name
	}
	for i, name := range paths {
		if !isBundle[i] {
			continue
		}
		wanted := ""
		if !isBundle[1-i] {
			dataset, err := results.Existing(paths[1-i])
			if err != nil {
				return folders, err
			}
			wanted = dataset.Study()
		}
		dir := filepath.Join(temporary, string('a'+rune(i)))
		if err := os.Mkdir(dir, 0o777); err != nil {
			return folders, err
		}
		if folders[i], err = extractStudy(ctx, name, wanted, dir); err != nil {
			return folders, err
		}
	}
	return folders, nil
}

// extractStudy extracts a bundle into an empty folder and returns the folder of a study. Without a
// name it is the only study.
func extractStudy(ctx context.Context, file, name, dir string) (string, error) {
	content, _, err := extractBundle(ctx, file, dir, func(int, int) {})
	if err != nil {
		return "", err
	}
	var names []string
	for _, s := range content.Studies {
		if s.Name == name || name == "" && len(content.Studies) == 1 {
			return filepath.Join(content.Selection.inBundle(dir).Root(), s.Name), nil
		}
		names = append(names, s.Name)
	}
	if name == "" {
		return "", fmt.Errorf("%s: has the datasets of several studies, %s; extract it and name the folder of one", file,
			strings.Join(names, ", "))
	}
	return "", fmt.Errorf("%s: has no dataset of the study %s, only of %s", file, name, strings.Join(names, ", "))
}
