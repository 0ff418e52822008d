package results

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/model"
)

// valuesPerPart bounds the rows times columns of all tables of a part that Compact makes. Whoever
// reads a part holds its bytes and the values of the columns that it asks for, and Compact holds
// all of them: 8 bytes each, so 32 MB, and no file gets larger than about that. A million runs of
// 40 columns still go into a dozen parts.
const valuesPerPart = 1 << 22

// partsPerMerge bounds what a merge must remember of its parts: the provenance and the name of
// each. More than that are merged in two steps.
const partsPerMerge = 1 << 12

// Compaction is what Compact did, or would do. Parts are counted by their commits, and bytes over
// all files of the parts.
type Compaction struct {
	Before, After           int   // parts of the dataset
	Merged                  int   // of those before, merged into larger ones
	BytesBefore, BytesAfter int64 // of the dataset; after is not known by a dry run
	Leftovers               int   // files removed besides: of killed and dead processes
}

// CompactOptions say how Compact works.
type CompactOptions struct {
	DryRun bool // change nothing, count only what would be merged
	// Progress is called with the number of files that were verified or merged so far and how many
	// that will be. Nil shows nothing.
	Progress func(done, total int)
}

// Compact merges small parts into few. The rows stay, and so do the digest and the timings; what
// lies in several parts is there once. Equal parts make equal merged ones. Each merged part is read
// back before anything is removed, and then the commits go before the tables that they name: so it
// may be killed at any moment, and others may read, write and compact the dataset meanwhile. It
// also removes what killed and dead processes left, if that is older than a day.
//
// The error names a file that is damaged, foreign or missing, before anything was changed, or one
// that cannot be written or removed; then the dataset has the same runs as before.
func (d *Dataset) Compact(ctx context.Context, options CompactOptions) (Compaction, error) {
	c := compaction{Dataset: d, options: options}
	var err error
	for range listings {
		if err = c.run(ctx); !errors.Is(err, errVanished) {
			break
		}
	}
	if errors.Is(err, errVanished) {
		err = fmt.Errorf("%w: another process compacts it too; wait until it ends, then run the same command again", err)
	}
	if err != nil {
		return Compaction{}, fmt.Errorf("compact the dataset: %w", err)
	}
	return c.done, nil
}

// stored is a part as Compact finds or makes it.
type stored struct {
	name     string            // of the commit
	files    map[string]string // table to SHA-256, all but the commit
	tables   string            // the names of those tables
	source   string            // fingerprint of the model's source; empty where not known
	values   int               // rows times columns, over all tables
	bytes    int64             // over all files
	replaces []string          // names of the commits that went into it
}

// compaction is one call of Compact under way.
type compaction struct {
	*Dataset
	options     CompactOptions
	done        Compaction
	parts       []stored
	uses        map[string]int // number of the parts that name a file, by its path
	steps, left int            // files: done, and still to do
}

// run compacts the dataset as it finds it. The error is errVanished where another process was ahead
// in some of it.
func (c *compaction) run(ctx context.Context) error {
	if err := c.takeStock(ctx); err != nil {
		return err
	}
	if c.done.Before == 0 {
		c.done.Before, c.done.BytesBefore = len(c.parts), sumBytes(c.parts)
	}
	if err := c.finishEarlier(); err != nil {
		return err
	}
	// What was merged may be small again: of many parts, or of runs that lay in several of them.
	for groups := c.groups(); len(groups) > 0; groups = c.groups() {
		if err := c.replaceAll(ctx, groups); err != nil {
			return err
		}
	}
	c.done.After = len(c.parts)
	if c.options.DryRun {
		return nil
	}
	c.done.BytesAfter = sumBytes(c.parts)
	var err error
	c.done.Leftovers, err = c.removeLeftovers(ctx)
	return err
}

func sumBytes(parts []stored) int64 {
	sum := int64(0)
	for _, p := range parts {
		sum += p.bytes
	}
	return sum
}

// step tells that a number of files was verified or merged.
func (c *compaction) step(n int) {
	c.steps += n
	c.left = max(0, c.left-n)
	if c.options.Progress != nil {
		c.options.Progress(c.steps, c.steps+c.left)
	}
}

// takeStock verifies every file of the dataset.
func (c *compaction) takeStock(ctx context.Context) error {
	if err := c.checkNames(); err != nil {
		return err
	}
	names, err := c.commitNames()
	if err != nil {
		return err
	}
	files := 1 + len(c.tables()) // of a part, about
	c.parts, c.uses, c.left = nil, map[string]int{}, files*len(names)
	return c.commits(ctx, func(name string) error {
		s, err := c.look(name)
		if err == nil {
			c.keep(s)
			c.step(files)
		}
		return err
	})
}

// keep adds a part to the stock.
func (c *compaction) keep(s stored) {
	c.parts = append(c.parts, s)
	c.uses[c.path(model.RunsTable, s.name)]++
	for table, sum := range s.files {
		c.uses[c.path(table, sum)]++
	}
}

// look verifies the files of a part.
func (c *compaction) look(name string) (stored, error) {
	commit, err := c.openCommit(name)
	if err != nil {
		return stored{}, err
	}
	if _, err := commit.runs(); err != nil {
		return stored{}, err
	}
	s := stored{
		name: strings.TrimSuffix(name, partExtension), source: commit.metadata[keySource],
		values: commit.values(), bytes: commit.size,
	}
	if s.files, err = filesOf(commit.metadata); err == nil {
		s.replaces, err = replacesOf(commit.metadata)
	}
	if err != nil {
		return stored{}, fmt.Errorf("%s %w: move it away, or start over with --fresh", commit.path, err)
	}
	for table := range s.files {
		if table == model.RunsTable || !slices.Contains(c.tables(), table) {
			return stored{}, fmt.Errorf("%s names a file of table %q, which %s does not have: move it away, "+
				"or start over with --fresh", commit.path, table, c.model.Name)
		}
	}
	s.tables = strings.Join(slices.Sorted(maps.Keys(s.files)), "\x00")
	for _, table := range c.tables() {
		columns, err := c.columnsOf(table)
		if err != nil {
			return stored{}, err
		}
		p, err := c.openNamed(commit, table, columns)
		if err != nil {
			return stored{}, err
		}
		if p != nil {
			s.values += p.values()
			s.bytes += p.size
		}
	}
	return s, nil
}

// tables returns the names of all tables but runs, in the order in which a part's files are made.
func (c *compaction) tables() []string {
	tables := []string{TimingsTable}
	for _, table := range c.model.Tables[1:] {
		tables = append(tables, table.Name)
	}
	return tables
}

// groups returns which parts are to be merged. Those that are half full stay as they are: so a
// dataset that grows is not written anew each time. Parts with other optional tables are not mixed:
// a merged part has each table for all its runs. Nor are those of other sources of the model, whose
// runs would not be told apart any more.
func (c *compaction) groups() [][]stored {
	slices.SortFunc(c.parts, func(a, b stored) int {
		return cmp.Or(cmp.Compare(a.tables, b.tables), cmp.Compare(a.source, b.source), cmp.Compare(a.name, b.name))
	})
	var groups [][]stored
	var group []stored
	values := 0
	for _, s := range c.parts {
		if s.values > valuesPerPart/2 {
			continue
		}
		isOther := len(group) > 0 && (s.tables != group[0].tables || s.source != group[0].source)
		if isOther || len(group) > 0 && values+s.values > valuesPerPart || len(group) == partsPerMerge {
			groups = append(groups, group)
			group, values = nil, 0
		}
		group, values = append(group, s), values+s.values
	}
	groups = append(groups, group)
	return slices.DeleteFunc(groups, func(g []stored) bool { return len(g) < 2 })
}

// replaceAll puts a merged part in place of those of each group. Groups in which another process
// was ahead are passed over, and then the error is errVanished.
func (c *compaction) replaceAll(ctx context.Context, groups [][]stored) error {
	for _, group := range groups {
		c.left += len(group) * (1 + len(group[0].files))
	}
	var ahead error
	for _, group := range groups {
		made, err := c.merge(ctx, group)
		if errors.Is(err, errVanished) {
			ahead = err
			continue
		}
		if err != nil {
			return err
		}
		c.keep(made)
		if err := c.remove(group); err != nil {
			return err
		}
		c.done.Merged += len(group)
	}
	return ahead
}

// finishEarlier removes the parts that went into one that is there: a Compact before was killed.
func (c *compaction) finishEarlier() error {
	replaced := map[string]bool{}
	for _, s := range c.parts {
		for _, name := range s.replaces {
			replaced[name] = true
		}
	}
	var old []stored
	for _, s := range c.parts {
		if replaced[s.name] {
			old = append(old, s)
		}
	}
	c.done.Merged += len(old)
	return c.remove(old)
}

// remove removes parts whose runs are in another one: their commits first, then the tables that no
// other part of the stock names. Parts that were written since name files of their own.
func (c *compaction) remove(parts []stored) error {
	removed := map[string]bool{}
	for _, s := range parts {
		removed[s.name] = true
	}
	c.parts = slices.DeleteFunc(c.parts, func(s stored) bool { return removed[s.name] })
	if len(parts) == 0 || c.options.DryRun {
		return nil
	}
	unused := func(table, sum string) error {
		path := c.path(table, sum)
		if c.uses[path]--; c.uses[path] > 0 {
			return nil
		}
		return removeFile(path)
	}
	for _, s := range parts {
		if err := unused(model.RunsTable, s.name); err != nil {
			return err
		}
	}
	// A power failure must not bring a commit back without its tables.
	runs := filepath.Join(c.dir, model.RunsTable)
	if err := syncFolder(runs); err != nil {
		return fmt.Errorf("cannot write %s: %w", runs, writeError(err))
	}
	for _, s := range parts {
		for table, sum := range s.files {
			if err := unused(table, sum); err != nil {
				return err
			}
		}
	}
	return nil
}
