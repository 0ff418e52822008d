// The files of dead processes, which Compact removes.

package results

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gridsweep/model"
)

// leftoverAge is the least age at which Compact takes a file for one of a killed process. A writer
// at work needs seconds from its first data file to the commit file.
const leftoverAge = 24 * time.Hour

const heartbeatExtension = ".json"

// removeLeftovers removes files older than leftoverAge: temporary files, data files that no commit
// file names, and the heartbeats of dead processes. It returns how many there were.
func (c *compaction) removeLeftovers(ctx context.Context) (int, error) {
	var found []string
	for _, folder := range append(c.longTables(), model.RunsTable, FailedFolder, RunningFolder) {
		old, err := c.oldLeftovers(folder)
		if err != nil {
			return 0, err
		}
		found = append(found, old...)
	}
	if len(found) == 0 {
		return 0, nil
	}
	// A commit file that came since may name an old data file: if a folder is being copied into
	// this one.
	named, err := c.namedSince(ctx)
	if err != nil {
		return 0, err
	}
	found = slices.DeleteFunc(found, func(path string) bool { return named[path] })
	for _, path := range found {
		if err := removeFile(path); err != nil {
			return 0, err
		}
	}
	return len(found), nil
}

// oldLeftovers returns the paths of the leftovers in a folder that are old enough, by the clock of
// the file server.
func (c *compaction) oldLeftovers(folder string) ([]string, error) {
	dir := filepath.Join(c.dir, folder)
	entries, err := listIfThere(dir)
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !c.isLeftover(folder, e.Name()) })
	if len(entries) == 0 {
		return nil, nil
	}
	now, err := folderTime(dir)
	if err != nil {
		return nil, err
	}
	var old []string
	for _, entry := range entries {
		info, err := entry.Info()
		if vanished(err) {
			continue
		}
		if err != nil {
			return nil, adviseAccess(err)
		}
		if !info.Mode().IsRegular() || now.Sub(info.ModTime()) <= leftoverAge {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if filepath.Ext(path) == dataExtension {
			ours, err := c.wrote(path)
			if err != nil {
				return nil, adviseAccess(err)
			}
			if !ours {
				continue // copied here from another study
			}
		}
		old = append(old, path)
	}
	return old, nil
}

// isLeftover reports whether a file of a folder is one that nothing needs, unless its process is
// alive.
func (c *compaction) isLeftover(folder, name string) bool {
	if isTemporary(name, dataExtension) {
		return true
	}
	switch folder {
	case RunningFolder:
		_, random, found := strings.Cut(name, heartbeatExtension)
		return found && (random == "" || name[0] == '.' && strings.Trim(random, "0123456789") == "")
	case FailedFolder:
		return isTemporary(name, failureExtension)
	case model.RunsTable:
		return false
	default:
		return name[0] != '.' && c.uses[filepath.Join(c.dir, folder, name)] == 0
	}
}

// folderTime returns the modification time of a file that is written into the folder now. The clock
// of a file server may differ from ours by hours.
func folderTime(folder string) (time.Time, error) {
	path := filepath.Join(folder, sumOf(nil)+dataExtension) // a leftover if this process is killed
	file, err := stage(path, nil)
	if err != nil {
		return time.Time{}, writeError(path, err)
	}
	defer file.discard()
	info, err := os.Stat(file.temporary)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// namedSince returns the paths of the data files of batches that were committed after inspectAll.
func (c *compaction) namedSince(ctx context.Context) (map[string]bool, error) {
	named := map[string]bool{}
	err := c.commits(ctx, func(name string) error {
		if c.uses[filepath.Join(c.dir, model.RunsTable, name)] > 0 {
			return nil
		}
		b, _, err := c.openCommitted(name)
		for table, sum := range b.files {
			named[c.path(table, sum)] = true
		}
		return err
	})
	return named, err
}
