package results

import (
	"maps"
	"slices"
)

// keySource is the fingerprint of the source of the model that made the rows of a part, see
// model.Model.Fingerprint. It is part of their provenance. Parts that a program wrote that did not
// know it have none.
const keySource = "gridsweep.model_source"

// Stale returns the runs of the snapshot that the source of the program's model did not make, by
// their ids: the fingerprint of the source that did, empty where that is not known. A run that both
// made is none of them. There are none where the program does not know the source of its model.
func (s *Snapshot) Stale() (map[string]string, error) {
	ours, err := s.dataset.fingerprint()
	if err != nil || ours == "" {
		return nil, err
	}
	stale := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.entries)) {
		e := s.entries[name]
		if made := e.commit.metadata[keySource]; made != ours {
			for _, id := range e.runs {
				stale[id] = made
			}
		}
	}
	if len(stale) == 0 {
		return stale, nil
	}
	for _, e := range s.entries {
		if e.commit.metadata[keySource] == ours {
			for _, id := range e.runs {
				delete(stale, id)
			}
		}
	}
	return stale, nil
}
