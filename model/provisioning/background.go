// Background: the cluster with the jobs of the log and their reservations, without the workflow.

package provisioning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/profile"
	"gridsweep/model/workload"
)

// siteConfig returns the machine of the background and the best-effort jobs.
func siteConfig(p *Parameters) cluster.Config {
	policy, err := cluster.ParsePolicy("conservative:fixed")
	if err != nil {
		panic("provisioning: " + err.Error())
	}
	config := cluster.Config{Procs: int32(p.Nodes), Policy: policy}
	if p.Numbering == "booked" {
		config.Placement = cluster.Fixed
	}
	return config
}

// background is the cluster without the workflow: all background jobs with their reservations. It
// is the same in all replications, which share it: callers must not change it. Times are in s, from
// second 0 of the log.
type background struct {
	point       Parameters      // those of backgroundParameters
	jobs        []backgroundJob // in the order of their submits
	processors  []profile.Set   // of each job, under numbering booked; else nil
	last        int64           // submit of the log's last job
	longest     int64           // longest time from a job's submit to the end of its reservation
	utilisation float64         // %; 0 where the log is one second
}

// backgroundJob is a job with its reservation.
type backgroundJob struct {
	submit, run, start int64 // s
	procs              int32
}

// backgroundParameters returns those parameters on which the background depends; the others are
// zero.
func backgroundParameters(p Parameters) Parameters {
	return Parameters{
		Nodes: p.Nodes, Trace: p.Trace, Begin: p.Begin, Window: p.Window, Copy: p.Copy, CopyDelay: p.CopyDelay,
		Overestimate: p.Overestimate, ReleaseTail: p.ReleaseTail, Numbering: p.Numbering,
	}
}

// loadBackground returns the background of a run. Its errors are those of the trace and of ctx.
func loadBackground(ctx context.Context, p Parameters, env model.Env) (*background, error) {
	return model.Memo(ctx, env.Common(), backgroundParameters(p), newBackground)
}

// newBackground reads the background jobs and books them all.
func newBackground(ctx context.Context, p Parameters, env model.Env) (*background, error) {
	recorded, err := workload.Window{
		Site: log, Trace: p.Trace, Seed: env.Seed.Child("background"), Whole: true,
		From: int64(p.Begin), Span: int64(p.Window), Parameters: "begin or window",
	}.Read(ctx, env)
	if err != nil {
		return nil, err
	}
	jobs := recorded.Jobs
	b := &background{point: p, jobs: p.submitted(jobs, env), last: jobs[len(jobs)-1].Submit}
	if err := b.simulate(ctx); err != nil {
		return nil, err
	}
	work := int64(0)
	for i := range b.jobs {
		j := &b.jobs[i]
		b.longest = max(b.longest, b.reservedUntil(j)-j.submit)
		work += int64(j.procs) * max(0, min(j.start+j.run, b.last)-j.start)
	}
	if b.last > 0 {
		b.utilisation = 100 * float64(work) / (float64(p.Nodes) * float64(b.last))
	}
	return b, nil
}

// submitted returns the jobs of the log and of its second copy that the machine can run, in the
// order of their submits, of one second the first copy's first. Whether a job is in the second copy
// depends on no other job and no machine.
func (p *Parameters) submitted(recorded []workload.Job, env model.Env) []backgroundJob {
	variates := env.Seed.Stream("copy")
	var first, second []backgroundJob
	for _, r := range recorded {
		again := variates.Float64() < p.Copy
		if int64(r.Procs) > p.Nodes {
			continue
		}
		j := backgroundJob{submit: r.Submit, run: r.Run, procs: r.Procs}
		first = append(first, j)
		if again {
			j.submit += int64(p.CopyDelay)
			second = append(second, j)
		}
	}
	jobs := slices.Concat(first, second)
	slices.SortStableFunc(jobs, func(a, b backgroundJob) int { return cmp.Compare(a.submit, b.submit) })
	return jobs
}

// estimate returns the estimate of a job with a run time.
func (p *Parameters) estimate(run int64) int64 {
	return int64(min(math.Ceil(float64(run)*(100+p.Overestimate)/100), workload.LongestRun))
}

// job returns the job as the machine schedules it: it runs as long as its reservation is held.
func (p *Parameters) job(j *backgroundJob) cluster.Job {
	job := cluster.Job{Submit: j.submit, Run: j.run, Estimate: p.estimate(j.run), Procs: j.procs}
	if !p.ReleaseTail {
		job.Run = job.Estimate
	}
	return job
}

// reservedUntil returns the end of a job's reservation as it is booked.
func (b *background) reservedUntil(j *backgroundJob) int64 { return j.start + b.point.estimate(j.run) }

// simulate books all jobs.
func (b *background) simulate(ctx context.Context) error {
	site, err := cluster.New(siteConfig(&b.point))
	if err != nil {
		return err
	}
	for next, seconds := 0, 0; next < len(b.jobs); seconds++ {
		if model.Cancelled(ctx, seconds) {
			return ctx.Err()
		}
		now := min(site.Next(), b.jobs[next].submit)
		site.Finish(now)
		first := next
		if next, err = b.submit(site, 0, now, next); err != nil {
			return err
		}
		site.Pass(now)
		for number := first; number < next; number++ {
			b.jobs[number].start = site.Booked(number)
			if set := site.Processors(number); set != nil {
				b.processors = append(b.processors, slices.Clone(set))
			}
		}
	}
	return nil
}

// submit submits the jobs of second now to a machine whose second 0 is second begin of the log.
// next is the first job that is not submitted yet; submit returns the one that then is the first.
func (b *background) submit(site *cluster.Site, begin, now int64, next int) (int, error) {
	for ; next < len(b.jobs) && b.jobs[next].submit == begin+now; next++ {
		if _, err := site.Submit(now, b.point.job(&b.jobs[next])); err != nil {
			return 0, fmt.Errorf("trace %s: a job submitted %d s after the first: %w",
				model.TraceName(b.point.Trace), begin+now, err)
		}
	}
	return next, nil
}

// A reservation is one of a background job that has not ended when the workflow is submitted. Times
// are in s from then.
type reservation struct {
	start, end int64 // start is before 0 if the job runs already
	jobEnd     int64 // before end if the job releases the rest
	procs      int32
	processors profile.Set // assigned when it was booked; nil where reservations are numbered later
}

// schedule returns the reservations that have not ended at a second of the log, those submitted in
// it included, in the order of submission, and the number of the first job that is submitted later.
func (b *background) schedule(at int64) (live []reservation, next int) {
	after := func(t int64) int {
		return sort.Search(len(b.jobs), func(i int) bool { return b.jobs[i].submit > t })
	}
	next = after(at)
	for i := after(at - b.longest); i < next; i++ {
		j := &b.jobs[i]
		r := reservation{start: j.start - at, end: b.reservedUntil(j) - at, procs: j.procs}
		r.jobEnd = r.end
		if b.point.ReleaseTail {
			r.jobEnd = j.start + j.run - at
		}
		if r.jobEnd <= 0 {
			continue
		}
		if b.processors != nil {
			r.processors = b.processors[i]
		}
		live = append(live, r)
	}
	return live, next
}

// lastEnd returns the end of the last reservation, 0 if there is none.
func lastEnd(live []reservation) int64 {
	last := int64(0)
	for i := range live {
		last = max(last, live[i].end)
	}
	return last
}

// drawSubmission draws the second of the log at which a replication submits the workflow. The time
// between warm-up and cool-down is divided into equal strata; replications take them in an order
// that all share. Where there is no time, the error names the parameters to change.
func drawSubmission(p Parameters, env model.Env, b *background) (int64, error) {
	from, to := int64(p.Warmup), b.last-int64(p.Cooldown)
	if from >= to {
		return 0, fmt.Errorf("trace %s: its submits span %s, which leaves no time for the workflow's after warmup %s and "+
			"before cooldown %s: set warmup, cooldown or window so that there is some", model.TraceName(p.Trace),
			model.Seconds(b.last), p.Warmup, p.Cooldown)
	}
	order := make([]int64, p.Strata)
	variates := env.Common().Seed.Stream("parts") // strata; the name decides the numbers
	for i := range order {
		j := variates.Intn(i + 1)
		order[i], order[j] = order[j], int64(i) // shuffled while it is filled
	}
	stratum := float64(order[int64(env.Replication)%p.Strata]) + env.Seed.Stream("submission").Float64()
	return min(from+int64(stratum/float64(p.Strata)*float64(to-from)), to-1), nil
}
