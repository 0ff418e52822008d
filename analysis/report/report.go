// Package report writes the page of a paper: every claim with its verdict, every table and figure
// beside the paper's own numbers, the parameters, and where it all comes from. A page is one file
// that needs no network, no script and no other file; it is built from data alone, so the same data
// give the same bytes.
package report

import (
	"gridsweep/analysis"
)

// Page is what the report of one paper shows.
type Page struct {
	Name     string // of the paper: the folder of the page
	Citation string // as the study's model gives it; a DOI or URL in it becomes a link
	Quick    bool   // the small runs of --quick: the page says so at its top
	Changed  string // the flags that gave parameters or factors other values than the study's: the page says so too
	Command  string // that made it
	Version  string // of this program
	Commit   string // empty where it is not known
	Dirty    bool   // the tree had changes that are in no commit
	Machine  string // processor, cores, operating system
	Studies  []Study
	Absent   []Absent // other studies of the paper, of which there is nothing to show
}

// Absent is a study of the paper that the page does not show.
type Absent struct {
	Heading string
	Why     string // what comes after the heading: has not been run, or an error
	Command string // that brings it
}

// Study is the part of a page that one study file makes.
type Study struct {
	Name, Title string
	Result      *analysis.Result
	Parameters  []Parameter
	Experiments []Experiment
	Workloads   []Workload // none where the model reads no traces
	Provenance  Provenance
	Failures    []Failure
	Warnings    []string
	Whole       string // the command whose page has what Result leaves out
	Without     string // those of the page's changed settings that this study does not have; empty where it has all
	Directory   string // where its runs, tables and figures lie, relative to the folder of the page
}

// Parameter is one parameter of the study's model with the value the study gives it.
type Parameter struct {
	Name, Symbol, Value, Unit, Doc string
	Default                        string // of the model; shown where Value differs
	Varied                         bool   // some experiment gives it other values
}

// Experiment is one experiment of the plan.
type Experiment struct {
	Name, Doc string
	Varies    string // its dimensions and their levels, for people
	Rounds    string // of a cell, such as 10 or 4 to 8
	Cells     int    // combinations of levels
	Runs      int    // cells × rounds
	Done      int    // of them with a row in the dataset
}

// Provenance says what a study's numbers were computed from.
type Provenance struct {
	Model         string
	ModelVersion  int
	Seed          int64
	StudyFile     string
	StudyHash     string // SHA-256 of the study file
	PlanChecksum  string
	DatasetDigest string
}

// Failure is a run that failed.
type Failure struct {
	Run, Error string
	Rerun      string // the command that runs it again
}

// Entry is a line of the index: a page and how it went.
type Entry struct {
	Name, Title, Citation string
	Quick                 bool
	Changed               string
	Claims                Claims
	// Cells with a published value, and those of them inside the prediction interval; without times
	// measured here, which depend on what else the machine does, and without inputs of the study,
	// which agree by construction.
	Cells, Inside   int
	Predicted       string // what these intervals are of, such as one run; empty where there are none
	Tables, Figures int
}

// Claims counts verdicts.
type Claims struct {
	Reproduced, Inconclusive, NotReproduced, NotRun, NoValue int
}

// Total returns the number of claims.
func (c Claims) Total() int {
	return c.Reproduced + c.Inconclusive + c.NotReproduced + c.NotRun + c.NoValue
}
