// Stale runs, which were made by other source code of the model: errors and notes.

package cli

import (
	"context"
	"errors"

	"gridsweep/pipeline/workspace"
)

// openForRows returns the studies that the arguments name, with their plans, or an error if they
// have stale runs; see refuseStale.
func (t *terminal) openForRows(ctx context.Context, s *selection, names []string) ([]*workspace.Study, error) {
	studies, err := t.open(ctx, s, names)
	if err != nil {
		return nil, err
	}
	return studies, t.refuseStale(ctx, studies)
}

// refuseStale returns an error that names the stale runs of the plans, unless --stale allows their
// use.
func (t *terminal) refuseStale(ctx context.Context, studies []*workspace.Study) error {
	var all []error
	for _, study := range studies {
		err := study.RefuseStale(ctx)
		if err != nil && !errors.As(err, new(workspace.StaleRuns)) {
			return err
		}
		all = append(all, err)
	}
	if err := errors.Join(all...); err != nil {
		return usageError(err)
	}
	return nil
}

// noteStale names the stale runs of the plans, for commands that do not use their rows.
func (t *terminal) noteStale(ctx context.Context, s selection, studies []*workspace.Study) error {
	for _, study := range studies {
		stale, err := study.Stale(ctx)
		switch {
		case err != nil:
			return err
		case stale != "" && s.Stale:
			t.note("%s: %s", study.Dir, stale)
		case stale != "":
			t.note("%s: %s; --fresh runs them again, and --stale uses them", study.Dir, stale)
		}
	}
	return nil
}

// noteAllStale names the stale runs of the whole dataset.
func (t *terminal) noteAllStale(ctx context.Context, study *workspace.Study) error {
	stale, err := study.AllStale(ctx)
	if stale != "" {
		t.note("%s: %s", study.Dir, stale)
	}
	return err
}
