// Package intergrid is the system of de Assunção & Buyya, "A Cost-Aware Resource Exchange Mechanism
// for Load Management across Grids": Grids whose gateways redirect requests to each other where
// that is cheaper than serving them.
//
// All decisions of a gateway follow from one number, the unit cost of a request, which depends on
// the booked load, the load that the request adds and the prices of the CPUs on offer.
// docs/explanation/papers/intergrid.md describes the order of events.
//
// [Spec] is the study. Where the paper leaves a choice open, a parameter has the alternative
// assumptions.
package intergrid

import (
	"iter"
	"slices"

	"gridsweep/model"
	"gridsweep/model/profile"
)

// Spec is the study of the paper's section 5.
var Spec = model.Spec[Parameters, Outcome]{
	Name:  "intergrid",
	Title: "Cost-aware resource exchange between Grids",
	Paper: "M. Dias de Assunção and R. Buyya, A Cost-Aware Resource Exchange Mechanism for Load Management across " +
		"Grids, 14th International Conference on Parallel and Distributed Systems (ICPADS), IEEE, 2008, pp. 213–220, " +
		"ISBN 978-0-7695-3434-3",
	Version:   1,
	Defaults:  defaults,
	Validate:  validate,
	Traces:    func(Parameters) []string { return siteNames[:] },
	Cost:      cost,
	Canonical: canonical,
	Simulate:  simulate,
}

const (
	hour = 3600
	day  = 24 * hour
)

// defaults are those of Table 1, with contracts of a fixed price at L = 0.99.
var defaults = Parameters{
	Contracts: true, Level: 0.99, K: 0, Beta: 0.1,
	PriceLoad: "local", PriceOf: "seller", Update: day, Trigger: "price", Horizon: "latest", Slots: "all",
	Interval: 60, Queue: "all", Negotiation: "instant",
	DeadlineShare: 0.3, Stringency: 5,
	Trace: model.TraceAuto, Months: 4, DAS2Month: 9, AuverGridMonth: 5, Grid5000Month: 17, WorkloadSeed: "study",
	Warmup:        7 * day,
	DAS2Dedicated: "64,64,64", DAS2OnOff: "144,64",
	AuverGridDedicated: "112,84,38", AuverGridOnOff: "186,55",
	Grid5000Dedicated: "128,112,106,96,94,64,48", Grid5000OnOff: "216,114,96,80,64,40,32,22",
	OnMin: 24 * hour, OnMax: 72 * hour, OffMin: 12 * hour, OffMax: 48 * hour,
	OnShareMin: 0.5, OnShareMax: 1, OffShareMin: 0.2, OffShareMax: 0.5, CostMin: 0.9, CostMax: 1,
}

// Parameters are the contracts, those of Table 1, and the assumptions where the paper leaves a
// choice open.
type Parameters struct {
	Contracts bool      `name:"contracts"`
	_         model.Doc `doc:"whether the Grids have contracts with each other, all-to-all (Figure 3); without them each"`
	_         model.Doc `doc:"serves its own requests"`
	Level     float64   `name:"level" range:"[0,1]" unit:"1" symbol:"L"`
	_         model.Doc `doc:"load threshold: the load at which the unit cost of the seller is the maximum price of a"`
	_         model.Doc `doc:"contract (section 4.1)"`
	K         float64   `name:"k" range:"[0,1]" unit:"1" symbol:"k"`
	_         model.Doc `doc:"load whose removal from L makes the price range of a contract (Equation 3); 0 is a fixed"`
	_         model.Doc `doc:"price, the paper has 0.01 to 0.2"`
	Beta      float64   `name:"beta" range:"[0.001,100]" unit:"1" symbol:"β"`
	_         model.Doc `doc:"how steep the cost curve is (section 4); the paper prints no value, only a small constant"`

	PriceLoad   string        `name:"price_load" range:"local|offered|none"`
	_           model.Doc     `doc:"load in a provider's price, cost + cost x load (section 5.1): local, what its own"`
	_           model.Doc     `doc:"users have, 1 - the share offered; offered, the load of Table 1 by the letter, the"`
	_           model.Doc     `doc:"share offered; none, price = cost"`
	PriceOf     string        `name:"price_of" range:"seller|buyer"`
	_           model.Doc     `doc:"whose unit cost at load L is the maximum price of a contract: the seller's, who"`
	_           model.Doc     `doc:"serves, or the buyer's, who redirects"`
	Update      model.Seconds `name:"update" range:"[60,1e9]"`
	_           model.Doc     `doc:"every how many seconds the prices in contracts are updated, which is also their"`
	_           model.Doc     `doc:"horizon (section 4)"`
	Trigger     string        `name:"trigger" range:"price|price-and-threshold"`
	_           model.Doc     `doc:"what lets a gateway offer a request: a unit cost above the minimum price (step 1 of"`
	_           model.Doc     `doc:"section 4.2), or also a load above L"`
	Horizon     string        `name:"horizon" range:"latest|finish"`
	_           model.Doc     `doc:"virtual deadline of a best-effort request: latest, the latest start, when dedicated"`
	_           model.Doc     `doc:"providers that can hold it have no booking left, plus its run time (section 4.2);"`
	_           model.Doc     `doc:"finish, the end of its earliest slot"`
	Slots       string        `name:"slots" range:"all|current"`
	_           model.Doc     `doc:"free time slots of on-off providers that a gateway holds: of all intervals to come,"`
	_           model.Doc     `doc:"or of the current one"`
	Interval    model.Seconds `name:"interval" range:"[1,1e6]"`
	_           model.Doc     `doc:"every how many seconds gateways work off their queues, a time interval in section 4.2"`
	Queue       string        `name:"queue" range:"all|above"`
	_           model.Doc     `doc:"what waits for the end of the interval: all requests (section 4.2), or only those"`
	_           model.Doc     `doc:"whose unit cost is above a minimum price, the others being booked as they arrive"`
	_           model.Doc     `doc:"(section 2)"`
	Negotiation string        `name:"negotiation" range:"instant|tick"`
	_           model.Doc     `doc:"when an answer comes: within the instant, or each message one interval after the one"`
	_           model.Doc     `doc:"that it answers"`

	DeadlineShare float64   `name:"deadline_share" range:"[0,1]" unit:"1"`
	_             model.Doc `doc:"share of the requests that have a deadline, drawn once per replication (Table 1)"`
	Stringency    float64   `name:"stringency" range:"[1,1000]" unit:"1"`
	_             model.Doc `doc:"stringency factor: a deadline is the submit plus this times the time that the request"`
	_             model.Doc `doc:"takes in the base run, with backfilling and without contracts (Table 1)"`

	Trace          string        `name:"trace"`
	_              model.Doc     `doc:"workloads: auto, the traces das2, auvergrid and grid5000 where all are found;"`
	_              model.Doc     `doc:"files of your own, as das2=FILE,auvergrid=FILE,grid5000=FILE; or model, the site"`
	_              model.Doc     `doc:"models of docs/reference/workloads.md"`
	Months         float64       `name:"months" range:"[0.01,24]" unit:"mo"`
	_              model.Doc     `doc:"months of each workload, each a twelfth of a year"`
	DAS2Month      int64         `name:"das2_month" range:"[1,1200]" unit:"{month}"`
	_              model.Doc     `doc:"first month that is taken of the trace das2, from 1"`
	AuverGridMonth int64         `name:"auvergrid_month" range:"[1,1200]" unit:"{month}"`
	_              model.Doc     `doc:"first month that is taken of the trace auvergrid, from 1"`
	Grid5000Month  int64         `name:"grid5000_month" range:"[1,1200]" unit:"{month}"`
	_              model.Doc     `doc:"first month that is taken of the trace grid5000, from 1"`
	WorkloadSeed   string        `name:"workload_seed" range:"study|round"`
	_              model.Doc     `doc:"seed of a site model's requests: study, the same in all replications, as those of"`
	_              model.Doc     `doc:"a trace; round, drawn anew in each"`
	Warmup         model.Seconds `name:"warmup" range:"[0,1e8]"`
	_              model.Doc     `doc:"warm-up: requests submitted and CPUs used before this second are left out of every"`
	_              model.Doc     `doc:"metric (the first week, section 5.1)"`

	DAS2Dedicated      string    `name:"das2_dedicated"`
	_                  model.Doc `doc:"CPUs of DAS-2's dedicated providers, with commas between: 192 together (Table 1)"`
	DAS2OnOff          string    `name:"das2_on_off" doc:"CPUs of DAS-2's on-off providers, with commas between"`
	AuverGridDedicated string    `name:"auvergrid_dedicated"`
	_                  model.Doc `doc:"CPUs of AuverGrid's dedicated providers, with commas between: 234 together (Table"`
	_                  model.Doc `doc:"1)"`
	AuverGridOnOff     string    `name:"auvergrid_on_off" doc:"CPUs of AuverGrid's on-off providers, with commas between"`
	Grid5000Dedicated  string    `name:"grid5000_dedicated"`
	_                  model.Doc `doc:"CPUs of Grid'5000's dedicated providers, with commas between: 648 together (Table"`
	_                  model.Doc `doc:"1)"`
	Grid5000OnOff      string    `name:"grid5000_on_off"`
	_                  model.Doc `doc:"CPUs of Grid'5000's on-off providers, with commas between; by default all 15"`
	_                  model.Doc `doc:"clusters have 1,312 CPUs, which the paper's Table 2 implies"`

	OnMin       model.Seconds `name:"on_min" range:"[1,1e7]"`
	_           model.Doc     `doc:"shortest ON interval of an on-off provider, off-peak, uniform up to on_max (Table 1)"`
	OnMax       model.Seconds `name:"on_max" range:"[1,1e7]" doc:"longest ON interval"`
	OffMin      model.Seconds `name:"off_min" range:"[1,1e7]"`
	_           model.Doc     `doc:"shortest OFF interval, peak, uniform up to off_max (Table 1)"`
	OffMax      model.Seconds `name:"off_max" range:"[1,1e7]" doc:"longest OFF interval"`
	OnShareMin  float64       `name:"on_share_min" range:"[0,1]" unit:"1"`
	_           model.Doc     `doc:"least share of its CPUs that a provider offers in an ON interval, uniform up to"`
	_           model.Doc     `doc:"on_share_max (Table 1, where it is called load)"`
	OnShareMax  float64       `name:"on_share_max" range:"[0,1]" unit:"1" doc:"largest share in an ON interval"`
	OffShareMin float64       `name:"off_share_min" range:"[0,1]" unit:"1"`
	_           model.Doc     `doc:"least share in an OFF interval, uniform up to off_share_max (Table 1)"`
	OffShareMax float64       `name:"off_share_max" range:"[0,1]" unit:"1" doc:"largest share in an OFF interval"`
	CostMin     float64       `name:"cost_min" range:"[0.001,1000]" unit:"{cost}/(CPU s)"`
	_           model.Doc     `doc:"least cost of a CPU second at a provider, uniform up to cost_max, drawn once per"`
	_           model.Doc     `doc:"replication (Table 1)"`
	CostMax     float64       `name:"cost_max" range:"[0.001,1000]" unit:"{cost}/(CPU s)"`
	_           model.Doc     `doc:"largest cost of a CPU second"`
}

// Outcome is what a run reports. Requests count that are submitted after the warm-up, CPUs in the
// time from then to the last arrival.
type Outcome struct {
	Messages       int64     `name:"messages" doc:"messages that gateways send each other after the warm-up"`
	Served         int64     `name:"served" doc:"requests served: those that got a booking"`
	Rejected       int64     `name:"rejected" doc:"requests rejected: with a deadline that no slot can meet"`
	Redirected     *float64  `name:"redirected" unit:"%"`
	_              model.Doc `doc:"load redirected: 100 x CPU seconds of requests that run at another Grid / CPU seconds"`
	_              model.Doc `doc:"of all requests"`
	RedirectedJobs int64     `name:"redirected_requests" doc:"requests redirected"`
	Utilisation    *float64  `name:"utilisation" unit:"%"`
	_              model.Doc `doc:"utilisation: 100 x CPU seconds run / CPU seconds offered, all Grids together"`
	Imbalance      *float64  `name:"imbalance" unit:"%"`
	_              model.Doc `doc:"load imbalance: utilisation of the most used Grid less that of the least used one"`
	DailyImbalance *float64  `name:"daily_imbalance" unit:"%"`
	_              model.Doc `doc:"load imbalance, day by day: the mean over days of the day's utilisation of the most"`
	_              model.Doc `doc:"used Grid less that of the least used one"`
	Paid           float64   `name:"paid" doc:"paid under contracts, in the unit of a provider's cost"`

	Grids          []GridRow            `table:"grids" doc:"one row for each Grid"`
	Contracts      []ContractRow        `table:"contracts" doc:"one row for each contract; none without contracts"`
	MessagesByName []MessageRow         `table:"messages" doc:"messages after the warm-up by name"`
	Days           []DayRow             `table:"days" doc:"one row for each Grid and day"`
	Requests       iter.Seq[RequestRow] `table:"requests,optional"`
	_              model.Doc            `doc:"one row for each request submitted after the warm-up"`
}

// GridRow has the metrics of a Grid.
type GridRow struct {
	Grid             string    `name:"grid" key:"" doc:"name of the Grid"`
	Requests         int64     `name:"requests" doc:"requests of its own users"`
	DeadlineRequests int64     `name:"deadline_requests" doc:"own requests with a deadline"`
	Served           int64     `name:"served" doc:"own requests served: those that got a booking, here or elsewhere"`
	Rejected         int64     `name:"rejected" doc:"own requests rejected: with a deadline that no slot can meet"`
	Waiting          int64     `name:"waiting" doc:"own requests still in the queue at the end"`
	Dropped          int64     `name:"dropped" doc:"own requests larger than every provider of all Grids, never submitted"`
	RedirectedJobs   int64     `name:"redirected_requests" doc:"own requests redirected"`
	HostedJobs       int64     `name:"hosted_requests" doc:"other Grids' requests that run here"`
	Redirected       *float64  `name:"redirected" unit:"%"`
	_                model.Doc `doc:"load redirected: 100 x CPU seconds of own requests that run elsewhere / CPU seconds"`
	_                model.Doc `doc:"of own requests"`
	Hosted           *float64  `name:"hosted" unit:"%"`
	_                model.Doc `doc:"load taken in: 100 x CPU seconds of other Grids' requests that run here / CPU"`
	_                model.Doc `doc:"seconds of own requests"`
	BothWays         *float64  `name:"both_ways" unit:"%"`
	_                model.Doc `doc:"load both ways: 100 x CPU seconds redirected or taken in on a day, whichever are"`
	_                model.Doc `doc:"fewer, summed over days / CPU seconds of own requests"`
	Utilisation      *float64  `name:"utilisation" unit:"%"`
	_                model.Doc `doc:"utilisation: 100 x CPU seconds run here, own and others' / CPU seconds offered"`
	UtilisationAll   *float64  `name:"utilisation_all" unit:"%"`
	_                model.Doc `doc:"utilisation of all CPUs: 100 x CPU seconds run here / CPU seconds of all CPUs,"`
	_                model.Doc `doc:"offered or not"`
	Load             *float64  `name:"load" unit:"%"`
	_                model.Doc `doc:"offered load: 100 x CPU seconds of own requests / CPU seconds offered"`
	Offered          *float64  `name:"offered" doc:"CPUs offered, mean over time"`
	Price            *float64  `name:"price"`
	_                model.Doc `doc:"price of a CPU second: the mean over providers and time, by CPU seconds offered"`
	_                model.Doc `doc:"(Equation 1)"`
	Wait             *float64  `name:"wait" unit:"s"`
	_                model.Doc `doc:"wait: mean time from submit to the start of the booking of own requests served"`
	Earned           float64   `name:"earned" doc:"earned for other Grids' requests, in the unit of a provider's cost"`
	Spent            float64   `name:"spent" doc:"spent on own requests redirected"`
}

// ContractRow has the metrics of a contract.
type ContractRow struct {
	Buyer      string    `name:"buyer" key:"" doc:"Grid whose requests are redirected"`
	Seller     string    `name:"seller" key:"" doc:"Grid that runs them"`
	Offered    int64     `name:"offered" doc:"requests offered; one that is offered again counts again"`
	Accepted   int64     `name:"accepted" doc:"requests accepted at the minimum price"`
	Taken      int64     `name:"counter_taken" doc:"requests redirected at a counter-offer's price"`
	Refused    int64     `name:"counter_refused" doc:"requests whose counter-offer was refused"`
	Rejected   int64     `name:"rejected" doc:"requests that the seller rejected"`
	Redirected *float64  `name:"redirected" unit:"%"`
	_          model.Doc `doc:"load redirected: 100 x CPU seconds of requests redirected / CPU seconds of the buyer's"`
	_          model.Doc `doc:"requests"`
	Paid       float64   `name:"paid" doc:"paid by the buyer, in the unit of a provider's cost"`
	Price      *float64  `name:"price" doc:"price paid for a CPU second, mean"`
	PriceMin   *float64  `name:"price_min"`
	_          model.Doc `doc:"minimum price of a CPU second: mean over the periods between updates in which the Grid"`
	_          model.Doc `doc:"that sets it offers CPUs"`
	PriceMax   *float64  `name:"price_max" doc:"maximum price of a CPU second: mean over the same periods"`
}

// MessageRow counts the messages of a name.
type MessageRow struct {
	Name  string `name:"kind" key:"" doc:"name of the message"`
	Count int64  `name:"count" doc:"messages sent"`
}

// DayRow is a Grid on a day.
type DayRow struct {
	Grid        string    `name:"grid" key:"" doc:"name of the Grid"`
	Day         int64     `name:"day" key:"" doc:"day of the workload, from 0"`
	Price       *float64  `name:"price" doc:"price of a CPU second (Equation 1)"`
	Utilisation *float64  `name:"utilisation" unit:"%" doc:"utilisation: 100 x CPU seconds run here / CPU seconds offered"`
	Redirected  *float64  `name:"redirected" unit:"%"`
	_           model.Doc `doc:"load redirected: 100 x CPU seconds of own requests that run elsewhere / CPU seconds of"`
	_           model.Doc `doc:"own requests"`
	Hosted      float64   `name:"hosted"`
	_           model.Doc `doc:"CPUs that other Grids' requests submitted on this day would use if they took the day to"`
	_           model.Doc `doc:"run: their CPU seconds / 86,400"`
}

// RequestRow is a request of a run.
type RequestRow struct {
	Grid     string         `name:"grid" key:"" doc:"name of its Grid"`
	Request  int64          `name:"request" key:"" doc:"number among its Grid's requests, from 1"`
	Submit   model.Seconds  `name:"submit" doc:"when it arrived"`
	Procs    int64          `name:"procs" doc:"CPUs"`
	Run      model.Seconds  `name:"run" doc:"run time, and its estimate"`
	Deadline *model.Seconds `name:"deadline" doc:"by when it must end, if it has a deadline"`
	At       string         `name:"at" doc:"Grid that runs it; empty if none does"`
	Provider int64          `name:"provider"`
	_        model.Doc      `doc:"number of the provider in that Grid, dedicated ones first, from 1; 0 if none runs it"`
	Start    *model.Seconds `name:"start" doc:"start of its booking, if it has one"`
	Price    *float64       `name:"price" doc:"price paid for a CPU second, if it was redirected"`
}

// validate reports parameters that contradict each other and clusters that cannot be simulated.
func validate(p Parameters) []model.Problem {
	var problems model.Problems
	report := problems.Report
	if p.K > p.Level {
		report("k", "%v is more than level %v: a load below 0 has no cost", p.K, p.Level)
	}
	if span := span(p); int64(p.Warmup) >= span {
		report("warmup", "%s leaves nothing of months %v: take less than %s", p.Warmup, p.Months, model.Seconds(span))
	}
	for _, r := range []struct {
		low, high string
		ok        bool
	}{
		{"on_min", "on_max", p.OnMin <= p.OnMax},
		{"off_min", "off_max", p.OffMin <= p.OffMax},
		{"on_share_min", "on_share_max", p.OnShareMin <= p.OnShareMax},
		{"off_share_min", "off_share_max", p.OffShareMin <= p.OffShareMax},
		{"cost_min", "cost_max", p.CostMin <= p.CostMax},
	} {
		if !r.ok {
			report(r.low, "it is above %s: take at most that", r.high)
		}
	}
	onOff := 0 // providers
	for i, sizes := range providerSizes(p) {
		for k, field := range [2]string{"dedicated", "on_off"} {
			cpus, err := parseSizes(sizes[k])
			if err != nil {
				report(siteNames[i]+"_"+field, "%v", err)
			} else if len(cpus) > 0 && slices.Max(cpus) > profile.MostProcs {
				report(siteNames[i]+"_"+field, "a provider of %d CPUs: take at most %d", slices.Max(cpus), profile.MostProcs)
			}
			if k == 1 {
				onOff += len(cpus)
			}
		}
		if sizes[0] == "" && sizes[1] == "" {
			report(siteNames[i]+"_dedicated", "the Grid %s has no provider: name one here or in %s_on_off",
				gridNames[i], siteNames[i])
		}
	}
	if n := expectedIntervals(p, onOff); n > mostIntervals {
		report("on_max", "%d on-off providers would have %.3g ON and OFF intervals together, want at most %d: "+
			"take longer ones, shorter workloads or fewer providers", onOff, n, mostIntervals)
	}
	return problems
}

// canonical returns the parameters with defaults in place of those that have no effect. Without
// contracts a unit cost decides nothing: a request is booked at its earliest slot.
func canonical(p Parameters) Parameters {
	if !p.Contracts {
		p.Level, p.K, p.Beta = defaults.Level, defaults.K, defaults.Beta
		p.PriceOf, p.Update, p.Trigger = defaults.PriceOf, defaults.Update, defaults.Trigger
		p.Horizon, p.Negotiation = defaults.Horizon, defaults.Negotiation
	}
	if p.DeadlineShare == 0 {
		p.Stringency = defaults.Stringency
	}
	return p
}

// cost is in microseconds on the machine of docs/explanation/performance.md, roughly.
func cost(p Parameters) float64 {
	const requestsPerMonth = 124_000 // of the three site models
	perRequest := 0.7
	switch {
	case !p.Contracts:
		perRequest = 0.4
	case p.Slots == "current": // large requests wait
		perRequest = 1
	}
	return p.Months * requestsPerMonth * perRequest
}
