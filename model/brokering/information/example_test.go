// The examples of the aggregator and of the service.

package information_test

import (
	"fmt"

	"gridsweep/model/brokering/information"
	"gridsweep/model/brokering/pool"
)

// Two equal computers have one aggregated resource of each category.
func ExampleAggregator() {
	var computers information.Computers
	for range 2 {
		computers.List = append(computers.List, information.Computer{
			information.ComputingSystem(computers.Value(information.CS, "Intel"), 3000, 80, 4),
			information.OperatingSystem(computers.Value(information.OS, "Linux"), 8000, 1600),
			information.FileSystem(computers.Value(information.FS, "/"), 120_000, 96_000),
		})
	}
	var aggregator information.Aggregator
	resources, relationships := aggregator.Aggregate(&computers, information.Own)
	fmt.Println(len(computers.List), len(resources), len(relationships))
	// Output: 2 3 2
}

// The aggregated computers of a domain follow what is free of its clusters.
func ExampleService() {
	platforms := []pool.Platform{{Vendor: "Intel", System: "Linux"}}
	clusters := []information.Cluster{{Clock: 3000, Total: pool.Amount{CPUs: 4, Memory: 8000, Disk: 9000}}}
	config := information.Config{
		Term: func(domain int32, characteristic int, amount float64) float64 { return amount },
	}
	service := information.NewService(config, [][]information.Cluster{clusters}, platforms)
	fmt.Println(service.AggregatedComputers(0, 0).List[0].CPUs)
	service.Update(0, 0, &pool.Amount{CPUs: 1, Memory: 2000, Disk: 9000})
	fmt.Println(service.AggregatedComputers(0, 0).List[0].CPUs)
	// Output:
	// 4
	// 1
}
