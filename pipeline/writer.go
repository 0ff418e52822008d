// Batches of finished runs.

package pipeline

import (
	"cmp"
	"sync"

	"gridsweep/results"
)

// writer collects the finished runs of all workers and writes them to the dataset in batches, so
// that a run is written on time while its worker is busy with the next one. At most two batches are
// in memory: while one is written, the worker that fills the next waits. Runs with lazy tables are
// batches of their own, see addAlone. It is safe for concurrent use.
type writer struct {
	dataset    *results.Dataset
	provenance results.Provenance
	failed     map[string]bool // runs with a record of an earlier failure

	mu    sync.Mutex
	batch []results.Run
	bytes int // estimated memory of batch and its encoding

	writing sync.Mutex // held while a batch is written; locked before mu
	written int        // runs committed
	// the first error of writing, or of removing a record of failure; no batch is begun after it
	err error
}

// add adds a finished run and writes the batch when it is full.
func (w *writer) add(run results.Run) error {
	// a string's header; numbers are shorter, and most strings share their bytes
	const bytesPerValue = 16
	bytes := bytesPerValue * run.Outcome.Values()
	w.mu.Lock()
	w.batch = append(w.batch, run)
	w.bytes += bytes
	isFull := w.bytes >= batchBytes
	w.mu.Unlock()
	if !isFull {
		return nil
	}
	return w.flush()
}

// addAlone writes a run with lazy tables, which was encoded by its worker, on the worker's
// goroutine. So the memory that the rows are made of is free when the run ends, and workers encode
// and write at the same time.
func (w *writer) addAlone(run results.Run, batch *results.Batch) error {
	if err := w.failure(); err != nil {
		return err
	}
	err := batch.Write()
	w.writing.Lock()
	defer w.writing.Unlock()
	return w.afterWrite([]results.Run{run}, err)
}

// failure returns the first error of writing, w.err.
func (w *writer) failure() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	return w.err
}

// flush writes the batch.
func (w *writer) flush() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	if w.err != nil {
		return w.err
	}
	w.mu.Lock()
	batch := w.batch
	w.batch, w.bytes = nil, 0
	w.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	return w.afterWrite(batch, w.dataset.WriteBatch(batch, w.provenance))
}

// afterWrite counts runs that were written and removes the records of their earlier failures; err
// is that of writing them. It returns the error, and keeps the first one in w.err. The caller holds
// w.writing.
func (w *writer) afterWrite(batch []results.Run, err error) error {
	if err == nil {
		w.written += len(batch)
	}
	for _, run := range batch {
		if err == nil && w.failed[run.ID] {
			err = w.dataset.RemoveFailure(run.ID)
		}
	}
	w.err = cmp.Or(w.err, err)
	return err
}
