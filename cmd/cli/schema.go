package cli

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/docs"
	"gridsweep/model"
	"gridsweep/sweeps"
)

func newSchema(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print a JSON Schema of study files, for editors",
		Long: `Print a JSON Schema (draft 7) of study files. An editor that is given it completes the words of a study, its model's
parameters and their values, says what they mean and marks mistakes as they are typed. gridsweep check
finds more, such as names that no factor or experiment has.

Write it beside your study files and name it in their first line, which most editors follow:

  # yaml-language-server: $schema=study.schema.json`,
		Example: `  gridsweep schema > study.schema.json`,
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			schema, err := studySchema(c.Context(), t.studies, t.models)
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(t.out)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", "  ")
			return encoder.Encode(schema)
		},
	}
}

// studySchema returns the schema of study files with all models and the meaning of every word.
func studySchema(ctx context.Context, studies *configs.Library, models []*model.Model) (*configs.Schema, error) {
	var builtin []*configs.Study
	for _, name := range studies.List() {
		study, err := studies.Load(ctx, name)
		if err != nil {
			return nil, err
		}
		builtin = append(builtin, study)
	}
	schema := studies.Schema(meanings(docs.StudyFiles))
	sweeps.AddModels(schema, models, builtin)
	return schema, nil
}

var pageLink = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)

// meanings reads the tables of the reference of study files, whose first column has the word.
func meanings(page string) configs.Meaning {
	known := map[[2]string]string{}
	var section string
	var head []string // of the table that a line stands in
	for line := range strings.Lines(page) {
		if heading := strings.TrimLeft(line, "#"); heading != line {
			section = strings.TrimSpace(heading)
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i, cell := range cells {
			cells[i] = pageLink.ReplaceAllString(strings.TrimSpace(cell), "$1")
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			head = nil
		case head == nil:
			head = cells
		default:
			known[[2]string{section, strings.Trim(cells[0], "`")}] = explain(head, cells)
		}
	}
	return func(section, word string) string { return known[[2]string{section, word}] }
}

// explain returns what the columns called meaning, type and default say of a word: the last two on a line of their own.
func explain(head, cells []string) string {
	column := func(name string) string {
		if i := slices.Index(head, name); i >= 0 && i < len(cells) {
			return cells[i]
		}
		return ""
	}
	text := column("meaning")
	if kind := column("type"); kind != "" {
		text += "\n" + kind
	}
	switch fallback := column("default"); {
	case fallback == "" || fallback == "none":
	case fallback == "required" || strings.HasPrefix(fallback, "with "):
		text += ", " + fallback
	default:
		text += ", default " + fallback
	}
	return text
}
