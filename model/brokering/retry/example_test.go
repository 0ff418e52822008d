// The examples of the index.

package retry_test

import (
	"fmt"
	"slices"

	"gridsweep/model/brokering/information"
	"gridsweep/model/brokering/pool"
	"gridsweep/model/brokering/retry"
)

// Three jobs wait for a resource of 4 CPUs. When 3 of them become free, the job that needs 4 is not
// tried; of those that need 2 the first one starts.
func ExampleIndex() {
	resources := pool.Pool{
		Resources:     [][]pool.Resource{{{Clock: 2000}}},
		Totals:        [][]pool.Amount{{{CPUs: 4}}},
		FirstResource: [][]int32{{0, 1}},
	}
	resource := &resources.Resources[0][0]
	needs := []int64{4, 2, 2}
	requirement := func(job int32) pool.Requirement {
		return pool.Requirement{Clock: 1000, Needs: pool.Amount{CPUs: needs[job]}}
	}
	tallies := make([]pool.Tally, len(needs))
	index := retry.New(retry.Config{Pool: &resources, Tallies: tallies, Cancelled: func() bool { return false }})
	for job := range int32(len(needs)) {
		r := requirement(job)
		index.Add(job, r, pool.CountConflicts(resources.Resources[0], &r))
	}
	change := func(cpus int64) {
		resource.Free.CPUs += cpus
		index.Update(pool.Position{})
	}
	change(3)
	index.Retry(func(job int32) (started bool, score float64) {
		fmt.Println("try job", job)
		r := requirement(job)
		if !resource.Fits(&r) {
			return false, 0
		}
		index.Remove(job)
		change(-needs[job])
		return true, 0
	})
	fmt.Println("job 1:", tallies[1].Attempts, "attempt,", tallies[1].Conflicts[pool.LacksCPUs], "conflicts")
	// Output:
	// try job 1
	// job 1: 1 attempt, 0 conflicts
}

// The example of a split in the package comment. Broker 0 is A, with two clusters, and broker 1 is
// B; jobs 0 and 1 need 10 and 30 MB of disk.
func ExampleIndex_split() {
	total := pool.Amount{CPUs: 4, Disk: 100}
	resources := pool.Pool{
		Resources: [][]pool.Resource{{
			{Clock: 2000, Free: pool.Amount{CPUs: 0, Disk: 20}},
			{Clock: 2000, Free: pool.Amount{CPUs: 4, Disk: 5}},
			{Clock: 2000, Free: pool.Amount{CPUs: 0, Disk: 40}},
		}},
		Totals:        [][]pool.Amount{{total, total, total}},
		FirstResource: [][]int32{{0, 2, 3}},
	}
	cluster := information.Cluster{Clock: 2000, Total: total}
	service := information.NewService(information.Config{
		Split: information.Whole, MaxPriority: 1,
		Term: func(broker int32, _ int, _ float64) float64 { return float64(2 - broker) },
	}, [][]information.Cluster{{cluster, cluster}, {cluster}}, []pool.Platform{{Vendor: "Intel", System: "Linux"}})
	index := retry.New(retry.Config{
		Pool: &resources, Tallies: make([]pool.Tally, 2), Cancelled: func() bool { return false },
		Information: service, Score: func(_, _ int32, ranks *pool.Ranks) float64 { return ranks.Best },
	})
	publish := func(broker, cluster int32) {
		at := resources.FirstResource[0][broker] + cluster
		service.Update(broker, cluster, &resources.Resources[0][at].Free)
		index.Update(pool.Position{Domain: broker, Index: at})
	}
	publish(0, 0)
	publish(0, 1)
	publish(1, 0)
	requirements := []pool.Requirement{
		{Clock: 1000, Needs: pool.Amount{CPUs: 2, Disk: 10}}, {Clock: 1000, Needs: pool.Amount{CPUs: 2, Disk: 30}},
	}
	for job := range requirements {
		index.Add(int32(job), requirements[job], pool.CountConflicts(resources.Resources[0], &requirements[job]))
	}
	resources.Resources[0][2].Free.CPUs = 4
	publish(1, 0)
	attempt := func(job int32) (started bool, score float64) {
		r := &requirements[job]
		for broker, name := range []string{"A", "B"} { // A has the higher score
			computer := &service.AggregatedComputers(int32(broker), 0).List[0]
			if !computer.Matches(r) {
				continue
			}
			started := slices.ContainsFunc(resources.Of(0, int32(broker)), func(c pool.Resource) bool { return c.Fits(r) })
			fmt.Printf("job %d at %s, starts: %t\n", job, name, started)
			if started {
				index.Remove(job)
			}
			return started, computer.Rank
		}
		return false, 0
	}
	index.Retry(attempt)
	fmt.Println("splits:", index.Stats().Splits)
	index.Retry(attempt)
	// Output:
	// job 0 at A, starts: false
	// job 1 at B, starts: true
	// splits: 1
}
