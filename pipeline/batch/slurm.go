// Slurm's commands: submission of jobs, their states, and why tasks did not complete.

package batch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DefaultMaxArraySize is Slurm's default of MaxArraySize.
const DefaultMaxArraySize = 1001

// ErrNoSlurm is the error where Slurm's commands are not installed.
var ErrNoSlurm = errors.New("there is no Slurm here: its commands are not in PATH")

// ErrNoArrays is the error of a cluster without job arrays.
var ErrNoArrays = errors.New("this cluster takes no job arrays: its MaxArraySize is 0; ask whoever runs it, or run " +
	"shards i/n as single jobs")

// Job is one job of a Slurm cluster.
type Job struct {
	ID string `json:"id"`
	// the cluster that sbatch chose, if it chose among several with common accounts; else empty
	Cluster string `json:"cluster,omitempty"`
}

// MaxArraySize returns how many tasks an array may have on this cluster: one more than the highest
// index of a task. It is DefaultMaxArraySize if scontrol does not say. The error is ErrNoSlurm,
// ErrNoArrays, the first line of scontrol's error, or that of ctx.
func MaxArraySize(ctx context.Context) (int, error) {
	text, err := command(ctx, os.Environ(), "scontrol", "show", "config")
	if ctx.Err() != nil || errors.Is(err, ErrNoSlurm) {
		return 0, fmt.Errorf("read MaxArraySize: %w", cmp.Or(ctx.Err(), err))
	}
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n") // the other lines repeat it in other words
		return 0, fmt.Errorf("scontrol does not reach the cluster: %s", first)
	}
	match := regexp.MustCompile(`(?m)^\s*MaxArraySize\s*=\s*(\d+)\s*$`).FindStringSubmatch(text)
	if match == nil {
		return DefaultMaxArraySize, nil
	}
	size, err := strconv.Atoi(match[1])
	if err != nil {
		return 0, fmt.Errorf("scontrol show config: MaxArraySize: %w", err)
	}
	if size == 0 {
		return 0, ErrNoArrays
	}
	return size, nil
}

// Submit submits a batch script. The job starts when the job after, if not nil, has ended in any
// state. The error is that of sbatch, with what to do if that is known, or ErrNoSlurm.
func Submit(ctx context.Context, script string, after *Job) (Job, error) {
	options := []string{"--parsable"}
	if after != nil {
		options = append(options, "--dependency=afterany:"+after.ID)
		if after.Cluster != "" {
			options = append(options, "--clusters="+after.Cluster)
		}
	}
	source, err := os.ReadFile(script)
	if err != nil {
		return Job{}, err
	}
	printed, err := command(ctx, submitEnvironment(os.Environ(), string(source)), "sbatch", append(options, script)...)
	if err != nil {
		return Job{}, fmt.Errorf("submit %s: %w%s", script, err, submitAdvice(err.Error()))
	}
	words := strings.Fields(printed) // plugins of administrators may print some before
	if len(words) == 0 {
		return Job{}, fmt.Errorf("submit %s: sbatch prints no number of a job", script)
	}
	id, cluster, _ := strings.Cut(words[len(words)-1], ";")
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return Job{}, fmt.Errorf("submit %s: sbatch prints %q, not the number of a job", script, strings.TrimSpace(printed))
	}
	return Job{ID: id, Cluster: cluster}, nil
}

// submitEnvironment returns the environment without the variables that would override an option of
// the script. Variables for other options stay: they are the user's defaults.
func submitEnvironment(environment []string, script string) []string {
	overriding := map[string][]string{
		"job-name": {"SBATCH_JOB_NAME"}, "output": {"SBATCH_OUTPUT", "SBATCH_ERROR"}, "open-mode": {"SBATCH_OPEN_MODE"},
		"time": {"SBATCH_TIMELIMIT"}, "partition": {"SBATCH_PARTITION"}, "signal": {"SBATCH_SIGNAL"},
		"mem":     {"SBATCH_MEM_PER_NODE", "SBATCH_MEM_PER_CPU", "SBATCH_MEM_PER_GPU"},
		"requeue": {"SBATCH_REQUEUE", "SBATCH_NO_REQUEUE"},
	}
	drop := []string{"SBATCH_ARRAY_INX", "SBATCH_WAIT"} // would break any submission
	for _, match := range regexp.MustCompile(`(?m)^#SBATCH --([a-z-]+)`).FindAllStringSubmatch(script, -1) {
		drop = append(drop, overriding[match[1]]...)
	}
	return slices.DeleteFunc(slices.Clone(environment), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(drop, name)
	})
}

// submitAdvice returns what to do about an error of sbatch; empty if that is not known.
func submitAdvice(text string) string {
	for _, known := range []struct{ text, advice string }{
		{"Invalid job array specification",
			"the cluster takes fewer tasks in an array than its MaxArraySize; give fewer by --shards"},
		{"Invalid partition name", "sinfo lists the partitions; name one with --partition"},
		{"QOSMaxSubmitJob", "each task of an array counts as a job; give fewer by --shards, each does more"},
		{"AssocMaxSubmitJob", "each task of an array counts as a job; give fewer by --shards, each does more"},
		{"accounting/QOS policy", "each task of an array counts as a job; give fewer by --shards, or less --time or --mem"},
		{"Requested time limit is invalid", "give a --time within the partition's limit, which sinfo shows"},
		{"Memory specification can not be satisfied", "give less --mem, or a partition of larger nodes with --partition"},
		{"Requested node configuration is not available",
			"no node of the partition has that many processors and that much memory; give fewer --workers, less --mem or " +
				"another --partition"},
		{"Invalid account", "name an account that you may use in the variable SBATCH_ACCOUNT"},
		{"Invalid qos", "name a quality of service that you may use in the variable SBATCH_QOS"},
	} {
		if strings.Contains(text, known.text) {
			return "\n" + known.advice
		}
	}
	return ""
}

// Ending is a task that did not complete, by the cluster's accounting.
type Ending struct {
	Task  string // such as 123_4
	State string // such as TIMEOUT or OUT_OF_MEMORY
	Exit  string // code:signal
}

// Reasons returns the tasks of the jobs that did not complete, and their states. It returns none of
// a cluster that has no accounting or does not answer; all together have five seconds.
func Reasons(ctx context.Context, jobs []Job) []Ending {
	var endings []Ending
	query(ctx, jobs, func(_, text string) { endings = append(endings, badEndings(text)...) },
		"sacct", "--noheader", "--parsable2", "--allocations", "--format=JobID,State,ExitCode")
	return endings
}

// queued returns those of the jobs that wait or run; none of a cluster for which squeue does not
// answer. All clusters together have five seconds.
func queued(ctx context.Context, jobs []Job) []Job {
	var queued []Job
	query(ctx, jobs, func(cluster, text string) {
		known := strings.Fields(text) // an array is listed once for each running task
		for _, job := range jobs {
			if job.Cluster == cluster && slices.Contains(known, job.ID) {
				queued = append(queued, job)
			}
		}
	}, "squeue", "--noheader", "--format=%F")
	return queued
}

// queuedAs returns the jobs of this user that wait or run on this cluster under one of the names;
// none if squeue does not answer in five seconds.
func queuedAs(ctx context.Context, names ...string) []Job {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	text, err := command(ctx, os.Environ(),
		"squeue", "--noheader", "--format=%F", "--me", "--name="+strings.Join(names, ","))
	if err != nil {
		return nil
	}
	var queued []Job
	for _, id := range strings.Fields(text) {
		if job := (Job{ID: id}); !slices.Contains(queued, job) {
			queued = append(queued, job)
		}
	}
	return queued
}

// queryTimeout is the time limit of sacct or squeue for all clusters; their answers are optional.
const queryTimeout = 5 * time.Second

// query calls a program for the jobs of each cluster and passes its output to take. It leaves out
// calls that fail or take too long.
func query(ctx context.Context, jobs []Job, take func(cluster, text string), program string, options ...string) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	for cluster, ids := range ByCluster(jobs) {
		all := append(slices.Clone(options), "--jobs="+strings.Join(ids, ","))
		if cluster != "" {
			all = append(all, "--clusters="+cluster)
		}
		if text, err := command(ctx, os.Environ(), program, all...); err == nil {
			take(cluster, text)
		}
	}
}

// ByCluster yields each cluster with the ids of its jobs, in the order of the jobs. Slurm's
// commands take the jobs of one cluster at a time.
func ByCluster(jobs []Job) iter.Seq2[string, []string] {
	ids := map[string][]string{}
	var clusters []string
	for _, job := range jobs {
		if ids[job.Cluster] == nil {
			clusters = append(clusters, job.Cluster)
		}
		ids[job.Cluster] = append(ids[job.Cluster], job.ID)
	}
	return func(yield func(string, []string) bool) {
		for _, cluster := range clusters {
			if !yield(cluster, ids[cluster]) {
				return
			}
		}
	}
}

// badEndings reads lines "task|state|exit code" of sacct.
func badEndings(text string) []Ending {
	good := []string{"COMPLETED", "PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED", "RESIZING", "SUSPENDED"}
	var endings []Ending
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) != 3 || slices.Contains(good, fields[1]) {
			continue
		}
		state, _, _ := strings.Cut(fields[1], " ") // CANCELLED by 1000
		endings = append(endings, Ending{Task: fields[0], State: state, Exit: fields[2]})
	}
	return endings
}

// command runs a program from PATH and returns its output. The error has its output on stderr, or
// is ErrNoSlurm or that of ctx.
func command(ctx context.Context, environment []string, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Env = environment
	c.WaitDelay = time.Second // a child of a script may hold its output open
	var out, stderr bytes.Buffer
	c.Stdout, c.Stderr = &out, &stderr
	err := c.Run()
	switch text := strings.TrimSpace(stderr.String()); {
	case err == nil:
		return out.String(), nil // even if ctx has ended since: the job is submitted
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s: %w", name, ErrNoSlurm)
	case text != "":
		return "", fmt.Errorf("%s: %w", text, err)
	default:
		return "", fmt.Errorf("%s: %w", name, err)
	}
}
