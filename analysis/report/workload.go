package report

// The workload of a study as the page names it: traces or a model in their place.

import (
	"slices"

	"github.com/dustin/go-humanize/english"
)

// Workload is what some runs of a study took their jobs from: traces, or a workload model in their
// place.
type Workload struct {
	Resolved string  // what the parameter trace of the runs says
	Model    bool    // a workload model
	Name     string  // of the workload model, where the model of the study has several
	Traces   []Trace // that were read, or whose place the model takes; none where these runs would read none
	Missing  []Trace // of these, those that were looked for and not found
	Runs     int     // with a row in the dataset
}

// Trace is a record of jobs.
type Trace struct {
	Name, Title string // of the catalogue; Title is empty for a user's file
	HasAddress  bool   // that the catalogue says, to download it from
	InPlaceOf   string // what the study calls it, where that is another name
	SHA256      string // of the file; empty where none was read
	Acknowledge string // who provided it
	Reference   string // the paper to cite
}

// String names the trace for people, such as "das2 (GWA-T-1 DAS-2)".
func (t Trace) String() string {
	text := t.Name
	if t.Title != "" {
		text += " (" + t.Title + ")"
	}
	if t.InPlaceOf != "" {
		text += " in place of " + t.InPlaceOf
	}
	return text
}

// Named returns the traces as "the trace das2 (GWA-T-1 DAS-2)" or "the traces … and …".
func Named(traces []Trace) string {
	names := make([]string, len(traces))
	for i, t := range traces {
		names[i] = t.String()
	}
	return "the " + english.PluralWord(len(traces), "trace", "") + " " + english.WordSeries(names, "and")
}

// Sentence says in words what the jobs are, without checksums and who is to be thanked for them.
func (w Workload) Sentence() string {
	switch {
	case !w.Model:
		return Named(w.Traces)
	case w.Name != "":
		return "the workload model " + w.Name
	case len(w.Missing) > 0:
		return "a workload model in place of " + Named(w.Missing) + ", which " +
			english.PluralWord(len(w.Missing), "was", "were") + " not found"
	case len(w.Traces) > 0:
		return "a workload model in place of " + Named(w.Traces) + ", as was asked for"
	default:
		return "a workload model"
	}
}

// Counted returns the number of runs in words.
func (w Workload) Counted() string { return english.Plural(w.Runs, "run", "") }

// Fetchable returns those of the missing traces that can be downloaded.
func (w Workload) Fetchable() []Trace {
	return slices.DeleteFunc(slices.Clone(w.Missing), func(t Trace) bool { return !t.HasAddress })
}

// Fetch returns the command that downloads them; empty where there are none.
func (w Workload) Fetch() string {
	command := ""
	for _, t := range w.Fetchable() {
		command += " " + t.Name
	}
	if command == "" {
		return ""
	}
	return "gridsweep trace fetch" + command
}

// Import returns the commands that take the missing traces from files.
func (w Workload) Import() []string {
	commands := make([]string, len(w.Missing))
	for i, t := range w.Missing {
		commands[i] = "gridsweep trace import " + t.Name + " FILE"
	}
	return commands
}

// CitedAs returns the reference with the address in it apart, to be a link.
func (t Trace) CitedAs() linked { return linkIn(t.Reference) }
