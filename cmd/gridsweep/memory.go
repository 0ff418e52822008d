package main

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// groupMemory returns how much memory the control group of this process leaves to what Go allocates, 0 where no group
// limits it: 85 %, as for the jobs that submit starts, since the group counts the program and files being read too.
func groupMemory() byteSize {
	limit, err := memlimit.FromCgroup()
	if err != nil || limit > math.MaxInt64 {
		return 0
	}
	return byteSize(limit / 100 * 85)
}

// heedGroup has the garbage collector work harder instead of letting the system kill the process, in every command.
// What a user has asked of it stays.
func heedGroup() {
	if limit := groupMemory(); limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(limit))
	}
}
