// The plan file of an array job: how the plans of its studies are cut into shards.

package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// Submission is the plan file of a cluster's array job: how the plans of some studies are cut into
// shards, and what must be equal in every task so that the shards fit together. The file never
// changes.
type Submission struct {
	Format  int              `json:"format"`
	Program string           `json:"program"` // the program that made the plans and must run them
	Shards  int              `json:"shards"`
	Tasks   int              `json:"tasks"` // tasks, each of one or more consecutive shards
	Studies []SubmittedStudy `json:"studies"`
}

// SubmittedStudy is the plan of one study. Shard i, from 0, is its runs [Cuts[i], Cuts[i+1]).
type SubmittedStudy struct {
	Study   string   `json:"study"`
	Plan    string   `json:"plan"` // checksum of the plan, see sweeps.Plan.Checksum
	Model   string   `json:"model"`
	Version int      `json:"model_version"`
	Seed    int64    `json:"seed"`
	Traces  []string `json:"traces"` // see sweeps.Plan.Traces
	Cuts    []int    `json:"cuts"`   // Shards + 1 of them
}

// submissionFormat is raised when plan files of an earlier program can no longer be read.
const submissionFormat = 1

// NewSubmission cuts plans into that many shards of about equal work, and these into at most
// mostTasks tasks. work is the predicted work of each run of each plan, 0 for a run that is not to
// be executed. Each shard without work is joined with a neighbour, so that no task starts for
// nothing; each run stays in one shard. It returns nil where no run has work. program identifies
// the program.
func NewSubmission(program string, plans []*sweeps.Plan, work [][]float64, shards, mostTasks int) *Submission {
	s := &Submission{Format: submissionFormat, Program: program}
	for i, plan := range plans {
		s.Studies = append(s.Studies, submitted(plan, sweeps.Cuts(work[i], shards)))
	}
	hasWork := func(w float64) bool { return w > 0 }
	kept := []int{0} // indices of the cuts that stay
	for shard := range shards {
		for i, study := range s.Studies {
			if slices.ContainsFunc(work[i][study.Cuts[shard]:study.Cuts[shard+1]], hasWork) {
				kept = append(kept, shard+1)
				break
			}
		}
	}
	if s.Shards = len(kept) - 1; s.Shards == 0 {
		return nil
	}
	kept[s.Shards] = shards // the last shard gets those without work after it
	for i, study := range s.Studies {
		s.Studies[i].Cuts = make([]int, len(kept))
		for shard, cut := range kept {
			s.Studies[i].Cuts[shard] = study.Cuts[cut]
		}
	}
	s.Tasks = min(s.Shards, mostTasks)
	return s
}

func submitted(plan *sweeps.Plan, cuts []int) SubmittedStudy {
	return SubmittedStudy{
		Study: plan.Study.Name, Plan: plan.Checksum(), Model: plan.Model.Name, Version: plan.Model.Version,
		Seed: plan.Seed, Traces: append([]string{}, plan.Traces()...), Cuts: cuts,
	}
}

// Encode returns the text of the plan file and the name of its folder: the first digits of the
// text's SHA-256, by which ReadSubmission verifies it.
func (s *Submission) Encode() (text []byte, name string) {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // numbers and strings always marshal
	}
	text = append(text, '\n')
	return text, submissionName(text)
}

func submissionName(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// ReadSubmission reads a plan file and verifies it by the name of its folder. The error names the
// file and what is wrong with it.
func ReadSubmission(path string) (*Submission, error) {
	text, err := results.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the plan of a submission: %w", err)
	}
	if name := submissionName(text); filepath.Base(filepath.Dir(path)) != name {
		return nil, fmt.Errorf("%s is damaged or moved: its bytes belong into a folder %s; submit again", path, name)
	}
	var s Submission
	if err = json.Unmarshal(text, &s); err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no plan file of a submission: %w; submit again", path, err)
	}
	return &s, nil
}

// check returns an error if the submission is malformed.
func (s *Submission) check() error {
	switch {
	case s.Format != submissionFormat:
		return fmt.Errorf("its format is %d, not %d", s.Format, submissionFormat)
	case s.Tasks < 1 || s.Tasks > s.Shards:
		return fmt.Errorf("%d tasks cannot share %d shards", s.Tasks, s.Shards)
	case len(s.Studies) == 0:
		return errors.New("it names no study")
	}
	for _, study := range s.Studies {
		if len(study.Cuts) != s.Shards+1 || study.Cuts[0] != 0 || !slices.IsSorted(study.Cuts) {
			return fmt.Errorf("the cuts of %s are not those of %d shards", study.Study, s.Shards)
		}
	}
	return nil
}

// Task returns the shards [from, to) of a task of the array. Shards and tasks count from 0.
func (s *Submission) Task(task int) (from, to int) {
	return task * s.Shards / s.Tasks, (task + 1) * s.Shards / s.Tasks
}

// Runs returns the runs of the shards [from, to) of a plan. The error says what has changed in the
// plan or the program since the submission.
func (s *Submission) Runs(plan *sweeps.Plan, program string, from, to int) ([]sweeps.Run, error) {
	name := plan.Study.Name
	i := slices.IndexFunc(s.Studies, func(study SubmittedStudy) bool { return study.Study == name })
	if i < 0 {
		return nil, fmt.Errorf("study %s was not submitted", name)
	}
	then := s.Studies[i]
	if changes := s.changes(then, submitted(plan, then.Cuts), program); len(changes) > 0 {
		return nil, fmt.Errorf("%s is not what was submitted: %s; submit again", name, strings.Join(changes, "; "))
	}
	if then.Cuts[s.Shards] != len(plan.Runs) {
		return nil, fmt.Errorf("%s has %d runs, the shards that were submitted %d; submit again",
			name, len(plan.Runs), then.Cuts[s.Shards])
	}
	return plan.Runs[then.Cuts[from]:then.Cuts[to]], nil
}

// changes lists the differences between the submission and the plan and program now. It lists the
// plan's checksum only if there is no other difference.
func (s *Submission) changes(then, now SubmittedStudy, program string) []string {
	var changes []string
	differs := func(what string, then, now any) {
		if fmt.Sprint(then) != fmt.Sprint(now) {
			changes = append(changes, fmt.Sprintf("%s was %v and is %v", what, then, now))
		}
	}
	differs("the program", s.Program, program)
	differs("the model", then.Model, now.Model)
	differs("the model's version", then.Version, now.Version)
	differs("the seed", then.Seed, now.Seed)
	differs("the "+model.TraceParameter, strings.Join(then.Traces, " and "), strings.Join(now.Traces, " and "))
	if len(changes) == 0 {
		differs("the plan's checksum", then.Plan, now.Plan)
	}
	return changes
}
