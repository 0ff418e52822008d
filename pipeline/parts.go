package pipeline

import (
	"sync"

	"gridsweep/model"
	"gridsweep/results"
)

// parts collects what all workers finish and writes it to the dataset. One batch serves the
// process, so that a run gets written on time while its worker is busy with the next one.
//
// At most two batches are in memory: while one is being written, whoever fills the next waits. Runs
// with lazy tables are in none: their workers write them, see addAlone. It is safe for concurrent
// use.
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

// addAlone writes a run whose long tables were made while it was encoded, on the caller's
// goroutine: no run holds what makes them for longer than that takes, and each worker encodes its
// own.
func (p *parts) addAlone(run results.Run, part *results.Part) error {
	if err := p.failure(); err != nil {
		return err
	}
	err := part.Write()
	p.writing.Lock()
	defer p.writing.Unlock()
	if err == nil {
		err = p.committed([]results.Run{run})
	}
	if p.err == nil {
		p.err = err
	}
	return err
}

// failure returns the error of the first part that could not be written.
func (p *parts) failure() error {
	p.writing.Lock()
	defer p.writing.Unlock()
	return p.err
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
	return p.committed(batch)
}

// committed counts runs that are in the dataset and forgets their earlier failures; p.writing is
// held.
func (p *parts) committed(batch []results.Run) error {
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
func sizeOf(outcome model.Outcome) int {
	const bytesPerValue = 16 // a string's header; numbers are shorter, and most strings share their bytes
	return bytesPerValue * outcome.Values()
}
