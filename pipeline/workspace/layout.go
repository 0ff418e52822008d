// The files and folders of a workspace, and names that studies cannot have.

package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/analysis/report"
	"gridsweep/configs"
	"gridsweep/results"
)

// Folders beside those of studies and papers, in the folder of all results; that of submissions
// is in quickFolder too.
const (
	quickFolder     = "quick"
	submittedFolder = "submitted"
)

// Files and folders in the folder of a study or paper, beside its dataset and page.
const (
	recordFile    = "plan.json"
	cellsFile     = "cells.parquet"
	claimsFile    = "claims.json"
	figuresFile   = "figures.json"
	shownFile     = "shown.json" // which files of tables and figures were written
	tablesFolder  = results.TablesFolder
	figuresFolder = results.FiguresFolder
	entryFile     = "report.json" // the page's entry in the index
)

// reservedNames are the names of all these files and folders, which no study or paper can have.
var reservedNames = slices.Concat(results.Folders(), []string{
	quickFolder, submittedFolder, report.IndexFile, report.PageFile, report.AssumptionsFile,
	report.StatisticsFile, recordFile, cellsFile, claimsFile, figuresFile, shownFile, tablesFolder, figuresFolder,
	entryFile,
})

// Files and folders in the folder of a submission, beside the scripts.
const (
	planFile   = "plan.json" // the plan file, see pipeline.Submission
	logsFolder = "logs"
)

// RecordFile is the file with the cells of the plans that were run, see pipeline.RecordPlan.
func (s *Study) RecordFile() string { return filepath.Join(s.Dir, recordFile) }

// Running is the folder of the heartbeats of the processes that run the study.
func (s *Study) Running() string { return filepath.Join(s.Dir, results.RunningFolder) }

// submissionFile returns the plan file of a submission of the name to a cluster.
func (s Selection) submissionFile(name string) string {
	return filepath.Join(s.Root(), submittedFolder, name, planFile)
}

// IsReserved reports whether a study or paper cannot have the name, since a file or folder of a
// workspace has it. Names that differ in case are the same on some file systems.
func IsReserved(name string) bool {
	return slices.ContainsFunc(reservedNames, func(reserved string) bool { return strings.EqualFold(reserved, name) })
}

// addReserved reports a study or paper of a reserved name.
func (n Named) addReserved(problems *configs.Problems) {
	add := func(name configs.Text, word string) {
		if IsReserved(name.Value) {
			n.Config.Report(problems, name.Pos, word,
				"%q is the name of a file or folder that gridsweep writes beside its results; "+
					"give the %s another", name.Value, word)
		}
	}
	add(n.Config.Name, "study")
	if n.Config.Paper != n.Config.Name {
		add(n.Config.Paper, "paper")
	}
}

// checkFolders returns an error if a file has the name of a study's folder or of a folder that is
// in the folder of every study. Folders are created when they are written to.
func checkFolders(dir string) error {
	for _, name := range slices.Concat([]string{"."}, results.Folders(), []string{tablesFolder, figuresFolder}) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a file where a folder has to be; move it away, or name another folder with --out", path)
		}
	}
	return nil
}
