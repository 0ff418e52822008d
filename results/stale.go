package results

import (
	"context"
	"fmt"
)

// keySource is the fingerprint of the source of the model that made the rows of a part, see model.Model.Fingerprint. It is
// part of their provenance. Parts that a program wrote that did not know it have none.
const keySource = "gridsweep.model_source"

// Stale returns the runs of the dataset that the source of the program's model did not make, by their ids: the fingerprint
// of the source that did, empty where that is not known. A run that both made is none of them. There are none where the
// program does not know the source of its model. The error names a file that is damaged, foreign or missing.
func (d *Dataset) Stale(ctx context.Context) (map[string]string, error) {
	ours, err := d.fingerprint()
	if err != nil || ours == "" {
		return nil, err
	}
	stale := map[string]string{}
	visit := func(isOurs bool, take func(id, source string)) error {
		return d.commits(ctx, func(name string) error {
			commit, err := d.openCommit(name)
			if err != nil || (commit.metadata[keySource] == ours) != isOurs {
				return err
			}
			runs, err := commit.runs()
			for _, id := range runs {
				take(id, commit.metadata[keySource])
			}
			return err
		})
	}
	err = visit(false, func(id, source string) { stale[id] = source })
	if err == nil && len(stale) > 0 {
		err = visit(true, func(id, _ string) { delete(stale, id) })
	}
	if err != nil {
		return nil, fmt.Errorf("look which source made the runs: %w", err)
	}
	return stale, nil
}
