package pipeline

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// GroupMemory returns how many bytes the control group of this process leaves to what Go allocates,
// 0 where no group limits it: 85 %, as for the jobs that are submitted to clusters, since the group
// counts the program and files being read too.
func GroupMemory() int64 {
	limit, err := memlimit.FromCgroup()
	if err != nil || limit > math.MaxInt64 {
		return 0
	}
	return int64(limit / 100 * 85)
}

// HeedGroup has the garbage collector work harder instead of letting the system kill the process.
// What a user has asked of it in the environment stays.
func HeedGroup() {
	if limit := GroupMemory(); limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}
