// The states of the traces of a catalogue: which file is found for each.

package traces

import (
	"context"
	"errors"

	"gridsweep/configs"
)

// The states of a trace of the catalogue.
const (
	StateMissing    = "not found"
	StateRecorded   = "recorded"     // the file has the checksum in FILE.sha256
	StateUnrecorded = "not recorded" // FILE.sha256 does not exist
	StateOther      = "differs"      // another checksum, or the file or FILE.sha256 is unreadable
)

// Entry is a trace of the catalogue and the file that was found for it, as JSON with all keys.
type Entry struct {
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Format      string     `json:"format"`
	Jobs        *int       `json:"jobs"` // null if the archive does not say
	Clusters    []int      `json:"clusters"`
	Found       string     `json:"found"` // path; empty if none was found
	State       string     `json:"state"`
	Checksum    string     `json:"sha256"` // empty in StateMissing and StateOther
	Used        []EntryUse `json:"used"`
	Page        string     `json:"page"`
	Address     string     `json:"address"`
	Acknowledge string     `json:"acknowledge"`
	Reference   string     `json:"reference"`
}

// EntryUse is which window of a trace a paper uses.
type EntryUse struct {
	Paper  string `json:"paper"`
	Window string `json:"part"`
}

// Entries looks for every trace of a catalogue. The error names all files in StateOther. When ctx
// is done, it is that of ctx.
func Entries(ctx context.Context, catalogue configs.Catalogue) ([]Entry, error) {
	var entries []Entry
	var problems []error
	for _, trace := range catalogue {
		entry, err := entryOf(ctx, trace)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		entries, problems = append(entries, entry), append(problems, err)
	}
	return entries, errors.Join(problems...)
}

func entryOf(ctx context.Context, trace configs.Trace) (Entry, error) {
	entry := Entry{
		Name: trace.Name.Value, Title: trace.Title.Value, Format: trace.Format.Value,
		Clusters: append([]int{}, trace.Clusters...), State: StateMissing, Used: []EntryUse{},
		Page: trace.Page.Value, Address: trace.Address.Value,
		Acknowledge: trace.Acknowledge.Value, Reference: trace.Reference.Value,
	}
	if trace.Jobs > 0 {
		entry.Jobs = &trace.Jobs
	}
	for _, use := range trace.Uses {
		entry.Used = append(entry.Used, EntryUse{use.Paper.Value, use.Window.Value})
	}
	path, err := FindIn(trace, FoldersOf(trace)...)
	if errors.As(err, new(*NotFoundError)) {
		return entry, nil
	}
	entry.Found, entry.State = path, StateOther
	if err != nil {
		return entry, err
	}
	sum, isRecorded, err := Verify(ctx, path)
	switch {
	case err != nil:
		return entry, err
	case isRecorded:
		entry.State = StateRecorded
	default:
		entry.State = StateUnrecorded
	}
	entry.Checksum = sum
	return entry, nil
}
