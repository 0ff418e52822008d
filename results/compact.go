// Compaction: small batches are merged into few large ones.

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

// valuesPerBatch bounds the rows times columns, over all tables, of a batch that Compact writes. A
// reader holds the bytes of a data file and the values of the columns that it reads, and Compact
// those of all columns: at 8 bytes each 32 MB, which also bounds a file's size. A million runs of
// 40 columns make about ten batches.
const valuesPerBatch = 1 << 22

// batchesPerMerge bounds what a merge holds of its batches: provenance and SHA-256 of each. More
// than that are merged in two steps.
const batchesPerMerge = 1 << 12

// Compaction is what Compact did, or would do.
type Compaction struct {
	Before, After           int   // batches of the dataset
	Merged                  int   // batches merged into larger ones, also those of a first step
	BytesBefore, BytesAfter int64 // sizes of the files; a dry run does not know BytesAfter
	Leftovers               int   // other files that were removed, of dead processes
}

// CompactOptions say how Compact works.
type CompactOptions struct {
	DryRun bool // change nothing, count only what would be merged
	// Progress is called with the number of files that were verified or merged so far, and with how
	// many there will be. Nil shows nothing.
	Progress func(done, total int)
}

// Compact merges small batches into few large ones. The rows stay, and so do the digest and the
// timings; what several batches have is kept once. Equal batches make equal merged ones. Compact
// also removes what dead processes left, if it is older than a day.
//
// Each merged batch is read back before the merged ones are removed, their commit files first. So
// Compact may be killed at any moment, and other processes may read, write and compact the dataset
// meanwhile.
//
// The error names a file that is damaged, foreign or missing, before anything is changed, or one
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

// inspected is a batch of the dataset whose files were verified.
type inspected struct {
	sum      string            // SHA-256 of the commit file
	files    map[string]string // SHA-256 of the data file of each table but runs
	contents string            // its tables and source of the model; only equal ones are merged
	values   int               // rows times columns, over all tables
	bytes    int64             // size of all files
	replaces []string          // sums of the batches that were merged into it
}

// compaction is a call of Compact under way.
type compaction struct {
	*Dataset
	options     CompactOptions
	done        Compaction
	batches     []inspected
	uses        map[string]int // number of the batches that a file belongs to, by its path
	steps, left int            // files: done, and still to do
}

// run compacts the dataset as it is now. The error is errVanished where another process has removed
// some of it meanwhile.
func (c *compaction) run(ctx context.Context) error {
	if err := c.inspectAll(ctx); err != nil {
		return err
	}
	if c.done.Before == 0 { // not where Compact calls run again
		c.done.Before, c.done.BytesBefore = len(c.batches), sumBytes(c.batches)
	}
	if err := c.finishEarlier(); err != nil {
		return err
	}
	// A merged batch may be small again: if batchesPerMerge bounded its group, or if several of the
	// group had the same runs.
	for groups := c.groups(); len(groups) > 0; groups = c.groups() {
		if err := c.replaceAll(ctx, groups); err != nil {
			return err
		}
	}
	c.done.After = len(c.batches)
	if c.options.DryRun {
		return nil
	}
	c.done.BytesAfter = sumBytes(c.batches)
	var err error
	c.done.Leftovers, err = c.removeLeftovers(ctx)
	return err
}

func sumBytes(batches []inspected) int64 {
	sum := int64(0)
	for _, b := range batches {
		sum += b.bytes
	}
	return sum
}

// step reports that n more files were verified or merged.
func (c *compaction) step(n int) {
	c.steps += n
	c.left = max(0, c.left-n)
	if c.options.Progress != nil {
		c.options.Progress(c.steps, c.steps+c.left)
	}
}

// inspectAll verifies every file of the dataset.
func (c *compaction) inspectAll(ctx context.Context) error {
	if err := c.checkNames(c.longTables()); err != nil {
		return err
	}
	names, err := c.commitNames()
	if err != nil {
		return err
	}
	files := 1 + len(c.longTables()) // of a batch, about
	c.batches, c.uses, c.left = nil, map[string]int{}, files*len(names)
	return c.commits(ctx, func(name string) error {
		b, err := c.inspect(name)
		if err == nil {
			c.add(b)
			c.step(files)
		}
		return err
	})
}

func (c *compaction) add(b inspected) {
	c.batches = append(c.batches, b)
	c.uses[c.path(model.RunsTable, b.sum)]++
	for table, sum := range b.files {
		c.uses[c.path(table, sum)]++
	}
}

// inspect verifies the files of a batch.
func (c *compaction) inspect(name string) (inspected, error) {
	b, commit, err := c.openCommitted(name)
	if err != nil {
		return inspected{}, err
	}
	batch := inspected{
		sum: strings.TrimSuffix(name, dataExtension), files: b.files, values: commit.values(), bytes: commit.size,
		contents: strings.Join(append(slices.Sorted(maps.Keys(b.files)), b.metadata[keySource]), "\x00"),
	}
	if batch.replaces, err = replacesOf(b.metadata); err != nil {
		return inspected{}, unreadable(b.path, err)
	}
	for table := range b.files {
		if !slices.Contains(c.longTables(), table) {
			return inspected{}, unreadable(b.path,
				fmt.Errorf("names a file of table %q, which %s does not have", table, c.model.Name))
		}
	}
	for _, table := range c.longTables() {
		columns, err := c.columnsOf(table)
		if err != nil {
			return inspected{}, err
		}
		f, err := c.openTable(b, table, columns)
		if err != nil {
			return inspected{}, err
		}
		if f != nil {
			batch.values += f.values()
			batch.bytes += f.size
		}
	}
	return batch, nil
}

// groups returns the batches to merge, in groups. A batch that is more than half full stays as it
// is, so that a dataset that grows is not rewritten each time. Batches with different optional
// tables are not merged, since a batch has each table for all its runs, nor are those of different
// sources of the model, which the metadata could not tell apart.
func (c *compaction) groups() [][]inspected {
	slices.SortFunc(c.batches, func(a, b inspected) int {
		return cmp.Or(cmp.Compare(a.contents, b.contents), cmp.Compare(a.sum, b.sum))
	})
	var groups [][]inspected
	var group []inspected
	values := 0
	for _, b := range c.batches {
		if b.values > valuesPerBatch/2 {
			continue
		}
		isFull := values+b.values > valuesPerBatch || len(group) == batchesPerMerge
		if len(group) > 0 && (isFull || b.contents != group[0].contents) {
			groups = append(groups, group)
			group, values = nil, 0
		}
		group, values = append(group, b), values+b.values
	}
	groups = append(groups, group)
	return slices.DeleteFunc(groups, func(g []inspected) bool { return len(g) < 2 })
}

// replaceAll replaces the batches of each group by a merged one. It leaves out groups of which
// another process has removed a batch, and then returns errVanished.
func (c *compaction) replaceAll(ctx context.Context, groups [][]inspected) error {
	for _, group := range groups {
		c.left += len(group) * (1 + len(group[0].files))
	}
	var missed error
	for _, group := range groups {
		merged, err := c.merge(ctx, group)
		if errors.Is(err, errVanished) {
			missed = err
			continue
		}
		if err != nil {
			return err
		}
		c.add(merged)
		if err := c.remove(group); err != nil {
			return err
		}
		c.done.Merged += len(group)
	}
	return missed
}

// finishEarlier removes the batches that an earlier Compact, which was killed, has merged into
// another one of the dataset.
func (c *compaction) finishEarlier() error {
	replaced := map[string]bool{}
	for _, b := range c.batches {
		for _, sum := range b.replaces {
			replaced[sum] = true
		}
	}
	var old []inspected
	for _, b := range c.batches {
		if replaced[b.sum] {
			old = append(old, b)
		}
	}
	c.done.Merged += len(old)
	return c.remove(old)
}

// remove removes batches whose runs are in another one: first their commit files, then the data
// files that belong to no other batch. Batches that were written since have data files of their
// own.
func (c *compaction) remove(batches []inspected) error {
	removed := map[string]bool{}
	for _, b := range batches {
		removed[b.sum] = true
	}
	c.batches = slices.DeleteFunc(c.batches, func(b inspected) bool { return removed[b.sum] })
	if len(batches) == 0 || c.options.DryRun {
		return nil
	}
	removeUnused := func(table, sum string) error {
		path := c.path(table, sum)
		c.uses[path]--
		if c.uses[path] > 0 {
			return nil
		}
		return removeFile(path)
	}
	for _, b := range batches {
		if err := removeUnused(model.RunsTable, b.sum); err != nil {
			return err
		}
	}
	// A power failure must not bring back a commit file without its data files.
	runs := filepath.Join(c.dir, model.RunsTable)
	if err := syncFolder(runs); err != nil {
		return writeError(runs, err)
	}
	for _, b := range batches {
		for table, sum := range b.files {
			if err := removeUnused(table, sum); err != nil {
				return err
			}
		}
	}
	return nil
}
