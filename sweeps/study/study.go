// Package study binds a study file to its model: it resolves each name once, to a factor, level,
// column or dimension, and reports all names that have no meaning together. Package sweeps expands
// a bound study and package analysis evaluates it.
package study

import (
	"gridsweep/configs"
	"gridsweep/model"
)

// Study is a study file bound to its model.
type Study struct {
	Name, Paper, Title string
	Citation           string         // of the paper; empty where it is not known
	File               *configs.Study // the study file as read, for messages and provenance
	Model              *model.Model
	Seed               int64 // seed of all replications

	// assignments of the study, quick and the command line; a later one overrides an earlier one
	Base        []Assignment
	Set         []Assignment // assignments of the command line, which Base has too
	Factors     []*Factor
	Assumptions []Assumption
	Deviations  []Deviation
	Experiments []*Experiment // in the file's order, with each and repeat written out
	Tables      []*Table
	Figures     []*Figure
	Claims      []*Claim
	Unjudged    []Statement
}

// Reference returns what stands in place of a citation: "model NAME: " and the paper of the model;
// empty for a model without a paper.
func (s *Study) Reference() string {
	if s.Model.Paper == "" {
		return ""
	}
	return "model " + s.Model.Name + ": " + s.Model.Paper
}

// Overrides are the values of a command that replace those of the file.
type Overrides struct {
	Quick  bool                // apply the file's overlay for small runs
	Set    []configs.Setting   // values of parameters
	Levels []configs.Selection // levels that factors take
	// Universes is the most universes of an experiment under assumptions: the first ones that its
	// levels name, else those of a design chosen to have no more; 0 leaves each experiment its own.
	Universes        int
	MostReplications int // the most replications of a cell; 0 leaves each experiment its own
}

// Assignment gives a parameter a value.
type Assignment struct {
	Parameter int // index of the model's parameter; 0 where there is none
	Value     model.Value
	Setting   configs.Setting // the setting as written
	Wrong     bool            // there is no such parameter or value, which is reported
}

func isWrong(a Assignment) bool { return a.Wrong }

// Statement is a statement of the paper that no claim judges. It is its own JSON.
type Statement struct {
	Name   string `json:"name"`
	Doc    string `json:"doc"`    // the statement
	Source string `json:"source"` // section or page where the paper makes it
	Why    string `json:"why"`    // why it is not judged
}
