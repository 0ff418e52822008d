// Inputs of the studies of a bundle: equal ones are one, different ones for one value an error.

package workspace

import (
	"strings"
	"testing"
)

func TestInputsOfSeveralStudies(t *testing.T) {
	study := func(trace, program string) *inputs {
		return &inputs{
			Traces:   []resolution{{Value: "log.swf", Names: []string{"log"}, Reference: trace}},
			Programs: []resolution{{Value: "exec:mine.py", Reference: program}},
		}
	}
	for _, c := range []struct{ trace, program, want string }{
		{"log.swf@1", "exec:mine.py@1", ""},
		{"log.swf@2", "exec:mine.py@1", "trace log.swf means two files, log.swf@1 and log.swf@2,"},
		{"log.swf@1", "exec:mine.py@2", "exec:mine.py means two programs, exec:mine.py@1 and exec:mine.py@2,"},
	} {
		var all inputs
		all.add(study("log.swf@1", "exec:mine.py@1"))
		all.add(study(c.trace, c.program))
		switch err := all.check(); {
		case c.want == "" && (err != nil || len(all.Traces) != 1 || len(all.Programs) != 1):
			t.Errorf("equal resolutions: %+v, error %v", all, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("error %v, want %s", err, c.want)
		}
		reference, err := all.trace(t.Context(), "log.swf", "", []string{"log"})
		if err != nil || reference != "log.swf@1" {
			t.Errorf("log.swf is %q, error %v", reference, err)
		}
		if _, err := all.trace(t.Context(), "log.swf", "", []string{"other"}); err == nil {
			t.Error("log.swf is known for runs that read another trace")
		}
	}
}
