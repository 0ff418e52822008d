// Tests of the schedulers in docs, which are Python programs.

package external

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model/cluster"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
	"gridsweep/pipeline/traces"
)

// needsPython skips a test where there is no python3. Where GRIDSWEEP_PYTHON is set, its folder has
// one.
func needsPython(t *testing.T) {
	t.Helper()
	python := os.Getenv("GRIDSWEEP_PYTHON")
	if python != "" {
		t.Setenv("PATH", filepath.Dir(python)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	switch _, err := exec.LookPath("python3"); {
	case err != nil && python != "":
		t.Fatal("GRIDSWEEP_PYTHON is set: ", err)
	case err != nil:
		t.Skip("it runs schedulers in Python: ", err)
	}
}

// programsOfDocs is the folder of the example programs.
const programsOfDocs = "../../docs/how-to/schedulers"

// equalsProgram simulates jobs under a policy and under a program of docs, which must give the same
// schedule start by start.
func equalsProgram(t *testing.T, config cluster.Config, jobs []cluster.Job, policy, program string) {
	t.Helper()
	var err error
	if config.Policy, err = cluster.ParsePolicy(policy); err != nil {
		t.Fatal(err)
	}
	want, err := cluster.Simulate(t.Context(), config, jobs)
	if err != nil {
		t.Fatal(err)
	}
	programs := NewPrograms()
	reference, err := programs.Resolve(t.Context(), "exec:"+program, programsOfDocs)
	if err != nil {
		t.Fatal(err)
	}
	have, err := simulateBy(t.Context(), programs, reference, config, jobs)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("%s and %s differ: %s", policy, program, diff)
	}
}

// The schedulers of docs give the schedules of the engine on a busy machine, whatever happens at
// the end of an estimate.
func TestPythonIsTheEngine(t *testing.T) {
	needsPython(t)
	model, err := workload.Find("lublin")
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := model.Generate(t.Context(), workload.Options{Jobs: 2000, Procs: 64, Load: 0.9}, rng.New("python"))
	if err != nil {
		t.Fatal(err)
	}
	draws := rng.New("python").Stream("estimates")
	jobs := make([]cluster.Job, len(drawn))
	for i := range drawn {
		estimate := int64(float64(drawn[i].Run) * draws.Uniform(0.8, 5))
		jobs[i] = cluster.Job{Submit: drawn[i].Submit, Run: drawn[i].Run, Procs: drawn[i].Procs, Estimate: estimate}
	}
	for _, overrun := range []cluster.Overrun{cluster.Kill, cluster.RunOn, cluster.Raise} {
		config := cluster.Config{Procs: 64, Overrun: overrun}
		equalsProgram(t, config, jobs, "easy", "easy.py")
		equalsProgram(t, config, jobs, "fcfs", "fcfs.py")
	}
}

// EASY in Python gives the engine's schedule of the logs, by their users' estimates, which are
// exact on NASA-iPSC.
func TestPythonOnLogs(t *testing.T) {
	folder := os.Getenv("GRIDSWEEP_TRACES")
	if folder == "" {
		t.Skip("GRIDSWEEP_TRACES names no folder of traces")
	}
	needsPython(t)
	for _, file := range []string{"NASA-iPSC-1993-3.1-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz"} {
		t.Run(file, func(t *testing.T) {
			const procs = 128 // of both machines
			open, err := traces.Open(t.Context(), filepath.Join(folder, file), nil)
			if err != nil {
				t.Skip(err)
			}
			defer open.Close()
			records, err := trace.NewReader(open, file, trace.Options{}).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			records, _ = trace.Clean(records, trace.Rules{Procs: procs})
			jobs := make([]cluster.Job, len(records))
			for i := range records {
				r := &records[i]
				jobs[i] = cluster.Job{Submit: r.Submit, Run: r.Run, Estimate: r.ReqTime, Procs: r.Size()}
			}
			equalsProgram(t, cluster.Config{Procs: procs}, jobs, "easy", "easy.py")
		})
	}
}
