package pipeline

import "gridsweep/results"

// Progress is where a plan stands, for a hook to show.
type Progress struct {
	Study    string
	Item     string           // what is counted; empty for run
	Total    int              // runs asked for
	Skipped  int              // of them, in the dataset before
	Finished int              // of them, run successfully since; in the last call, committed
	Failed   int              // of them, failed since
	Cost     float64          // of the runs that were not skipped, in the model's unit
	CostDone float64          // of those that finished or failed
	Failure  *results.Failure // what has just failed; nil in all other calls
	Ended    bool             // the last call: the last part is written, or could not be
}

// Done returns the number of runs that need no more work.
func (p Progress) Done() int { return p.Skipped + p.Finished + p.Failed }
