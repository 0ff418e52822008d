package protocol

// The answers of programs: every line is refused or, encoded and parsed again, gives an equal
// answer.

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// FuzzAnswer parses lines of any bytes, which must not panic.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"time":60,"start":[3,5]}`, `{"time":60,"wake":90}`, `{"start":[]}`, `{"time":1e3}`, `[`, "null",
		`{"time":1}{}`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	a := answer{Start: []int64{1, 2, 3}}
	f.Fuzz(func(t *testing.T, line []byte) {
		if err := parseAnswer(line, &a); err != nil {
			return
		}
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		var again answer
		if err := parseAnswer(text, &again); err != nil {
			t.Fatalf("%q is an answer, %q is none: %v", line, text, err)
		}
		if diff := cmp.Diff(a, again, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q: %s", line, diff)
		}
		_ = parseGreeting(line)
	})
}
