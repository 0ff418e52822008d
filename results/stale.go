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
	looked := map[string]source{}
	err = d.commits(ctx, func(name string) error {
		s, err := d.openSource(name)
		if err != nil {
			return err
		}
		made := s.commit.metadata[keySource]
		s.commit.metadata = map[string]string{keySource: made, keyFiles: s.commit.metadata[keyFiles]} // the rest may go
		looked[name] = s
		if made != ours {
			for _, id := range s.runs {
				stale[id] = made
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look which source made the runs: %w", err)
	}
	if len(stale) > 0 {
		for _, s := range looked {
			if s.commit.metadata[keySource] == ours {
				for _, id := range s.runs {
					delete(stale, id)
				}
			}
		}
	}
	d.looked.Store(&looked)
	return stale, nil
}
