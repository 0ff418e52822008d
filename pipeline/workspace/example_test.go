// Example: a built-in study with fewer requests is run, analysed and reported.

package workspace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gridsweep/configs"
	"gridsweep/model/studies"
	"gridsweep/pipeline"
	"gridsweep/pipeline/workspace"
)

// Example prints the sizes of the study and the path of its page.
func Example() {
	out, err := os.MkdirTemp("", "out")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(out)
	if err := reproduce(context.Background(), out); err != nil {
		fmt.Println(err)
	}
	// Output:
	// coallocation: 3660 runs, 80 claims
	// quick/coallocation/report.html
}

func reproduce(ctx context.Context, out string) error {
	w := workspace.Workspace{
		Studies: configs.Builtin(), Models: studies.All(), Program: workspace.ThisProgram("my-program"),
	}
	selection := workspace.Selection{Out: out, Quick: true, Set: []string{"requests=20"}}
	opened, err := w.Open(ctx, selection, []string{"coallocation"})
	if err != nil {
		return err
	}
	var shown []workspace.StudyResult
	for _, study := range opened {
		summary, err := study.Run(ctx, study.Plan.Runs, pipeline.Options{})
		if err != nil {
			return err
		}
		result, err := study.Analyze(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("coallocation: %d runs, %d claims\n", summary.Finished, len(result.Claims))
		shown = append(shown, workspace.StudyResult{Study: study, Result: result})
	}
	pages, err := w.Report(ctx, shown)
	if err != nil {
		return err
	}
	page, err := filepath.Rel(out, pages[0])
	fmt.Println(filepath.ToSlash(page))
	return err
}
