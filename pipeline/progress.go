// How far a plan is while it is run.

package pipeline

import "gridsweep/results"

// Progress is how far a plan is, as Options.Progress gets it.
type Progress struct {
	Study    string
	Item     string           // what is counted; empty for run
	Total    int              // runs that Run was called with
	Skipped  int              // runs that needed no more work before, see Finished
	Finished int              // runs that succeeded since; in the last call, committed
	Failed   int              // runs that failed since
	Cost     float64          // cost of the runs that were not skipped, in the model's unit
	CostDone float64          // cost of those that finished or failed
	Failure  *results.Failure // the run that has just failed; nil in all other calls
	Ended    bool             // the last call: the last batch is written, or could not be
}

// Done returns the number of runs that the call of Run need not execute any more.
func (p Progress) Done() int { return p.Skipped + p.Finished + p.Failed }
