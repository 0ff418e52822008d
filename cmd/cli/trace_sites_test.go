// The clusters in the catalogue of traces equal those of the workload models of the sites.

package cli

import (
	"slices"
	"testing"

	"gridsweep/configs"
	"gridsweep/model/workload"
)

// The sizes of clusters in the catalogue equal those of the workload models of the same sites.
func TestSitesHaveTheClustersOfTheCatalogue(t *testing.T) {
	for _, site := range workload.Sites() {
		trace, err := configs.Traces().Find(site.Name)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := workload.ParseSizes(site.Sizes)
		if err != nil {
			t.Fatal(err)
		}
		var sizes []int
		for _, size := range parsed {
			sizes = append(sizes, int(size))
		}
		if !slices.Equal(sizes, trace.Clusters) {
			t.Errorf("%s has the clusters %v in the catalogue, %v in its model", site.Name, trace.Clusters, sizes)
		}
	}
}
