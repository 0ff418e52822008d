// The study that simulate makes of several simulations: its factors and parameters from the flags.

package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/scheduling"
	"gridsweep/model/trace"
	"gridsweep/pipeline/simulation"
)

// newMatrix reads the flags and arguments of several simulations; dir is the folder of the study
// file.
func (o *simulateOptions) newMatrix(ctx context.Context, args []string, dir string) (*simulation.Matrix, error) {
	reservations := o.cluster.Reservations
	o.cluster.Reservations = "" // text of a parameter here; prepareShared would read it as a file
	shared, err := o.prepareShared(ctx)
	if err != nil {
		return nil, err
	}
	if err := o.trace.check(); err != nil {
		return nil, err
	}
	parameters := scheduling.Spec.Defaults
	parameters.Reservations = reservations
	if _, problems := parameters.Machine(); len(problems) > 0 {
		return nil, usageErrorf("--reservations %s: %s", reservations, problems[0].Text)
	}
	m := &simulation.Matrix{Seed: o.cluster.Seed, Replications: o.matrix.replications}
	if err := o.checkMatrix(); err != nil {
		return nil, err
	}
	if m.Base = o.matrix.base; m.Base == "" && len(o.policies) > 1 {
		m.Base = o.policies[0]
	}
	replication := o.matrix.replication
	if replication != "" && !o.isSet("replications") {
		m.Replications = 10
	}
	if replication == "" && m.Replications == 1 {
		replication = "seeds" // a log as it is, once
	}
	traces, err := o.traceLevels(ctx, args, dir)
	if err != nil {
		return nil, err
	}
	policies := levelsOf(simulation.PolicyFactor, o.policies)
	for i, level := range policies.Levels {
		policies.Levels[i].Value = policyIn(level.Value, dir)
	}
	m.Factors = []simulation.Factor{
		{Name: simulation.TraceFactor, Levels: traces}, levelsOf(simulation.LoadFactor, o.matrix.loads),
		levelsOf(simulation.EstimatesFactor, o.cluster.estimates), levelsOf(simulation.OrderFactor, o.cluster.orders),
		policies,
	}
	set := func(name, value, byDefault string) {
		if value != byDefault {
			m.Settings = append(m.Settings, simulation.Setting{Name: name, Value: value})
		}
	}
	set("replication", replication, "")
	if replication == "parts" {
		set("parts", strconv.Itoa(m.Replications), "")
	}
	if err := o.setJobs(set); err != nil {
		return nil, err
	}
	set("overrun", o.cluster.Overrun, "kill")
	set("instant", o.cluster.Instant, "batch")
	set("pivot", o.cluster.Pivot, "replanned")
	set("partitions", strings.Join(o.cluster.Partitions, ","), "")
	set("reservations", reservations, "")
	set("warmup", seconds(shared.window.Warmup), seconds(0))
	set("cooldown", seconds(shared.window.Cooldown), seconds(0))
	return m, o.addSettings(m)
}

// setJobs sets the parameters that give logs processors, select their jobs and stretch their times.
func (o *simulateOptions) setJobs(set func(name, value, byDefault string)) error {
	selected, err := o.trace.selection(nil)
	if err != nil {
		return err
	}
	if months := selected.Months; months != [2]int{} {
		selected.From, selected.To = int64(months[0]-1)*trace.Month, int64(months[1])*trace.Month
	}
	set("procs", strconv.FormatInt(o.trace.procs, 10), "0")
	set("from", seconds(selected.From), seconds(0))
	set("to", seconds(selected.To), seconds(0))
	set("keep_partial", strconv.FormatBool(o.trace.keepPartial), "false")
	set("partition", strings.Join(o.trace.partitions, ","), "")
	set("site", strings.Join(o.trace.sites, ","), "")
	set("user", strings.Join(o.trace.users, ","), "")
	set("queue", strings.Join(o.trace.queues, ","), "")
	set("status", strings.Join(o.trace.statuses, ","), "")
	set("scale_arrivals", decimal(selected.ScaleArrivals), "1")
	set("scale_runtimes", decimal(selected.ScaleRuntimes), "1")
	return nil
}

func seconds(n int64) string { return model.Seconds(n).String() }

func levelsOf(name string, values []string) simulation.Factor {
	f := simulation.Factor{Name: name}
	for _, value := range values {
		label := value
		if strings.HasPrefix(value, "-") { // a label that begins with - would be read as a flag
			label = "(" + value + ")"
		}
		f.Levels = append(f.Levels, simulation.Level{Label: label, Value: value})
	}
	return f
}

// checkMatrix returns an error for flags of a matrix that are wrong, alone or together.
func (o *simulateOptions) checkMatrix() error {
	f := &o.matrix
	for _, load := range f.loads {
		if x, err := strconv.ParseFloat(load, 64); err != nil || !(x > 0 && x <= 100) {
			return usageErrorf("--load %s: write an offered load above 0, at most 100, such as 0.8", load)
		}
	}
	if len(f.loads) > 0 { // none, also as --load "", is no error
		if err := checkLevels("load", f.loads); err != nil {
			return err
		}
	}
	switch {
	case len(f.loads) > 0 && o.trace.scaleArrivals != 1:
		return usageErrorf("--load and --scale-arrivals: arrivals are scaled to a load or by a factor; give one of them")
	case f.replications < 1:
		return usageErrorf("--replications %d: write a number from 1", f.replications)
	case f.replication != "" && !slices.Contains(replicationNames(), f.replication):
		return wrongChoice("replication", f.replication, usageErrorf("--replication %s: write one of %s", f.replication,
			strings.Join(replicationNames(), ", ")))
	case f.base != "" && !slices.Contains(o.policies, f.base):
		return usageErrorf("--base %s: is not among the policies, %s", f.base, strings.Join(o.policies, ", "))
	}
	return nil
}

// replicationNames are the ways in which the model scheduling replicates.
func replicationNames() []string {
	m := model.New(scheduling.Spec)
	return m.Parameters[m.Parameter("replication")].Choices()
}

// addSettings adds the parameters of --set, which no other flag sets.
func (o *simulateOptions) addSettings(m *simulation.Matrix) error {
	known := model.New(scheduling.Spec)
	var names []string
	for _, p := range known.Parameters {
		names = append(names, p.Name)
	}
	for _, text := range o.matrix.set {
		name, value, found := strings.Cut(text, "=")
		isIt := func(s simulation.Setting) bool { return s.Name == name }
		isFactor := func(f simulation.Factor) bool { return f.Name == name }
		switch i := known.Parameter(name); {
		case !found:
			return usageErrorf("--set %s: write NAME=VALUE, such as --set shake=5min", text)
		case i < 0:
			return usageErrorf("--set %s: the model scheduling has no parameter %s; %s", text, name,
				configs.Suggest(name, names))
		case slices.ContainsFunc(m.Settings, isIt) || slices.ContainsFunc(m.Factors, isFactor):
			return usageErrorf("--set %s: another flag or argument sets %s; give one of them", text, name)
		default:
			if _, err := known.Parameters[i].Parse(value); err != nil {
				return usageErrorf("--set %s: %w", text, err)
			}
		}
		m.Settings = append(m.Settings, simulation.Setting{Name: name, Value: value})
	}
	return nil
}

// traceLevels returns the traces of the arguments for a study in a folder.
func (o *simulateOptions) traceLevels(ctx context.Context, args []string, dir string) ([]simulation.Level, error) {
	catalogue, err := o.trace.catalogue.read(ctx)
	if err != nil {
		return nil, err
	}
	var levels []simulation.Level
	for i, word := range args {
		if slices.Contains(args[:i], word) {
			return nil, usageErrorf("%s: appears twice; write it once", word)
		}
		name, _, _ := model.SplitStandIn(word)
		_, isModel := scheduling.ModelOf(name)
		switch {
		case word == "-":
			return nil, usageErrorf("-: standard input can be read once; save it to a file, and name that")
		case isTraceFile(name):
			// a stand-in takes the place of a missing file
			if _, err := os.Stat(name); err != nil && name == word {
				return nil, usageErrorf("%s: no such file", name)
			}
		case !isModel && catalogue.Index(name) < 0:
			return nil, usageErrorf("%s: is no file, trace of the catalogue or workload model; %s", name,
				configs.Suggest(name, append(catalogue.Names(), modelNames()...)))
		}
		levels = append(levels, simulation.Level{Label: word, Value: traceIn(word, dir)})
	}
	return levels, nil
}

// traceIn returns an argument as the parameter trace of a study in a folder: a path is relative to
// it.
func traceIn(word, dir string) string {
	name, standIn, hasStandIn := model.SplitStandIn(word)
	if isTraceFile(name) {
		name = pathIn(name, dir)
	}
	if hasStandIn {
		return name + model.StandIn + standIn
	}
	return name
}

// policyIn returns a policy as the parameter policy of a study in a folder: the path of a program
// is relative to it.
func policyIn(policy, dir string) string {
	if !cluster.IsProgram(policy) {
		return policy
	}
	program := strings.TrimPrefix(policy, cluster.ProgramPolicy)
	file, arguments, hasArguments := strings.Cut(program, " ")
	file = pathIn(file, dir)
	if hasArguments {
		file += " " + arguments
	}
	return cluster.ProgramPolicy + file
}

// pathIn returns a path that leads from a folder to a file, with slashes.
func pathIn(path, dir string) string {
	if filepath.IsAbs(path) {
		return path
	}
	from, err := filepath.Abs(dir)
	if err != nil {
		return path
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	relative, err := filepath.Rel(from, to)
	if err != nil {
		return filepath.ToSlash(to)
	}
	if relative = filepath.ToSlash(relative); !strings.HasPrefix(relative, "../") {
		relative = "./" + relative
	}
	return relative
}
