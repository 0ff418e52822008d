package cli

import (
	"slices"
	"testing"

	"gridsweep/configs"
	"gridsweep/model/workload"
)

// The clusters of the catalogue are those of the models that stand in for its traces.
func TestSitesHaveTheClustersOfTheCatalogue(t *testing.T) {
	for name, text := range map[string]string{
		"das2": workload.DAS2Sizes, "grid5000": workload.Grid5000Sizes, "auvergrid": workload.AuverGridSizes,
		"sharcnet": workload.SHARCNETSizes, "ctc-sp2": workload.CTCSizes,
	} {
		trace, err := configs.Traces().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := workload.ParseSizes(text)
		if err != nil {
			t.Fatal(err)
		}
		var sizes []int
		for _, size := range parsed {
			sizes = append(sizes, int(size))
		}
		if !slices.Equal(sizes, trace.Clusters) {
			t.Errorf("%s has the clusters %v in the catalogue, %v in its model", name, trace.Clusters, sizes)
		}
	}
}
