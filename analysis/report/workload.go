// The workload of a study in the words of the page: traces, or a workload model.

package report

import (
	"slices"

	"github.com/dustin/go-humanize/english"
)

// Workload is the source of the jobs of some runs: traces, or a workload model in their place.
type Workload struct {
	Resolved string // value of the parameter trace of the runs
	Model    bool   // whether it is a workload model
	Name     string // name of the workload model, if the study's model has several
	// Traces are those that were read, or that the workload model replaces; none if the runs need
	// none.
	Traces  []Trace
	Missing []Trace // those of Traces that were not found
	Runs    int     // runs with a row in the dataset
	// LeftOut is how many jobs cleaning of the traces leaves out, a number for each way in which
	// runs do it; nil if unknown.
	LeftOut []int64
}

// Trace is a record of jobs.
type Trace struct {
	Name, Title string // name and title in the catalogue; Title is empty for a user's file
	HasAddress  bool   // whether the catalogue has an address to download it
	InPlaceOf   string // the trace of the study that it replaces; empty if none
	SHA256      string // checksum of the file; empty if it was not read
	Acknowledge string // the acknowledgement that its providers ask for
	Reference   string // the paper to cite
}

// String returns the name of the trace with its title, such as "das2 (GWA-T-1 DAS-2)".
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

// Sentence names the workload, without checksums and acknowledgements, and counts the jobs of its
// traces that runs leave out.
func (w Workload) Sentence() string {
	switch {
	case !w.Model:
		return Named(w.Traces) + w.cleaned()
	case w.Name != "":
		return "the workload model " + w.Name
	case len(w.Missing) > 0:
		return "a workload model in place of " + Named(w.Missing) + ", which " +
			english.PluralWord(len(w.Missing), "was", "were") + " not found"
	case len(w.Traces) > 0:
		return "a workload model in place of " + Named(w.Traces) + ", selected by the parameter trace"
	default:
		return "a workload model"
	}
}

// cleaned returns ", of which cleaning leaves out 7 jobs", or the range where runs differ; empty if
// they leave out none.
func (w Workload) cleaned() string {
	if len(w.LeftOut) == 0 || slices.Max(w.LeftOut) == 0 {
		return ""
	}
	from, to := int(slices.Min(w.LeftOut)), int(slices.Max(w.LeftOut))
	text := ", of which cleaning leaves out "
	if from < to {
		text += withCommas(from) + " to "
	}
	return text + withCommas(to) + " " + english.PluralWord(to, "job", "")
}

// Counted returns the number of runs in words.
func (w Workload) Counted() string { return english.Plural(w.Runs, "run", "") }

// Fetchable returns the missing traces that can be downloaded.
func (w Workload) Fetchable() []Trace {
	return slices.DeleteFunc(slices.Clone(w.Missing), func(t Trace) bool { return !t.HasAddress })
}

// Fetch returns the command that downloads the fetchable traces; empty if there are none.
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

// Import returns the commands that import the missing traces from files.
func (w Workload) Import() []string {
	commands := make([]string, len(w.Missing))
	for i, t := range w.Missing {
		commands[i] = "gridsweep trace import " + t.Name + " FILE"
	}
	return commands
}
