// CyberShake: the workflow of the paper's section 6.

package provisioning

// cyberShakeLargest is the processors of CyberShake's largest tasks.
const cyberShakeLargest = 288

// cyberShake returns the workflow of the paper's section 6: the modules of Table 1, level by level
// as in Figure 8. Each level waits for all tasks of the one before, but a peakValCal for its own
// synthSGT only.
//
// Deviation: Table 1 calls the first of level 2 pvml_chk1 and Figure 8 pmvl_chk1; both are taken
// for pmvl_chk1.
func cyberShake() *workflow {
	table := []struct {
		level, tasks int
		name         string
		run          int64 // s
		procs        int32
	}{
		{0, 1, "fd_grid_xyz", 1, 1},
		{1, 1, "preSGT", 300, 1},
		{1, 1, "fd_grid_cvm", 2100, cyberShakeLargest},
		{2, 1, "pmvl_chk1", 86400, cyberShakeLargest},
		{2, 1, "pmvl_chk2", 86400, cyberShakeLargest},
		{3, 4017, "synthSGT", 519, 1},
		{4, 4017, "peakValCal", 1, 1},
	}
	var runs []int64
	var procs []int32
	var parents [][]edge
	var modules []module
	var firsts []int // first task of each level
	for _, m := range table {
		if m.level == len(firsts) {
			firsts = append(firsts, len(runs))
		}
		modules = append(modules, module{name: m.name, first: len(runs), past: len(runs) + m.tasks})
		for i := range m.tasks {
			runs, procs = append(runs, m.run), append(procs, m.procs)
			parents = append(parents, cyberShakeParents(m.level, i, firsts))
		}
	}
	w := newWorkflow(1, runs, procs, parents)
	w.modules = modules
	return w
}

// cyberShakeParents returns the parents of the i-th task of a level.
func cyberShakeParents(level, i int, firsts []int) []edge {
	switch level {
	case 0:
		return nil
	case 4:
		return []edge{{task: int32(firsts[3] + i)}}
	}
	var all []edge
	for task := firsts[level-1]; task < firsts[level]; task++ {
		all = append(all, edge{task: int32(task)})
	}
	return all
}
