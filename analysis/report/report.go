// Package report writes the page of a paper: every claim with its verdict, every table and figure
// with the published numbers, the parameters, and the provenance. A page is one file that needs no
// network, no script and no other file. Equal data give equal bytes. The package also writes the
// index of pages.
package report

import (
	"gridsweep/analysis"
	"gridsweep/analysis/sequential"
	"gridsweep/results"
)

// Page is the content of the report of one paper.
type Page struct {
	Name     string // name of the paper: the folder of the page
	Citation string // citation of the paper; a DOI or URL in it becomes a link
	// References of the models, shown where the paper has no citation.
	References []string
	Quick      bool // whether the runs are the small ones of --quick, as a banner says
	// Changed is the flags that changed parameters or factors of the study, for a banner; mostly
	// empty.
	Changed string
	Command string // command that made the page
	Version string // version of this program
	Commit  string // commit of this program; empty if unknown
	Dirty   bool   // whether the program was built with uncommitted changes
	Machine string // processor, cores, operating system
	Studies []Study
	Absent  []Absent // other studies of the paper, without results
}

// Absent is a study of the paper that the page does not show.
type Absent struct {
	Heading string
	Why     string // the reason, such as "has not been run", or an error
	Command string // command that adds the study to the page
}

// Study is what a page shows of one study file.
type Study struct {
	Name, Title     string
	Result          *analysis.Result
	Parameters      []Parameter
	Experiments     []Experiment
	Deviations      []Deviation
	HasPublished    bool       // whether it has published numbers
	Workloads       []Workload // none if the model reads no traces
	Provenance      Provenance
	Failures        []results.Failure
	Warnings        []string
	Looks           *sequential.Looks // that added replications; nil or without targets if none did
	CompleteCommand string            // the command that adds the outputs in Result.LeftOut
	// NotApplied is those of the page's changed settings that do not apply to this study; mostly
	// empty.
	NotApplied string
	// Directory is that of its runs, tables and figures, relative to the folder of the page.
	Directory string
}

// Parameter is one parameter of the study's model with its value in the study.
type Parameter struct {
	Name, Symbol, Value, Unit, Doc string
	Default                        string // default of the model; shown if Value differs
	Varied                         bool   // whether some experiment varies it
}

// Deviation is a parameter whose value is not the one that the paper prints.
type Deviation struct {
	Name, Value string
	Printed     string // value that the paper prints; empty if none
	Source, Why string
}

// Experiment is one experiment of the plan.
type Experiment struct {
	Name, Doc    string
	Varies       string // dimensions with their levels or, of many, the number of these
	Replications string // replications of a cell, such as 10 or 4 to 8
	Cells        int    // combinations of levels
	Runs         int    // sum of the replications of all cells
	Done         int    // runs with a row in the dataset
}

// Provenance identifies the inputs of a study's numbers.
type Provenance struct {
	Model         string
	ModelVersion  int
	Seed          int64
	StudyFile     string
	StudyHash     string // SHA-256 of the study file
	PlanChecksum  string
	DatasetDigest string
}

// Entry is a line of the index: a page with the counts of its verdicts. A file beside each page has
// its entry as JSON, since the index shows pages of earlier commands and versions too.
type Entry struct {
	Name, Title, Citation string
	Quick                 bool
	Changed               string
	Plans                 map[string]string // checksum of the plan of each study
	Claims                Verdicts
	Main                  Counts // the main conclusions of the paper, by sentences
	// Published numbers with a prediction interval of ours, and those of them inside it. Wall-clock
	// times, which depend on the load of the machine, and inputs of the study, which agree by
	// construction, are not counted. Nor are trivial cells, which are 0 on both sides, and repeated
	// ones, whose number an earlier cell has or that are computed from such numbers.
	Cells, Inside     int
	Trivial, Repeated int
	// InsideDeviation is the standard deviation of Inside over seeds; 0 if unknown.
	InsideDeviation float64 `json:"Deviation"`
	// Our replications that were compared with the others as if they were published, and those
	// inside.
	Own, OwnInside int
	// Numbers computed from published ones, such as differences of two policies, and those inside.
	Computed, ComputedInside int
	// Compared is what Computed counts, such as "difference"; none in an entry of an earlier
	// version.
	Compared []string
	// Predicted is what the prediction intervals are for, such as "one run"; empty if there are
	// none.
	Predicted       string
	Tables, Figures int
	Conclusions     []Conclusion // the claims on the sentences that Main counts
	// Sentences say why claims are not reproduced, where the bias of the numbers lies, and how many
	// agree over universes.
	Sentences []string
	Numbers   []Numbers // the published numbers with ours, by unit
	Matrices  []Matrix  // matrices of the studies with claims judged under assumptions
}

// Numbers is published numbers in one unit, or of one metric without a unit, with ours.
type Numbers struct {
	Unit    string
	Metric  string `json:",omitempty"` // empty with a unit
	Changes bool   `json:",omitempty"` // whether they are comparisons, such as changes in %
	Tables  []TableNumbers
}

// TableNumbers is the numbers of a table.
type TableNumbers struct {
	Table   string
	Numbers []PublishedNumber
}

// PublishedNumber is a published number, ours, and its prediction interval; nil if there is none.
type PublishedNumber struct {
	Published, Ours float64
	Prediction      *[2]float64 `json:",omitempty"`
}

// Conclusion is a main conclusion of a paper with our verdict.
type Conclusion struct {
	Anchor          string // of the claim on the page
	Name, Statement string
	Verdict         analysis.Verdict
	Why             string // why it is not reproduced, vacuous or inconclusive; else empty
}
