package pipeline

// The memory limit of the process' control group, for the garbage collector.

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// GroupMemory returns how many bytes Go may allocate within the limit of this process' control
// group (cgroup), or 0 without a limit. It is 85 % of the limit, as for jobs that are submitted to
// clusters, since the group also counts the program and the files that it reads.
func GroupMemory() int64 {
	limit, err := memlimit.FromCgroup()
	if err != nil || limit > math.MaxInt64 {
		return 0
	}
	return int64(limit / 100 * 85)
}

// SetMemoryLimit sets the limit of the garbage collector to GroupMemory, so that it works harder
// before the system kills the process. GOMEMLIMIT in the environment has precedence.
func SetMemoryLimit() {
	if limit := GroupMemory(); limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}
