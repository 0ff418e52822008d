// Package brokering is the system of Rodero, Guim, Corbalan, Fong & Sadjadi, "Interoperable Grid
// Scheduling Strategies": domains of clusters whose brokers rank each other and forward jobs. A
// broker is chosen by the information that it publishes about its resources: each of them, or an
// aggregated form. docs/explanation/papers/brokering.md describes what happens in each second.
//
// [Spec] is the study of the paper's sections 6.1 and 6.3, [AggregationSpec] that of section 6.2.
// What the paper leaves open is a parameter whose documentation lists the alternatives.
//
// The flow of a job:
//
//  1. It is drawn with its requirements and arrives at the broker of its user's domain, its origin
//     (draw.go, workload.go; simulation.arrive).
//  2. The origin ranks all brokers: the score of a broker is the rank of its resources that match
//     the job times its priority (system.findCandidates; strategies.go).
//  3. The job is forwarded to the broker with the highest score. A broker that has no resource
//     which could run it hands it back, and the next one is tried (system.attempt).
//  4. That broker starts the job at its best resource that fits it (system.choose). Then the
//     resource has less free, and its broker publishes that (simulation.reserve; information).
//  5. If no resource of that broker fits, the attempt has failed, even if another broker has room.
//     The job waits (retryIndex.Add). Under SLOW it joins the queue of a resource instead, and is
//     not retried (local_scheduler.go). Under REGULAR only resources that fit are ranked: if there
//     is none at any broker, the job waits at its origin.
//  6. When any job ends, each waiting job is retried in the order of arrival: steps 2 to 4 again,
//     perhaps with another broker (simulation.finish, retryIndex.Retry). Under own_as queue each is
//     first tried at its origin alone (retryIndex.RetryAtOrigin).
//  7. Package retry skips the jobs whose attempt would fail, and counts their attempts and
//     conflicts. With broker_queue fcfs a waiting job blocks those behind it (broker_queues.go).
//  8. At the end all jobs are measured (section 5.3; metrics.go, rows.go, samples.go).
//
// To change the rule of a strategy, see strategies.go.
package brokering

import (
	"iter"

	"gridsweep/model"
)

const paper = "I. Rodero, F. Guim, J. Corbalan, L. Fong and S. M. Sadjadi, " +
	"Interoperable Grid Scheduling Strategies, preprint submitted to Elsevier, 2009; " +
	"shorter: Broker selection strategies in interoperable grid systems, " +
	"38th International Conference on Parallel Processing (ICPP), IEEE, 2009, pp. 180–187, " +
	"https://doi.org/10.1109/ICPP.2009.63"

// Spec is the study of independent and interoperable Grids and of the strategies that select
// brokers.
var Spec = model.Spec[Parameters, Outcome]{
	Name:      "brokering",
	Title:     "Interoperable Grid scheduling strategies",
	Paper:     paper,
	Version:   2,
	Defaults:  defaults,
	Validate:  validate,
	Traces:    traces,
	Cost:      cost,
	Canonical: canonical,
	Simulate:  simulate,
}

const (
	hour = 3600 // s
	day  = 24 * hour
)

// defaults are the interoperable scenario of section 6.1 with equal priorities.
var defaults = Parameters{
	Scope: "all", Domains: 3, Copies: "same",
	Strategy: "REGULAR", Preference: "equal", OwnAs: "priority", Ranking: "bal", Factor: 2.5, Rank: "sum",
	Split: "own", Slow: "inverse", BrokerQueue: "first-fit", Local: "easy", LocalNeeds: "all",
	Trace: model.TraceAuto, Skip: 50_000, Load: 0.7,
	SmallJobs: 11_318, MediumJobs: 12_719, BigJobs: 13_283, SmallSpan: 6 * day, MediumSpan: 14 * day, BigSpan: 14 * day,
	SmallLongest: 150 * hour, MediumLongest: 744 * hour, BigLongest: 338 * hour,
	SmallClusters: "Intel/Linux 72,72,64,64,64,64",
	MediumClusters: "Intel/Linux 146,128,79,48; AMD/Linux 128,40,24; " +
		"AMD/AIX 106; PowerPC/AIX 96; AMD/Solaris 94; Intel/AIX 64,32",
	BigClusters: "Intel/Linux 512,512,128,128; AMD/Linux 512,512,128; " +
		"Intel/AIX 512,128; AMD/AIX 384; PowerPC/AIX 128; AMD/Solaris 128",
	ClockMin: 1800, ClockMax: 3000, MemoryPerCPU: 512, DiskPerCPU: 20_000,
	BurstMin: 3, BurstMax: 6, MemoryMix: "128:0.3,256:0.3,512:0.2,1024:0.15,2048:0.05",
	Sample: 12,
}

// Parameters are the strategy and the alternatives for what the paper does not say.
type Parameters struct {
	Scope   string    `name:"scope" range:"all|small|medium|big"`
	_       model.Doc `doc:"which of the domains take part: all, or those of one type, small (DAS-2), medium (Grid5000)"`
	_       model.Doc `doc:"or big (Sharcnet), without the others"`
	Domains int64     `name:"domains" range:"[3,300]" unit:"{domain}"`
	_       model.Doc `doc:"domains of all types together, equally many of each: a multiple of 3 (section 6.3)"`
	Copies  string    `name:"copies" range:"same|seeded"`
	_       model.Doc `doc:"whether the domains of a type are equal: same, they are, as the paper's instances; seeded,"`
	_       model.Doc `doc:"only their sizes and recorded jobs are, and each draws its own jobs and requirements"`

	Strategy    string    `name:"strategy" range:"REGULAR|AGGR_SIMP|AGGR_CAT|SLOW"`
	_           model.Doc `doc:"information of bestBrokerRank on a broker (section 4): each resource; its resources"`
	_           model.Doc `doc:"aggregated by SIMPLE or CATEGORIZED; or the latter and its average bounded slowdown"`
	Preference  string    `name:"preference" range:"none|equal|own"`
	_           model.Doc `doc:"which brokers a job may go to and their priorities (section 6.1): none, its origin alone,"`
	_           model.Doc `doc:"as if each Grid were by itself; equal, all alike; own, all, the origin first"`
	OwnAs       string    `name:"own_as" range:"priority|queue"`
	_           model.Doc `doc:"how own puts the origin first: twice the priority in the ranking, or its jobs first"`
	_           model.Doc `doc:"in its queue"`
	Ranking     string    `name:"ranking" range:"bal|cpu|mem|disk"`
	_           model.Doc `doc:"which characteristic of a resource counts most in its rank (section 6.1); bal: none"`
	Factor      float64   `name:"factor" range:"[0,1000]" unit:"1"`
	_           model.Doc `doc:"factor of that characteristic; two or three in section 6.1"`
	Rank        string    `name:"rank" range:"sum|mean|best"`
	_           model.Doc `doc:"rank of a broker from those of its matching resources: accumulated (Listing 6), their"`
	_           model.Doc `doc:"mean or the best"`
	Split       string    `name:"split" range:"own|each|joint"`
	_           model.Doc `doc:"by what CATEGORIZED splits: a resource's own attribute, each attribute of its computer by"`
	_           model.Doc `doc:"itself, or all three jointly (Listing 4 allows all)"`
	Slow        string    `name:"slow" range:"inverse|lexicographic"`
	_           model.Doc `doc:"how a broker's average bounded slowdown S counts under SLOW: its rank times 1/S, or the"`
	_           model.Doc `doc:"lowest S first"`
	BrokerQueue string    `name:"broker_queue" range:"first-fit|fcfs"`
	_           model.Doc `doc:"whether a job that waits at a broker lets later ones pass or blocks them"`
	Local       string    `name:"local" range:"easy|fcfs"`
	_           model.Doc `doc:"local scheduling of resources, which queue jobs under SLOW only"`
	LocalNeeds  string    `name:"local_needs" range:"all|cpus"`
	_           model.Doc `doc:"what a local scheduler looks at to start a job: CPUs, memory and disk, or CPUs alone"`

	Trace string    `name:"trace"`
	_     model.Doc `doc:"workloads: auto, the traces das2, grid5000 and sharcnet (of the types that take part) where all"`
	_     model.Doc `doc:"are found; files of your own, as das2=FILE,grid5000=FILE,sharcnet=FILE; or model, the site"`
	_     model.Doc `doc:"models of docs/reference/workloads.md"`
	Skip  int64     `name:"skip" range:"[0,1e9]" unit:"{job}"`
	_     model.Doc `doc:"jobs at the beginning of each trace that are left out as warm-up (section 5.2)"`
	Load  float64   `name:"load" range:"[0.001,10]" unit:"1"`
	_     model.Doc `doc:"offered load of each domain, to which run times are scaled: CPU seconds of its jobs / CPUs /"`
	_     model.Doc `doc:"span; the paper changed arrivals and run times by hand and prints no number"`
	Days  float64   `name:"days" range:"[0,1000]" unit:"d" doc:"days after which jobs are left out; 0: none are"`

	SmallJobs  int64         `name:"small_jobs" range:"[1,1e6]" unit:"{job}"`
	_          model.Doc     `doc:"jobs of a small domain (section 5.2); of a trace, the number in its window, or near it"`
	MediumJobs int64         `name:"medium_jobs" range:"[1,1e6]" unit:"{job}" doc:"jobs of a medium domain"`
	BigJobs    int64         `name:"big_jobs" range:"[1,1e6]" unit:"{job}" doc:"jobs of a big domain"`
	SmallSpan  model.Seconds `name:"small_span" range:"[3600,1e8]"`
	_          model.Doc     `doc:"time in which a small domain's two weeks of jobs are submitted; Table 1 has DAS-2 end"`
	_          model.Doc     `doc:"after 151 to 166 h"`
	MediumSpan model.Seconds `name:"medium_span" range:"[3600,1e8]"`
	_          model.Doc     `doc:"time in which a medium domain's jobs are submitted"`
	BigSpan    model.Seconds `name:"big_span" range:"[3600,1e8]" doc:"time in which a big domain's jobs are submitted"`

	SmallLongest  model.Seconds `name:"small_longest" range:"[60,4e9]"`
	_             model.Doc     `doc:"longest run time of a small domain's jobs; the paper changed execution times by"`
	_             model.Doc     `doc:"hand, and none can be above the least workload execution time of the domain in"`
	_             model.Doc     `doc:"Table 1"`
	MediumLongest model.Seconds `name:"medium_longest" range:"[60,4e9]" doc:"longest run time of a medium domain's jobs"`
	BigLongest    model.Seconds `name:"big_longest" range:"[60,4e9]" doc:"longest run time of a big domain's jobs"`

	SmallClusters  string    `name:"small_clusters"`
	_              model.Doc `doc:"CPUs of a small domain's resources by vendor and operating system: 400 together in 6"`
	_              model.Doc `doc:"(section 5.2)"`
	MediumClusters string    `name:"medium_clusters"`
	_              model.Doc `doc:"CPUs of a medium domain's resources: 985 in 12, with the paper's shares of vendors and"`
	_              model.Doc `doc:"systems"`
	BigClusters    string    `name:"big_clusters" doc:"CPUs of a big domain's resources: 3,712 in 12"`
	ClockMin       int64     `name:"clock_min" range:"[1,1e6]" unit:"MHz"`
	_              model.Doc `doc:"lowest clock of a resource; drawn in steps of 100"`
	ClockMax       int64     `name:"clock_max" range:"[1,1e6]" unit:"MHz" doc:"highest clock of a resource"`
	MemoryPerCPU   int64     `name:"memory_per_cpu" range:"[1,1e9]" unit:"MB"`
	_              model.Doc `doc:"memory of a resource for each of its CPUs"`
	DiskPerCPU     int64     `name:"disk_per_cpu" range:"[1,1e9]" unit:"MB" doc:"disk of a resource for each of its CPUs"`
	BurstMin       int64     `name:"burst_min" range:"[1,1000]" unit:"{job}"`
	_              model.Doc `doc:"shortest burst of jobs with one vendor and operating system, uniform up to burst_max"`
	_              model.Doc `doc:"(section 5.2)"`
	BurstMax       int64     `name:"burst_max" range:"[1,1000]" unit:"{job}" doc:"longest burst"`
	MemoryMix      string    `name:"memory_mix" doc:"MB that jobs require for each CPU, each with its share of the jobs"`
	DiskPerHour    float64   `name:"disk_per_hour" range:"[0,1e6]" unit:"1/h"`
	_              model.Doc `doc:"MB of disk that a job requires for each MB of memory and hour, times U(0.5, 1.5); 0:"`
	_              model.Doc `doc:"as many as make the disks as full as memory, since the paper scales resources to both"`
	_              model.Doc `doc:"demands (section 5.2)"`

	Sample int64     `name:"sample" range:"[1,1e5]" unit:"h"`
	_      model.Doc `doc:"interval between samples of the bounded slowdown over time"`
}

// Outcome is the metrics of a run (section 5.3) and its tables.
type Outcome struct {
	Jobs                 int64     `name:"jobs" doc:"jobs submitted, all of which run"`
	Exec                 float64   `name:"exec_time" unit:"h" doc:"workload execution time: last end - first submit"`
	Wait                 float64   `name:"wait" unit:"s" doc:"wait: mean time from submit to start"`
	WaitP95              float64   `name:"wait_p95" unit:"s" doc:"wait: 95th percentile"`
	BSLD                 float64   `name:"bsld"`
	_                    model.Doc `doc:"bounded slowdown: mean of max(1, (run + wait) / max(run, 60 s)) (section 5.3)"`
	BSLDP95              float64   `name:"bsld_p95" doc:"bounded slowdown: 95th percentile"`
	BrokerBSLD           float64   `name:"broker_bsld"`
	_                    model.Doc `doc:"bounded slowdown of the brokers: mean over brokers of the mean over the jobs"`
	_                    model.Doc `doc:"that they ran (Figure 8b)"`
	BrokerBSLDSD         float64   `name:"broker_bsld_sd"`
	_                    model.Doc `doc:"deviation of the brokers' bounded slowdown: standard deviation over brokers that"`
	_                    model.Doc `doc:"ran any (Figure 11)"`
	ClusterBSLD          float64   `name:"cluster_bsld"`
	_                    model.Doc `doc:"bounded slowdown of the clusters: mean over clusters of the mean over the jobs"`
	_                    model.Doc `doc:"that they ran (Figure 10)"`
	ClusterBSLDSD        float64   `name:"cluster_bsld_sd"`
	_                    model.Doc `doc:"deviation of the clusters' bounded slowdown within domains: mean over domains of"`
	_                    model.Doc `doc:"the standard deviation over their clusters that ran any job"`
	Attempts             int64     `name:"attempts" doc:"attempts to place a job"`
	Conflicts            int64     `name:"conflicts"`
	_                    model.Doc `doc:"conflicts: resources right in vendor, system and clock that lack something at an"`
	_                    model.Doc `doc:"attempt"`
	ConflictsCPU         *float64  `name:"conflicts_cpu" unit:"%" doc:"share of the conflicts by CPUs (Table 1)"`
	ConflictsMemory      *float64  `name:"conflicts_mem" unit:"%" doc:"share of the conflicts by memory"`
	ConflictsDisk        *float64  `name:"conflicts_disk" unit:"%" doc:"share of the conflicts by disk"`
	Rescheduled          float64   `name:"rescheduled" unit:"%"`
	_                    model.Doc `doc:"jobs re-scheduled: for which an attempt failed or which a broker handed back"`
	Forwarded            float64   `name:"forwarded" unit:"%" doc:"jobs forwarded: that ran outside their origin"`
	ForwardingEntropy    *float64  `name:"forwarding_entropy"`
	_                    model.Doc `doc:"how evenly forwarded jobs go to domains: entropy of the domains' shares of them"`
	_                    model.Doc `doc:"over its maximum; 1 if all get equally many"`
	ForwardingDistance   *float64  `name:"forwarding_distance"`
	_                    model.Doc `doc:"distance of forwarding: mean difference of the numbers of target and source of a"`
	_                    model.Doc `doc:"forwarded job"`
	Utilisation          float64   `name:"utilisation" unit:"%" doc:"utilisation: mean over domains (Figure 9a)"`
	UtilisationSD        float64   `name:"utilisation_sd" unit:"%"`
	_                    model.Doc `doc:"deviation of utilisation: standard deviation over domains (Figure 9b)"`
	ClusterUtilisation   float64   `name:"cluster_utilisation" unit:"%" doc:"utilisation: mean over clusters"`
	ClusterUtilisationSD float64   `name:"cluster_utilisation_sd" unit:"%"`
	_                    model.Doc `doc:"deviation of utilisation: standard deviation over clusters"`
	UtilisationAll       float64   `name:"utilisation_all" unit:"%"`
	_                    model.Doc `doc:"utilisation of all CPUs: 100 x CPU seconds run / (CPUs x exec_time)"`

	DomainRows      []DomainRow          `table:"domains" doc:"one row for each domain"`
	Clusters        []ClusterRow         `table:"clusters"`
	_               model.Doc            `doc:"one row for each cluster, and after those of a domain one for their mean"`
	Slowdown        []SlowdownRow        `table:"slowdown" doc:"bounded slowdown of domains over time"`
	ClusterSlowdown []ClusterSlowdownRow `table:"cluster-slowdown" doc:"bounded slowdown of clusters over time"`
	Forwarding      []ForwardingRow      `table:"forwarding" doc:"one row for each pair of domains"`
	Arrivals        []ArrivalRow         `table:"arrivals" doc:"arrivals of the first domain of each type"`
	JobRows         iter.Seq[JobRow]     `table:"jobs,optional" doc:"one row for each job"`
}

// DomainRow is the metrics of a domain.
type DomainRow struct {
	Domain          string    `name:"domain" key:"" doc:"name of the domain"`
	Jobs            int64     `name:"jobs" doc:"jobs of its users"`
	Ran             int64     `name:"ran" doc:"jobs that ran there"`
	Sent            int64     `name:"sent" doc:"own jobs that ran elsewhere"`
	Received        int64     `name:"received" doc:"other domains' jobs that ran there"`
	HomeOnly        *float64  `name:"home_only" unit:"%"`
	_               model.Doc `doc:"its users' jobs that no resource of another domain could hold (section 6.1)"`
	Exec            *float64  `name:"exec_time" unit:"h" doc:"last end - first submit of its users' jobs"`
	Wait            *float64  `name:"wait" unit:"s" doc:"wait of its users' jobs, mean"`
	WaitP95         *float64  `name:"wait_p95" unit:"s" doc:"wait of its users' jobs, 95th percentile"`
	BSLD            *float64  `name:"bsld" doc:"bounded slowdown of its users' jobs, mean"`
	BSLDP95         *float64  `name:"bsld_p95" doc:"bounded slowdown of its users' jobs, 95th percentile"`
	BrokerBSLD      *float64  `name:"broker_bsld" doc:"bounded slowdown of the jobs that ran there, mean"`
	ConflictsCPU    *float64  `name:"conflicts_cpu" unit:"%"`
	_               model.Doc `doc:"share of the conflicts of its users' jobs that are by CPUs"`
	ConflictsMemory *float64  `name:"conflicts_mem" unit:"%" doc:"share of these by memory"`
	ConflictsDisk   *float64  `name:"conflicts_disk" unit:"%" doc:"share of these by disk"`
	Rescheduled     *float64  `name:"rescheduled" unit:"%" doc:"its users' jobs re-scheduled"`
	Utilisation     float64   `name:"utilisation" unit:"%"`
	_               model.Doc `doc:"utilisation: 100 x CPU seconds run there / (its CPUs x exec_time of the run)"`
}

// ClusterRow is the metrics of a cluster, or the mean of a domain's clusters.
type ClusterRow struct {
	Domain      string    `name:"domain" key:"" doc:"name of its domain"`
	Cluster     string    `name:"cluster" key:""`
	_           model.Doc `doc:"cluster: its number in the domain, from 1; mean for the plain mean of them"`
	Ran         float64   `name:"ran" doc:"jobs that ran there"`
	Utilisation float64   `name:"utilisation" unit:"%"`
	_           model.Doc `doc:"utilisation: 100 x CPU seconds run there / (its CPUs x exec_time)"`
	BSLD        *float64  `name:"bsld" doc:"bounded slowdown of the jobs that ran there, mean"`
}

// SlowdownRow is the bounded slowdown of a domain at a time (Figure 11).
type SlowdownRow struct {
	Time   int64    `name:"time" key:"" unit:"h" doc:"time: from the beginning of the workloads"`
	Domain string   `name:"domain" key:"" doc:"name of the domain"`
	BSLD   *float64 `name:"bsld" doc:"bounded slowdown: mean over the jobs that it has finished until then"`
}

// ClusterSlowdownRow is the bounded slowdown of a cluster at a time (Figure 10).
type ClusterSlowdownRow struct {
	Time    int64    `name:"time" key:"" unit:"h" doc:"time: from the beginning of the workloads"`
	Domain  string   `name:"domain" key:"" doc:"name of its domain"`
	Cluster string   `name:"cluster" key:"" doc:"cluster: its number in the domain, from 1"`
	BSLD    *float64 `name:"bsld" doc:"bounded slowdown: mean over the jobs that it has finished until then"`
}

// ForwardingRow is how many jobs of a domain another one ran (Figures 6, 12 and 13).
type ForwardingRow struct {
	Source    string `name:"source" key:"" doc:"domain whose users submitted the jobs"`
	Target    string `name:"target" key:"" doc:"domain that ran them"`
	Jobs      int64  `name:"jobs" doc:"jobs: those that ran there, the domain's own included"`
	Forwarded *int64 `name:"forwarded" doc:"jobs forwarded: those that ran there; no value for a domain itself"`
}

// ArrivalRow is the share of a workload that has arrived (Figure 4).
type ArrivalRow struct {
	Domain  string   `name:"domain" key:"" doc:"name of the domain"`
	Passed  int64    `name:"part" key:"" unit:"%" doc:"time, as a share of the span in which its jobs arrive"`
	Arrived *float64 `name:"arrived" unit:"%" doc:"jobs arrived: share of its jobs submitted by that time"`
}

// JobRow is a job of a run.
type JobRow struct {
	Domain    string        `name:"domain" key:"" doc:"name of its origin"`
	Job       int64         `name:"job" key:"" doc:"its number among the origin's jobs, from 1"`
	Submit    model.Seconds `name:"submit" doc:"when it arrived"`
	Run       model.Seconds `name:"run" doc:"run time, and its estimate"`
	Procs     int64         `name:"procs" doc:"CPUs"`
	Memory    int64         `name:"memory" unit:"MB" doc:"memory"`
	Disk      int64         `name:"disk" unit:"MB" doc:"disk"`
	Clock     int64         `name:"clock" unit:"MHz" doc:"least clock"`
	Vendor    string        `name:"vendor" doc:"processor vendor"`
	System    string        `name:"system" doc:"operating system"`
	At        string        `name:"at" doc:"domain that ran it"`
	Cluster   int64         `name:"cluster" doc:"number of the cluster in that domain, from 1"`
	Start     model.Seconds `name:"start" doc:"when it started"`
	Attempts  int64         `name:"attempts" doc:"attempts to place it"`
	Conflicts int64         `name:"conflicts" doc:"conflicts at these"`
}
