// The study brokering-aggregation.

package brokering

import "gridsweep/model"

// AggregationSpec is the study of the aggregation algorithms: the paper's section 6.2 and Figure 7.
var AggregationSpec = model.Spec[AggregationParameters, AggregationOutcome]{
	Name:     "brokering-aggregation",
	Title:    "Scalability of the aggregation of resource data",
	Paper:    paper,
	Version:  1,
	Defaults: aggregationDefaults,
	Validate: func(AggregationParameters) []model.Problem { return nil },
	Cost:     aggregationCost,
	Simulate: simulateAggregation,
}

// aggregationDefaults are those of section 6.2.
var aggregationDefaults = AggregationParameters{
	Computers: 100, Form: "original", Split: "own", Vendors: 6, Clocks: 8, Systems: 8, FileSystems: 1,
}

// AggregationParameters are the computers and the form in which they are described.
type AggregationParameters struct {
	Computers   int64     `name:"computers" range:"[1,1e6]" unit:"{computer}" doc:"computers, drawn in each replication"`
	Form        string    `name:"form" range:"original|simple|categorized"`
	_           model.Doc `doc:"form in which the computers are described: original, each resource (Listing 1); simple or"`
	_           model.Doc `doc:"categorized, aggregated by SIMPLE or CATEGORIZED (Listings 2 and 4)"`
	Split       string    `name:"split" range:"own|each|paired|joint"`
	_           model.Doc `doc:"how CATEGORIZED splits what has one value: own, by how much of the resource itself is"`
	_           model.Doc `doc:"used; each, three times, by CPU load, used memory and used disk of its computer; paired,"`
	_           model.Doc `doc:"as each, but relationships join only resources split by the same one of the three; joint,"`
	_           model.Doc `doc:"by the three together"`
	Vendors     int64     `name:"vendors" range:"[1,100]" unit:"{vendor}"`
	_           model.Doc `doc:"processor vendors among which each computer's is drawn (section 6.2)"`
	Clocks      int64     `name:"clocks" range:"[1,100]" unit:"{clock}" doc:"clocks, from 1,600 MHz in steps of 200"`
	Systems     int64     `name:"systems" range:"[1,100]" unit:"{system}" doc:"operating systems"`
	FileSystems int64     `name:"file_systems" range:"[1,100]" unit:"{file system}"`
	_           model.Doc `doc:"file systems' root paths; the paper gives no number"`
}

// AggregationOutcome is the size and accuracy of the description of the computers.
type AggregationOutcome struct {
	Resources     int64     `name:"resources" doc:"resources: those that describe the computers (Figure 7a)"`
	Relationships int64     `name:"relationships" doc:"relationships: those between the resources (Figure 7b)"`
	Bytes         int64     `name:"bytes" unit:"B" doc:"size: bytes of the text form (Figure 7c)"`
	BytesEach     float64   `name:"bytes_each" unit:"B"`
	_             model.Doc `doc:"size for each: bytes of the text form over resources and relationships"`
	Inaccuracy    float64   `name:"inaccuracy" unit:"%"`
	_             model.Doc `doc:"inaccuracy: ours; difference in percentage points of the used share of a resource's"`
	_             model.Doc `doc:"CPUs, memory or disk and that of its aggregated resource, mean over resources"`
}

// aggregationCost is in microseconds on the machine of docs/explanation/performance.md, roughly.
// The text of the original form takes most.
func aggregationCost(p AggregationParameters) float64 {
	if p.Form == "original" {
		return float64(10 + 3*p.Computers)
	}
	return float64(100 + p.Computers)
}
