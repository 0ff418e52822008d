// The index of all pages.

package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"gridsweep/analysis/report"
	"gridsweep/results"
)

// writeEntry writes the entry of a page in the index into a file beside the page.
func writeEntry(root string, entry report.Entry) error {
	path := filepath.Join(root, entry.Name, entryFile)
	text, err := json.MarshalIndent(entry, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return results.WriteFile(path, append(text, '\n'))
}

// writeIndex writes the index of all pages under the root.
func writeIndex(ctx context.Context, root string) error {
	entries, err := readEntries(root)
	if err != nil {
		return err
	}
	return report.WriteIndex(ctx, root, entries)
}

// readEntries returns the entries of all pages under the root, in the order of their names.
func readEntries(root string) ([]report.Entry, error) {
	folders, err := results.ListFolder(root)
	if err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	var entries []report.Entry
	for _, folder := range folders {
		if folder.Type().IsRegular() {
			continue // pages lie in folders, or in links to folders
		}
		entry, err := readEntry(root, folder.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // the folder of a study, whose page lies with its paper
		case err != nil:
			return nil, fmt.Errorf("read the index: %w", err)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// readEntry returns the entry of the page of a paper.
func readEntry(root, paper string) (entry report.Entry, err error) {
	file := filepath.Join(root, paper, entryFile)
	text, err := results.ReadFile(file)
	if err != nil {
		return entry, err
	}
	if err := json.Unmarshal(text, &entry); err != nil {
		return entry, fmt.Errorf("%s is no entry of the index: %w; remove it or write the report again", file, err)
	}
	return entry, nil
}

// OtherPage returns the path of the page that shows the study by another plan; empty if none does.
func (s *Study) OtherPage() (string, error) {
	root, paper := s.selection.Root(), s.Plan.Study.Paper
	entry, err := readEntry(root, paper)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if plan, isShown := entry.Plans[s.Plan.Study.Name]; err == nil && isShown && plan != s.Plan.Checksum() {
		return filepath.Join(root, paper, report.PageFile), nil
	}
	return "", err
}
