package workspace

// Datasets in archives that gridsweep bundle wrote, extracted to be read.

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/model"
	"gridsweep/results"
)

// archivedFolder is the folder of an archive with the folders of its studies.
const archivedFolder = "results"

// foldersOf returns the folders of two datasets. That of an archive is extracted into a folder of
// temporary. Of several studies in an archive, it is the one that the other dataset has.
func foldersOf(paths [2]string, temporary string) (folders [2]string, err error) {
	var isArchive [2]bool
	for i, name := range paths {
		info, err := os.Stat(name)
		if err != nil {
			return folders, err
		}
		isArchive[i] = !info.IsDir()
		folders[i] = name
	}
	for i, name := range paths {
		if !isArchive[i] {
			continue
		}
		wanted := ""
		if !isArchive[1-i] {
			dataset, err := results.Existing(paths[1-i])
			if err != nil {
				return folders, err
			}
			wanted = dataset.Study()
		}
		if folders[i], err = extractStudy(name, wanted, filepath.Join(temporary, string('a'+rune(i)))); err != nil {
			return folders, fmt.Errorf("%s: %w", name, err)
		}
	}
	return folders, nil
}

// extractStudy extracts the data files, plan and claims of a study of an archive into a new folder
// of dir, which it returns. Without a name it is the only study.
func extractStudy(archive, name, dir string) (string, error) {
	reader, err := zip.OpenReader(archive)
	if err != nil {
		return "", fmt.Errorf("is neither a folder nor an archive of gridsweep bundle: %w", err)
	}
	defer reader.Close()
	files := map[string][]*zip.File{} // by study
	var studies []string
	for _, file := range reader.File {
		parts := strings.Split(file.Name, "/")
		if len(parts) < 3 || parts[0] != archivedFolder || !filepath.IsLocal(filepath.FromSlash(file.Name)) {
			continue
		}
		study, within := parts[1], parts[2:]
		isData := len(within) == 2 && path.Ext(within[1]) == ".parquet"
		if !isData && !slices.Equal(within, []string{planFile}) && !slices.Equal(within, []string{claimsFile}) {
			continue
		}
		if within[0] == model.RunsTable && !slices.Contains(studies, study) {
			studies = append(studies, study)
		}
		files[study] = append(files[study], file)
	}
	switch {
	case len(studies) == 0:
		return "", fmt.Errorf("has no dataset in %s/STUDY/%s", archivedFolder, model.RunsTable)
	case name == "" && len(studies) > 1:
		return "", fmt.Errorf("has the datasets of several studies, %s; extract it and name the folder of one",
			strings.Join(studies, ", "))
	case name == "":
		name = studies[0]
	case !slices.Contains(studies, name):
		return "", fmt.Errorf("has no dataset of the study %s, only of %s", name, strings.Join(studies, ", "))
	}
	for _, file := range files[name] {
		if err := extract(file, filepath.Join(dir, filepath.FromSlash(file.Name))); err != nil {
			return "", fmt.Errorf("extract %s: %w", file.Name, err)
		}
	}
	return filepath.Join(dir, archivedFolder, name), nil
}

// extract writes a file of an archive. It returns an error if the file is longer than the archive
// says.
func extract(file *zip.File, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	from, err := file.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	size := int64(file.UncompressedSize64)
	n, err := io.Copy(out, io.LimitReader(from, size+1))
	if err == nil && n != size {
		err = fmt.Errorf("has %d bytes or more, not %d", n, size)
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}
