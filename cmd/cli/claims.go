// Command claims: the claims of studies with their verdicts.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/analysis"
	"gridsweep/analysis/report"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

func newClaims(t *terminal) *cobra.Command {
	s := selection{use: results.Rows}
	var failed, strict bool
	var format string
	c := &cobra.Command{
		Use:   "claims [PAPER-or-STUDY...]",
		Short: "List the claims of a study with their verdicts",
		Long: `List the claims of a study with the verdict on each, the reason and the section of the paper, from the runs of
the dataset, and count the verdicts on sentences of the paper, which have one claim or several, on second readings
and on claims of ours. C12 is the 12th claim of the study file, whichever are selected, as on the page. Nothing is
written. Without an argument, the claims of all built-in studies that have a dataset. Give the same flags as to run.
claims.json, which analyze writes, has the evidence too.`,
		Example: `  gridsweep claims coallocation
  gridsweep claims coallocation --failed
  gridsweep claims --format csv > claims.csv`,
		RunE: func(c *cobra.Command, names []string) error {
			if len(names) == 0 {
				if names = t.withDataset(&s); len(names) == 0 {
					return usageErrorf("%s has no dataset of a built-in study; name a study, or the folder of the results with --out",
						s.Root())
				}
			}
			judge := func(ctx context.Context, study *workspace.Study) (*analysis.Result, error) { return study.Result(ctx) }
			shown, lacking, err := t.withRuns(c.Context(), &s, names, judge)
			if err != nil {
				return err
			}
			if err := t.printClaims(shown, failed, format); err != nil {
				return err
			}
			return cmp.Or(lacking, strictError(strict, shown))
		},
	}
	s.addFlags(t, c)
	addStrict(c, &strict)
	c.Flags().BoolVar(&failed, "failed", false, "only the claims that are not reproduced")
	addFormat(c, &format)
	return c
}

// withDataset returns the studies that have a folder of runs, of the built-in ones and those of
// --studies.
func (t *terminal) withDataset(s *selection) []string {
	var names []string
	for _, name := range t.studies.List() {
		if _, err := os.Stat(filepath.Join(s.Root(), path.Base(name))); !errors.Is(err, fs.ErrNotExist) {
			names = append(names, name)
		}
	}
	return names
}

// claimRecord is a claim with its verdict as JSON.
type claimRecord struct {
	Study     string               `json:"study"`
	Number    analysis.ClaimNumber `json:"number"`
	Claim     string               `json:"claim"`
	Statement string               `json:"statement"`
	Section   string               `json:"section"` // of the paper
	Main      bool                 `json:"main"`
	Origin    string               `json:"origin"`
	Sentence  string               `json:"sentence"`
	Verdict   analysis.Verdict     `json:"verdict"`
	// verdict on the published numbers; empty where not all are printed
	Published   string `json:"published"`
	Class       string `json:"reason_class"`
	Reason      string `json:"reason"`
	Holding     int    `json:"comparisons_holding"`
	Comparisons int    `json:"comparisons"`
}

// claimsOf returns the claims of studies in their order, or only those that are not reproduced.
func claimsOf(shown []workspace.StudyResult, failed bool) []claimRecord {
	records := []claimRecord{}
	for _, study := range shown {
		for _, claim := range study.Result.Claims {
			ours := claim.Ours
			if failed && ours.Verdict != analysis.NotReproduced {
				continue
			}
			r := claimRecord{
				Study: study.Plan.Study.Name, Number: claim.Number, Claim: claim.Name, Statement: claim.Doc,
				Section: claim.Source, Main: claim.Main, Origin: string(claim.Origin), Sentence: claim.Sentence,
				Verdict: ours.Verdict, Reason: claim.Why(), Holding: ours.Holding, Comparisons: len(ours.Comparisons),
			}
			if r.Reason == "" && ours.Verdict != analysis.Reproduced {
				r.Reason = ours.Note
			}
			if claim.Reason != nil {
				r.Class = string(claim.Reason.Class)
			}
			if claim.Published != nil {
				r.Published = string(claim.Published.Verdict)
			}
			records = append(records, r)
		}
	}
	return records
}

func (t *terminal) printClaims(shown []workspace.StudyResult, failed bool, format string) error {
	claims := claimsOf(shown, failed)
	rows := [][]string{{
		"study", "number", "claim", "statement", "section", "main", "origin", "sentence", "verdict", "published",
		"reason_class", "reason", "comparisons_holding", "comparisons",
	}}
	for _, r := range claims {
		rows = append(rows, []string{
			r.Study, strconv.Itoa(int(r.Number)), r.Claim, r.Statement, r.Section, strconv.FormatBool(r.Main), r.Origin,
			r.Sentence, string(r.Verdict), r.Published, r.Class, r.Reason, strconv.Itoa(r.Holding),
			strconv.Itoa(r.Comparisons),
		})
	}
	return t.print(format, claims, rows, func() {
		if failed && len(claims) == 0 {
			fmt.Fprintln(t.out, "no claim failed")
		}
		for i, study := range shown {
			ofStudy := claimsOf(shown[i:i+1], failed)
			if len(ofStudy) == 0 {
				continue
			}
			writer := t.titled(study.Plan.Study.Name, "", "claim", "verdict", "comparisons", "reason", "section")
			for _, r := range ofStudy {
				holding := ""
				if r.Comparisons > 0 {
					holding = fmt.Sprintf("%d of %d", r.Holding, r.Comparisons)
				}
				writer.AppendRow(table.Row{r.Number, r.Claim, r.Verdict, holding, r.Reason, r.Section})
			}
			writer.Render()
		}
		for _, study := range shown {
			if counts := report.VerdictsOn(study.Result.Claims).String(); counts != "" && !failed {
				fmt.Fprintf(t.out, "%s: %s\n", study.Plan.Study.Name, counts)
			}
		}
	})
}
