package cli

// The flags that choose runs of a plan: --shard, --plan and --id.

import (
	"os"

	"github.com/spf13/cobra"

	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

// portion says which runs of each plan are run and which plan is accepted: the flags --shard,
// --plan and --id.
type portion struct{ workspace.Portion }

func (p *portion) addFlags(c *cobra.Command) {
	p.Lookup = os.LookupEnv
	flags := c.Flags()
	flags.StringVar(&p.Shard, "shard", "",
		"run the `i/n`-th part of the plan; as env or env/n, the variables of a cluster's scheduler say which")
	flags.StringVar(&p.Plan, "plan", "",
		"refuse to run unless the plan has this `CHECKSUM` (see gridsweep plan), or is that of this "+
			"file of gridsweep submit, which also divides it into shards")
	flags.StringArrayVar(&p.IDs, "id", nil,
		"run only the run with this `ID`, of whichever of the studies (may be repeated)")
}

// runs returns the runs of the portion, by study. The error is of the flags, or says that a plan is
// another.
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
