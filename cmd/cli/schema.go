// Command schema: the JSON Schema of study files.

package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"gridsweep/docs"
	"gridsweep/sweeps"
)

func newSchema(t *terminal) *cobra.Command {
	c := &cobra.Command{
		Use:   "schema",
		Short: "Print a JSON Schema of study files, for editors",
		Long: `Print a JSON Schema (draft 7) of study files. With it an editor completes the keys of a study, its model's
parameters and their values, explains them and marks mistakes as they are typed. gridsweep check finds more,
such as names that no factor or experiment has.

Write the schema beside your study files and name it in their first line, which most editors follow:

  # yaml-language-server: $schema=study.schema.json`,
		Example: `  gridsweep schema > study.schema.json
  gridsweep schema --studies configs > study.schema.json`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			schema, err := sweeps.Schema(c.Context(), t.studies, t.models, docs.Meanings(docs.StudyFiles))
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(t.out)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", "  ")
			return encoder.Encode(schema)
		},
	}
	t.addStudies(c, new(string))
	return c
}
