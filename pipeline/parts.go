package pipeline

import (
	"sync"

	"gridsweep/model"
	"gridsweep/results"
)

// parts collects what all workers finish and writes it to the dataset. One batch serves the process, so that a run
// gets written on time while its worker is busy with the next one.
//
// At most two batches are in memory: while one is being written, whoever fills the next waits. It is safe for
// concurrent use.
type parts struct {
	dataset    *results.Dataset
	provenance results.Provenance
	failed     map[string]bool // runs with a record of an earlier failure

	mu    sync.Mutex
	batch []results.Run
	bytes int // of batch, estimated

	writing sync.Mutex // held while a part is written; taken before mu
	written int        // runs committed
	err     error      // of the first part that could not be written: nothing is written after it
}

// add takes a finished run and writes the batch when it is full.
func (p *parts) add(run results.Run, bytes int) error {
	p.mu.Lock()
	p.batch = append(p.batch, run)
	p.bytes += bytes
	full := p.bytes >= partBytes
	p.mu.Unlock()
	if !full {
		return nil
	}
	return p.flush()
}

// flush writes the batch, and forgets the earlier failures of its runs once they are committed.
func (p *parts) flush() error {
	p.writing.Lock()
	defer p.writing.Unlock()
	if p.err != nil {
		return p.err
	}
	p.mu.Lock()
	batch := p.batch
	p.batch, p.bytes = nil, 0
	p.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	p.err = p.write(batch)
	return p.err
}

func (p *parts) write(batch []results.Run) error {
	if err := p.dataset.WritePart(batch, p.provenance); err != nil {
		return err
	}
	p.written += len(batch)
	for _, run := range batch {
		if !p.failed[run.ID] {
			continue
		}
		if err := p.dataset.RemoveFailure(run.ID); err != nil {
			return err
		}
	}
	return nil
}

// sizeOf estimates the memory of an outcome and of its way to disk.
func sizeOf(outcome model.Outcome, m *model.Model) int {
	const bytesPerValue = 16 // a string's header; numbers are shorter, and most strings share their bytes
	values := 0
	for i, table := range m.Tables {
		values += outcome.Len(i) * len(table.Columns)
	}
	return bytesPerValue * values
}
