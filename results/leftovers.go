package results

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gridsweep/model"
)

// leftoverAge is how old a file is at least that Compact takes for one that a killed process left.
// A writer at work needs seconds from a table to its commit.
const leftoverAge = 24 * time.Hour

const heartbeatExtension = ".json"

// removeLeftovers removes files that are older than leftoverAge: temporary ones, tables that no
// commit names, and the heartbeats of processes that ended without removing them. It returns how
// many those were.
func (c *compaction) removeLeftovers(ctx context.Context) (int, error) {
	var found []string
	for _, folder := range append(c.tables(), model.RunsTable, FailedFolder, RunningFolder) {
		old, err := c.oldLeftovers(folder)
		if err != nil {
			return 0, err
		}
		found = append(found, old...)
	}
	if len(found) == 0 {
		return 0, nil
	}
	// Commits that came since may name what nobody named: of a folder that was copied into this
	// one.
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
// the computer that has the folder.
func (c *compaction) oldLeftovers(folder string) ([]string, error) {
	dir := filepath.Join(c.dir, folder)
	entries, err := listFolder(dir)
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
		if filepath.Ext(path) == partExtension {
			ours, err := c.wrote(path)
			if err != nil {
				return nil, adviseAccess(err)
			}
			if !ours {
				continue // of another study, which somebody put here
			}
		}
		old = append(old, path)
	}
	return old, nil
}

// isLeftover reports whether a file of a folder is one that a process left which has ended, if it
// has ended.
func (c *compaction) isLeftover(folder, name string) bool {
	if isTemporary(name, partExtension) {
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

// folderTime returns the time that a file gets which is made in the folder now: that of a file
// server, which may be hours from our own.
func folderTime(folder string) (time.Time, error) {
	path := filepath.Join(folder, sumOf(nil)+partExtension)
	file, err := stage(path, nil)
	if err != nil {
		return time.Time{}, fmt.Errorf("cannot write %s: %w", path, writeError(err))
	}
	defer file.discard()
	info, err := os.Stat(file.temporary)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// namedSince returns the paths of the files that commits name which are not in the stock.
func (c *compaction) namedSince(ctx context.Context) (map[string]bool, error) {
	named := map[string]bool{}
	err := c.commits(ctx, func(name string) error {
		if c.uses[filepath.Join(c.dir, model.RunsTable, name)] > 0 {
			return nil
		}
		commit, err := c.openCommit(name)
		if err != nil {
			return err
		}
		files, err := filesOf(commit.metadata)
		if err != nil {
			return fmt.Errorf("%s %w: move it away, or start over with --fresh", commit.path, err)
		}
		for table, sum := range files {
			named[c.path(table, sum)] = true
		}
		return nil
	})
	return named, err
}
