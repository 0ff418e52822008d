// Stale runs: those that another source of the model made.

package results

import (
	"maps"
	"slices"
)

// Stale returns the runs of the snapshot that were made by another source of the model than the
// program's: by their ids, the fingerprint of that source, or "" where it is not known. A run that
// both sources made is not stale. No run is stale if the source of the program's model is not
// known.
func (s *Snapshot) Stale() (map[string]string, error) {
	ours, err := s.dataset.fingerprint()
	if err != nil || ours == "" {
		return nil, err
	}
	stale := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.batches)) {
		b := s.batches[name]
		if source := b.metadata[keySource]; source != ours {
			for _, id := range b.runs {
				stale[id] = source
			}
		}
	}
	for _, b := range s.batches {
		if b.metadata[keySource] == ours {
			for _, id := range b.runs {
				delete(stale, id)
			}
		}
	}
	return stale, nil
}
