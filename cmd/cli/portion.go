package cli

// The flags that choose runs of a plan: --shard, --plan and --id.

import (
	"os"

	"github.com/spf13/cobra"

	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

// portion is the flags that select runs of each plan (--shard, --id) and that require a plan
// (--plan).
type portion struct{ workspace.Portion }

func (p *portion) addFlags(c *cobra.Command) {
	p.Lookup = os.LookupEnv
	flags := c.Flags()
	flags.StringVar(&p.Shard, "shard", "",
		"run the `i/n`-th shard of the plan; env or env/n takes i from the variables of a cluster's scheduler")
	flags.StringVar(&p.Plan, "plan", "",
		"fail unless the plan has this `CHECKSUM` (see gridsweep plan) or is that of this file of "+
			"gridsweep submit, which also defines the shards")
	flags.StringArrayVar(&p.IDs, "id", nil,
		"run only the run with this `ID`, in any of the studies (may be repeated)")
}

// runs returns the runs of the portion, by study. The error is of the flags or names a plan that
// differs.
func (t *terminal) runs(p workspace.Portion, studies []*workspace.Study) ([][]sweeps.Run, error) {
	identity := ""
	if p.OfSubmission() {
		var err error
		if identity, err = t.program().Identity(); err != nil {
			return nil, err
		}
	}
	chosen, err := p.Runs(studies, identity)
	if err != nil {
		return nil, usageError(err)
	}
	return chosen, nil
}
