// Scenarios: systems with their schedules worked out by hand.

package brokering

// scenarios are systems small enough to be worked out by hand. A cluster is a line of its domain,
// clock, CPUs, memory, disk and, if that is not Intel/Linux, its platform; domains are in the order
// in which they appear. A job is a line of its domain, submit, run time, CPUs, memory, disk and, if
// they are not Intel/Linux and 1, its platform and clock. The expected outcome of a job is its
// resource and start, the attempts, their conflicts by CPUs, memory and disk, and whether it was
// re-scheduled.
var scenarios = []struct {
	name, set            string // parameters with other values than the default
	clusters, jobs, want string
}{
	// Ranks. Alone, a resource of the largest clock, CPUs, memory and disk has 4.
	{
		"the broker with the higher rank gets the job", "",
		`home 1000 4 4 4
		 away 2000 4 4 4`,
		`home 0 10 1 1 1`,
		`home.1 away/1 at 0, 1 attempt, 0/0/0`,
	}, {
		"the sum of two ranks of 3.5 is above one of 4", "rank=sum",
		`home 1000 4 4 4
		 home 1000 4 4 4
		 away 2000 4 4 4`,
		`away 0 10 1 1 1`,
		`away.1 home/1 at 0, 1 attempt, 0/0/0`,
	}, {
		"the mean of two ranks of 3.5 is below one of 4", "rank=mean",
		`home 1000 4 4 4
		 home 1000 4 4 4
		 away 2000 4 4 4`,
		`home 0 10 1 1 1`,
		`home.1 away/1 at 0, 1 attempt, 0/0/0`,
	}, {
		"the best of two ranks of 3.5 is below one of 4", "rank=best",
		`home 1000 4 4 4
		 home 1000 4 4 4
		 away 2000 4 4 4`,
		`home 0 10 1 1 1`,
		`home.1 away/1 at 0, 1 attempt, 0/0/0`,
	}, {
		"ranking mem: 2.5 of memory is above 2 of the clock", "ranking=mem",
		`home 1000 4 8 4
		 away 2000 4 4 4`,
		`away 0 10 1 1 1`,
		`away.1 home/1 at 0, 1 attempt, 0/0/0`,
	}, {
		"ranking disk: twice the disk is above twice the clock", "ranking=disk",
		`home 1000 4 4 8
		 away 2000 4 4 4`,
		`away 0 10 1 1 1`,
		`away.1 home/1 at 0, 1 attempt, 0/0/0`,
	}, {
		"ranking cpu: twice the CPUs is above twice the clock", "ranking=cpu",
		`home 1000 8 4 4
		 away 2000 4 4 4`,
		`away 0 10 1 1 1`,
		`away.1 home/1 at 0, 1 attempt, 0/0/0`,
	}, {
		"of equal scores the origin's comes first, else that of the first domain", "",
		`one   1000 1 1 1
		 two   1000 1 1 1
		 three 1000 1 1 1 AMD/AIX`,
		`three 0 10 1 1 1
		 two  20 10 1 1 1`,
		`three.1 one/1 at 0, 1 attempt, 0/0/0
		 two.1 two/1 at 20, 1 attempt, 0/0/0`,
	}, {
		"the origin's priority of 2: 2 · 3.5 is above one rank of 4", "preference=own",
		`home 1000 4 4 4
		 away 2000 4 4 4`,
		`home 0 10 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0`,
	}, {
		"the origin's priority of 2: 2 · 3.5 is below two ranks of 4", "preference=own",
		`home 1000 4 4 4
		 away 2000 4 4 4
		 away 2000 4 4 4`,
		`home 0 10 1 1 1`,
		`home.1 away/1 at 0, 1 attempt, 0/0/0`,
	}, {
		"without forwarding a job waits while another domain has room", "preference=none",
		`home 1000 1 1 1
		 away 2000 1 1 1`,
		`home 0 10 1 1 1
		 home 0  5 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 10, 2 attempts, 1/0/0, re-scheduled`,
	},

	// What aggregation hides. The averages of away are 2.5 of 4 CPUs and 4.5 of 8 MB of memory.
	{
		"a job is handed back: one resource has 4 CPUs, the other 8 MB", "strategy=AGGR_SIMP",
		`home  100 4 8 8
		 away 1000 4 1 8
		 away 1000 1 8 8`,
		`home 0 10 4 8 8`,
		`home.1 home/1 at 0, 1 attempt, 1/1/0, re-scheduled`,
	}, {
		"a waiting job is forwarded when another broker gets a higher score", "strategy=AGGR_SIMP",
		`home 1000 4 8 8
		 away 1000 4 8 8
		 away 1000 1 8 8`,
		`home 0  5 4 1 1
		 away 0 10 1 8 1
		 away 0  3 2 8 1`,
		`home.1 home/1 at 0, 1 attempt, 1/0/0
		 away.1 away/1 at 0, 1 attempt, 1/0/0
		 away.2 home/1 at 5, 2 attempts, 3/2/0, re-scheduled`,
	}, {
		"a waiting job stays at its origin, whose score with priority 2 is higher",
		"strategy=AGGR_SIMP preference=own",
		`home 1000 4 8 8
		 away 1000 4 8 8
		 away 1000 1 8 8`,
		`home 0  5 4 1 1
		 away 0 10 1 8 1
		 away 0  3 2 8 1`,
		`home.1 home/1 at 0, 1 attempt, 1/0/0
		 away.1 away/1 at 0, 1 attempt, 1/0/0
		 away.2 away/1 at 10, 3 attempts, 4/2/0, re-scheduled`,
	}, {
		"under REGULAR a waiting job goes where a resource fits it", "preference=own",
		`home 1000 4 8 8
		 away 1000 4 8 8
		 away 1000 1 8 8`,
		`home 0  5 4 1 1
		 away 0 10 1 8 1
		 away 0  3 2 8 1`,
		`home.1 home/1 at 0, 1 attempt, 1/0/0
		 away.1 away/1 at 0, 1 attempt, 1/0/0
		 away.2 home/1 at 5, 2 attempts, 3/2/0, re-scheduled`,
	}, {
		"of two equal jobs the later one starts, since a job between them changes the maxima", "strategy=AGGR_SIMP",
		`home 1000 4 16 4
		 home 1000 8  1 4
		 away 1000 2  8 4`,
		`home 0 200 3 2 0
		 home 0  10 8 1 0
		 away 0  10 2 8 0
		 away 0   2 1 1 0
		 away 1   5 2 8 0
		 home 2 100 8 1 0
		 away 3   5 2 8 0`,
		`home.1 home/1 at 0, 1 attempt, 1/1/0
		 home.2 home/2 at 0, 1 attempt, 2/0/0
		 away.1 away/1 at 0, 1 attempt, 2/0/0
		 away.2 home/1 at 0, 1 attempt, 2/0/0
		 away.3 away/1 at 15, 4 attempts, 9/1/0, re-scheduled
		 home.3 home/2 at 10, 2 attempts, 5/0/0, re-scheduled
		 away.4 away/1 at 10, 2 attempts, 5/0/0, re-scheduled`,
	}, {
		"a job goes where the maximum of disk suffices, one that needs less disk waits elsewhere", "strategy=AGGR_SIMP",
		`home 2000 4 16 9
		 home 2000 8  1 1
		 away 1000 2  8 4`,
		`home  0 200 3 2 7
		 away  0  10 2 8 4
		 away  1   5 2 8 1
		 away 11  10 2 8 3
		 away 12   5 2 8 3`,
		`home.1 home/1 at 0, 1 attempt, 1/1/0
		 away.1 away/1 at 0, 1 attempt, 1/1/0
		 away.2 home/1 at 200, 5 attempts, 5/5/0, re-scheduled
		 away.3 away/1 at 11, 1 attempt, 1/1/0
		 away.4 away/1 at 21, 2 attempts, 3/2/0, re-scheduled`,
	},

	// SLOW. The job that waits 60 s makes the mean bounded slowdown of home 1.5.
	{
		"priority 1/S: a rank of 4 counts less at home, which is slower, but more than 1", "strategy=SLOW",
		`home 1000 1 1 1
		 away 1000 1 1 1`,
		`home   0 60 1 1 1
		 home   0 60 1 1 1
		 home   0 60 1 1 1
		 home 200 60 1 1 1
		 home 200 60 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 away/1 at 0, 1 attempt, 0/0/0
		 home.3 home/1 at 60, 1 attempt, 0/0/0
		 home.4 away/1 at 200, 1 attempt, 0/0/0
		 home.5 home/1 at 200, 1 attempt, 0/0/0`,
	}, {
		"slow lexicographic: the lowest S comes first, whatever the rank", "strategy=SLOW slow=lexicographic",
		`home 1000 1 1 1
		 away 1000 1 1 1`,
		`home   0 60 1 1 1
		 home   0 60 1 1 1
		 home   0 60 1 1 1
		 home 200 60 1 1 1
		 home 200 60 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 away/1 at 0, 1 attempt, 0/0/0
		 home.3 home/1 at 60, 1 attempt, 0/0/0
		 home.4 away/1 at 200, 1 attempt, 0/0/0
		 home.5 away/1 at 260, 1 attempt, 0/0/0`,
	}, {
		"a job joins the shortest local queue, of equal ones that of the resource with the higher rank",
		"strategy=SLOW",
		`home 1000 1 1 1
		 home 2000 1 1 1`,
		`home 0 100 1 1 1
		 home 0 100 1 1 1
		 home 0  10 1 1 1
		 home 0  10 1 1 1`,
		`home.1 home/2 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 0, 1 attempt, 0/0/0
		 home.3 home/2 at 100, 1 attempt, 0/0/0
		 home.4 home/1 at 100, 1 attempt, 0/0/0`,
	}, {
		"backfilling and the pivot's memory: job 3 ends in time, job 4 would not, job 5 needs none", "strategy=SLOW",
		`home 1000 8 8 8`,
		`home 0  100 1 4 1
		 home 1   10 1 8 1
		 home 1   99 1 2 1
		 home 1  100 1 2 1
		 home 1 1000 1 0 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 100, 1 attempt, 0/0/0
		 home.3 home/1 at 1, 1 attempt, 0/0/0
		 home.4 home/1 at 110, 1 attempt, 0/0/0
		 home.5 home/1 at 1, 1 attempt, 0/0/0`,
	}, {
		"backfilling and the pivot's disk: job 3 ends in time, job 4 would not, job 5 needs none", "strategy=SLOW",
		`home 1000 8 8 8`,
		`home 0  100 1 1 4
		 home 1   10 1 1 8
		 home 1   99 1 1 2
		 home 1  100 1 1 2
		 home 1 1000 1 1 0`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 100, 1 attempt, 0/0/0
		 home.3 home/1 at 1, 1 attempt, 0/0/0
		 home.4 home/1 at 110, 1 attempt, 0/0/0
		 home.5 home/1 at 1, 1 attempt, 0/0/0`,
	}, {
		"backfilling on the CPU that the pivot leaves over: one job, not two", "strategy=SLOW",
		`home 1000 4 8 8`,
		`home 0  100 2 1 1
		 home 1   10 3 1 1
		 home 1 1000 1 1 1
		 home 1 1000 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 100, 1 attempt, 0/0/0
		 home.3 home/1 at 1, 1 attempt, 0/0/0
		 home.4 home/1 at 110, 1 attempt, 0/0/0`,
	}, {
		"backfilling past a pivot that lacks CPUs: job 3 lacks memory, job 4 starts", "strategy=SLOW",
		`home 1000 4 8 8`,
		`home 0 100 3 6 1
		 home 1  10 2 1 1
		 home 1   9 1 4 1
		 home 1   9 1 2 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 100, 1 attempt, 0/0/0
		 home.3 home/1 at 100, 1 attempt, 0/0/0
		 home.4 home/1 at 1, 1 attempt, 0/0/0`,
	}, {
		"local fcfs: no job passes the first one of the queue", "strategy=SLOW local=fcfs",
		`home 1000 8 8 8`,
		`home 0 100 1 4 1
		 home 0  50 1 1 1
		 home 1  10 1 8 1
		 home 1   9 1 2 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 0, 1 attempt, 0/0/0
		 home.3 home/1 at 100, 1 attempt, 0/0/0
		 home.4 home/1 at 110, 1 attempt, 0/0/0`,
	}, {
		"local_needs cpus: memory and disk do not limit jobs", "strategy=SLOW local_needs=cpus",
		`home 1000 2 8 8`,
		`home 0 100 1 8 8
		 home 1  10 1 8 8
		 home 1  10 1 8 8`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 1, 1 attempt, 0/0/0
		 home.3 home/1 at 11, 1 attempt, 0/0/0`,
	},

	// Queues of brokers.
	{
		"broker_queue first-fit: a later job passes one that waits", "",
		`home 1000 4 8 8`,
		`home 0 100 3 1 1
		 home 1  10 2 1 1
		 home 1  10 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 100, 3 attempts, 2/0/0, re-scheduled
		 home.3 home/1 at 1, 1 attempt, 0/0/0`,
	}, {
		"broker_queue fcfs: a later job waits behind one that waits, and is not tried", "broker_queue=fcfs",
		`home 1000 4 8 8`,
		`home 0 100 3 1 1
		 home 1  10 2 1 1
		 home 1  10 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 home.2 home/1 at 100, 2 attempts, 1/0/0, re-scheduled
		 home.3 home/1 at 100, 1 attempt, 0/0/0`,
	}, {
		"broker_queue fcfs: a failed job blocks the broker where it waits, not its origin",
		"broker_queue=fcfs strategy=AGGR_SIMP",
		`home  100 1 1 1 AMD/AIX
		 away 1000 4 8 8
		 away 1000 1 8 8`,
		`away 0 10 1 8 1
		 home 1  3 2 8 1
		 away 2  3 1 1 1
		 home 3  3 1 1 1`,
		`away.1 away/1 at 0, 1 attempt, 0/0/0
		 home.1 away/1 at 10, 3 attempts, 3/2/0, re-scheduled
		 away.2 away/2 at 10, 1 attempt, 0/1/0
		 home.2 away/2 at 3, 1 attempt, 0/1/0`,
	}, {
		"broker_queue fcfs: of jobs that wait at two brokers the first to arrive is tried first", "broker_queue=fcfs",
		`home 1000 1 1 1
		 away 1000 1 1 1 AMD/AIX`,
		`home 0 100 1 1 1
		 away 1  10 1 1 1
		 home 2  10 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 away.1 home/1 at 100, 2 attempts, 1/0/0, re-scheduled
		 home.2 home/1 at 110, 3 attempts, 2/0/0, re-scheduled`,
	}, {
		"own_as priority: jobs of the broker's own domain wait in the order of arrival", "preference=own",
		`home 1000 1 1 1
		 away 1000 1 1 1 AMD/AIX`,
		`home 0 100 1 1 1
		 away 1  10 1 1 1
		 home 2  10 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 away.1 home/1 at 100, 2 attempts, 1/0/0, re-scheduled
		 home.2 home/1 at 110, 3 attempts, 2/0/0, re-scheduled`,
	}, {
		"own_as queue: jobs of the broker's own domain come first in its queue, without an attempt",
		"preference=own own_as=queue",
		`home 1000 1 1 1
		 away 1000 1 1 1 AMD/AIX`,
		`home 0 100 1 1 1
		 away 1  10 1 1 1
		 home 2  10 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 away.1 home/1 at 110, 3 attempts, 2/0/0, re-scheduled
		 home.2 home/1 at 100, 1 attempt, 1/0/0, re-scheduled`,
	}, {
		"own_as queue: jobs of the own domain come first in the queues of local schedulers",
		"strategy=SLOW preference=own own_as=queue",
		`home 1000 1 1 1
		 away 1000 1 1 1 AMD/AIX`,
		`home 0 100 1 1 1
		 away 1  10 1 1 1
		 home 2  10 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 away.1 home/1 at 110, 1 attempt, 0/0/0
		 home.2 home/1 at 100, 1 attempt, 0/0/0`,
	}, {
		"own_as queue: the pivot is the first job of the local queue, of the own domain",
		"strategy=SLOW preference=own own_as=queue",
		`home 1000 2 9 9
		 away 1000 1 1 1 AMD/AIX`,
		`home 0 100 1 1 1
		 away 1  10 2 1 1
		 home 2  10 2 1 1
		 away 3  97 1 1 1
		 away 3  98 1 1 1`,
		`home.1 home/1 at 0, 1 attempt, 0/0/0
		 away.1 home/1 at 110, 1 attempt, 0/0/0
		 home.2 home/1 at 100, 1 attempt, 0/0/0
		 away.2 home/1 at 3, 1 attempt, 0/0/0
		 away.3 home/1 at 120, 1 attempt, 0/0/0`,
	},

	// Conflicts. Vendor, system and clock have to be right, and only the first thing that is
	// lacking counts.
	{
		"conflicts are by CPUs, else memory, else disk, with resources of the right platform and clock", "",
		`home 2000 2 2 2
		 home 2000 4 1 1
		 home 2000 4 4 1
		 home 1000 9 9 9
		 home 2000 9 9 9 AMD/AIX
		 away 2000 4 4 4`,
		`away 0 10 4 4 4 Intel/Linux 2000
		 away 5 10 4 4 4 Intel/Linux 2000`,
		`away.1 away/1 at 0, 1 attempt, 1/1/1
		 away.2 away/1 at 10, 2 attempts, 3/2/2, re-scheduled`,
	}, {
		"conflicts under SLOW are with what resources have in total", "strategy=SLOW",
		`home 2000 2 2 2
		 home 2000 4 1 1
		 away 2000 4 4 4`,
		`away 0 10 4 4 4
		 away 5 10 4 4 4 Intel/Linux 2000`,
		`away.1 away/1 at 0, 1 attempt, 1/1/0
		 away.2 away/1 at 10, 1 attempt, 1/1/0`,
	},
}
