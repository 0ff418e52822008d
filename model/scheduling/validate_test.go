// Validation tests: invalid and contradictory parameters, and the lists that parameters hold.

package scheduling

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/cluster"
)

// Each problem of a point names its parameter.
func TestValidate(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(*Parameters)
		field, want string
	}{
		"load and scale": {
			func(p *Parameters) { p.Load, p.ScaleArrivals = 0.8, 1.5 }, "load", "both load, 0.8, and scale_arrivals, 1.5",
		},
		"window": {func(p *Parameters) { p.From, p.To = 100, 50 }, "to", "ends at 50 s, and begins at 100 s"},
		"no model": {
			func(p *Parameters) { p.Trace = "model:lubin" }, "trace", `no workload model "lubin"; known are lublin`,
		},
		"no trace": {func(p *Parameters) { p.Trace = "" }, "trace", "is empty"},
		"stand-in": {func(p *Parameters) { p.Trace = "ctc-sp2|ctc-sp2" }, "trace", `"ctc-sp2" is no workload model`},
		"stand-in of a model": {
			func(p *Parameters) { p.Trace = "lublin|lublin-batch" }, "trace", "for which none stands in",
		},
		"machine of a model": {func(p *Parameters) { p.Procs = 1 << 25 }, "trace", "at most 16777216 processors"},
		"policy":             {func(p *Parameters) { p.Policy = "esay" }, "policy", `no policy "esay"`},
		"order":              {func(p *Parameters) { p.Order = "wiat" }, "order", `there is no "wiat"`},
		"division by zero":   {func(p *Parameters) { p.Order = "estimate/wait" }, "order", "division by zero"},
		"estimates":          {func(p *Parameters) { p.Estimates = "users" }, "estimates", "tsafrir:LONGEST"},
		"longest estimate":   {func(p *Parameters) { p.Estimates = "tsafrir:1h" }, "estimates", "from 100min"},
		"classes":            {func(p *Parameters) { p.Classes = "8" }, "classes", "8 x 1h"},
		"sizes of classes":   {func(p *Parameters) { p.Classes = "8,8 x 1h" }, "classes", "rising numbers of processors"},
		"times of classes":   {func(p *Parameters) { p.Classes = "8 x 1h,1min" }, "classes", "rising durations"},
		"too many classes":   {func(p *Parameters) { p.Classes = numbers(60) + " x 1,2" }, "classes", "makes 183 classes"},
		"partitions":         {func(p *Parameters) { p.Partitions = "0" }, "partitions", "rising durations"},
		"partitions' unit":   {func(p *Parameters) { p.Partitions = "3hours" }, "partitions", "is not a duration"},
		"reservation":        {func(p *Parameters) { p.Reservations = "1d:64" }, "reservations", "FROM+DURATION:PROCS"},
		"reservation's size": {func(p *Parameters) { p.Reservations = "1d+2h:0" }, "reservations", "processors from 1"},
		"reservation's time": {func(p *Parameters) { p.Reservations = "1d+0:1" }, "reservations", "duration from 1 s on"},
		"reservation's end":  {func(p *Parameters) { p.Reservations = "x+1h:1" }, "reservations", "is not a duration"},
		"reservations together": {
			func(p *Parameters) { p.Procs, p.Reservations = 8, "0+1h:5,30min+1h:5" }, "reservations", "only 3 are left",
		},
		"run with reservations": {
			func(p *Parameters) { p.Overrun, p.Reservations = "run", "0+1h:5" }, "overrun", "honour reservations",
		},
		"run and fixed": {
			func(p *Parameters) { p.Overrun, p.Placement = "run", "fixed" }, "overrun", "placement count",
		},
		"processors": {func(p *Parameters) { p.Procs, p.Partitions = 1, "10" }, "procs", "partition 2 has 0 processors"},
		"queue":      {func(p *Parameters) { p.Queue = "1,batch" }, "queue", `"batch" is no number of the log`},
		"status":     {func(p *Parameters) { p.Status = "300" }, "status", "to 127"},
	} {
		p := defaults
		c.change(&p)
		problems := validate(p)
		if !slices.ContainsFunc(problems, func(m model.Problem) bool {
			return m.Field == c.field && strings.Contains(m.Text, c.want)
		}) {
			t.Errorf("%s: problems %+v, want one of %s with %q", name, problems, c.field, c.want)
		}
	}
}

// numbers returns the numbers from 1 to n with commas between.
func numbers(n int) string {
	text := "1"
	for i := 2; i <= n; i++ {
		text += fmt.Sprintf(",%d", i)
	}
	return text
}

func TestMachine(t *testing.T) {
	p := defaults
	p.Partitions, p.Reservations = "1000, 3h", "1d+2h:64, 90+30:2"
	config, problems := p.Machine()
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff([]int64{1000, 3 * hour}, config.Boundaries); diff != "" {
		t.Error(diff)
	}
	want := []cluster.Reservation{{From: 86400, To: 86400 + 2*hour, Procs: 64}, {From: 90, To: 120, Procs: 2}}
	if diff := cmp.Diff(want, config.Reservations); diff != "" {
		t.Error(diff)
	}
}

// The parameter trace names a log, a workload model, or a log with its stand-in workload.
func TestTraceAndWorkloadModel(t *testing.T) {
	for text, want := range map[string]struct {
		log, model string
	}{
		"auto":                      {"", "lublin"},
		"model":                     {"", "lublin"},
		"lublin-batch":              {"", "lublin-batch"},
		"model:das2":                {"", "das2"},
		"das2":                      {"das2", ""},
		"ctc-sp2@sha256:0123":       {"ctc-sp2", ""},
		"./own.swf":                 {"./own.swf", ""},
		"nasa-ipsc|lublin":          {"nasa-ipsc", "lublin"},
		"ctc-sp2@12|model:ctc-sp2":  {"ctc-sp2", "ctc-sp2"},
		"model:lublin-interactive":  {"", "lublin-interactive"},
		"own folder/a name.swf|das": {"own folder/a name.swf", ""},
	} {
		p := defaults
		p.Trace = text
		var logs []string
		if want.log != "" {
			logs = []string{want.log}
		}
		if diff := cmp.Diff(logs, traces(p)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if have := workloadModel(p); want.model != "" && have != want.model {
			t.Errorf("%s: workload model %q, want %q", text, have, want.model)
		}
	}
}

func TestClasses(t *testing.T) {
	c, err := parseClasses("1,8,9,64 x 60,1h")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for k := range c.count() {
		size, run := c.names(k)
		names = append(names, size+" "+run)
	}
	want := []string{
		"1 <=1min", "1 1min-1h", "1 >1h", "2-8 <=1min", "2-8 1min-1h", "2-8 >1h", "9 <=1min", "9 1min-1h", "9 >1h",
		"10-64 <=1min", "10-64 1min-1h", "10-64 >1h", ">64 <=1min", ">64 1min-1h", ">64 >1h",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	for _, job := range []struct {
		procs, run int64
		want       string
	}{
		{1, 60, "1 <=1min"}, {2, 61, "2-8 1min-1h"}, {8, 3600, "2-8 1min-1h"}, {64, 3601, "10-64 >1h"},
		{65, 1, ">64 <=1min"},
	} {
		if have := names[c.of(job.procs, job.run)]; have != job.want {
			t.Errorf("%+v is in %s, want %s", job, have, job.want)
		}
	}
	all, err := parseClasses(" x ")
	if err != nil || all.count() != 1 || all.of(5, 5) != 0 {
		t.Errorf("without bounds: %+v, %v, want one class", all, err)
	}
}
