// Conformance tests: the form of scenarios and schedules, errors for mistakes in them, and the
// comparison of a schedule with the expected one.

package conformance

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

//go:embed testdata/two.txt
var good string

func parse(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Parse("set/two.txt", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestScenariosAreParsed(t *testing.T) {
	if s := parse(t, good); s.Name != "two" || s.Title() != "Two jobs, one after the other" || s.ScheduleCount() != 2 {
		t.Errorf("parsed %+v", s)
	}
}

func TestMistakesInScenarios(t *testing.T) {
	for _, test := range []struct{ name, old, replacement, want string }{
		{"no title", "# Two jobs, one after the other\n#\n# Both need the machine.\n", "", "no title"},
		{"a number that is none", " 5         5      2", " 5s         5      2", `two.txt:8: run "5s" is not a whole`},
		{"a field too few", "3         4      2", "3         4", "set/two.txt:9: 4 fields, want 5"},
		{"a job left out", "  2       1    3", "  3       1    3", "set/two.txt:9: number 3, want 2"},
		{"a schedule too short", "  2      5    8\n", "", "set/two.txt:19: a schedule of 1 jobs, want all 2"},
		{"an unknown line", "policy=easy\n", "polici=easy\n", `set/two.txt:14: "polici=easy": neither procs N`},
		{"an unknown word", "instant=each", "instants=each", "instants is none of policy, order"},
		{"a word twice", "instant=each", "instant=each instant=batch", "at most once"},
		{"a configuration twice", "policy=fcfs instant=each", "policy=easy:1", "two.txt:15: policy=easy occurs twice"},
		{"boundaries that fall", "instant=each", "partitions=10,5", "write seconds that ascend"},
		{"no machine", "procs 2\n\n", "", "one table of jobs, after the line of procs"},
		{"an empty machine", "procs 2\n\n", "procs 0\n\n", `set/two.txt:5: procs "0": write`},
		{"a schedule of nothing", "policy=easy\npolicy=fcfs instant=each\n", "", "after a line that begins with policy="},
		{"no schedule", good[strings.Index(good, "# Why."):], "", "policy=easy has no schedule after it"},
		{"text at the end", "  2      5    8\n", "  2      5    8\n# Why?\n", "belongs to nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(good, test.old, test.replacement, 1)
			if text == good {
				t.Fatal("nothing was replaced")
			}
			if _, err := Parse("set/two.txt", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestConfigurationsAreOneText(t *testing.T) {
	for text, want := range map[string]string{
		"policy=easy:1":                                           "policy=easy",
		"placement=fixed pivot=kept policy=easy":                  "policy=easy pivot=kept placement=fixed",
		"placement=count policy=easy":                             "policy=easy",
		"pivot=kept overrun=kill policy=easy:2 order=arrival":     "policy=easy:2 pivot=kept",
		"partitions=10,100 instant=each order=wfp3 policy=fcfs":   "policy=fcfs order=wfp3 instant=each partitions=10,100",
		"policy=conservative instant=batch pivot=replanned":       "policy=conservative",
		"policy=conservative:fixed overrun=run order=unicef":      "policy=conservative:fixed order=unicef overrun=run",
		"policy=easy:all overrun=raise instant=each partitions=7": "policy=easy:all instant=each overrun=raise partitions=7",
	} {
		c, err := ParseConfiguration(text)
		if err != nil || c.String() != want {
			t.Errorf("%s: %q (%v), want %q", text, c, err, want)
		}
	}
	if _, err := ParseConfiguration("order=arrival"); err == nil {
		t.Error("a configuration without a policy is not an error")
	}
}

func TestCompare(t *testing.T) {
	set := []*Scenario{parse(t, good)}
	// columns in another order, and one that is not needed
	const head = "end,scenario,configuration,id,start,cpu\n"
	for _, test := range []struct{ name, rows, want string }{
		{"equal", "5,two,policy=easy:1,1,0,x\n8,two,policy=easy instant=batch,2,5,x\n", ""},
		{"far apart", "5,two,policy=easy,1,0,x\n9223372036854775807,two,policy=easy,2,5,x\n",
			"job 2 ends at 9223372036854775807, want 8"},
		{"another start", "5,two,policy=easy,1,0,x\n9,two,policy=easy,2,6,x\n", "job 2 starts at 6, want 5"},
		{"another end", "6,two,policy=easy,1,0,x\n9,two,policy=easy,2,6,x\n", "job 1 ends at 6, want 5"},
		{"a job left out", "5,two,policy=easy,1,0,x\n", "job 2 is not there"},
	} {
		t.Run(test.name, func(t *testing.T) {
			schedules, err := ReadSchedules("mine.csv", strings.NewReader(head+test.rows), set)
			if err != nil {
				t.Fatal(err)
			}
			list := Compare(set, schedules)
			if len(list) != 2 || list[0].Missing || list[0].Difference != test.want || !list[1].Missing {
				t.Errorf("%+v, want %q and one that is missing", list, test.want)
			}
		})
	}
}

// The byte order mark that spreadsheets write before the head is not part of a column's name.
func TestSchedulesOfSpreadsheets(t *testing.T) {
	const text = "\ufeffscenario,configuration,id,start,end\r\ntwo,policy=easy,1,0,5\r\n"
	if _, err := ReadSchedules("mine.csv", strings.NewReader(text), []*Scenario{parse(t, good)}); err != nil {
		t.Error(err)
	}
}

func TestMistakesInSchedules(t *testing.T) {
	set := []*Scenario{parse(t, good)}
	const head = "scenario,configuration,id,start,end\n"
	for _, test := range []struct{ text, want string }{
		{"", "mine.csv: is empty: it must begin with a line scenario,configuration,id,start,end"},
		{"scenario,configuration,id,start\n", "mine.csv:1: has no column end"},
		{head + "two,policy=easy,1,0,5\nthree,policy=easy,1,0,5\n", `mine.csv:3: there is no scenario "three"`},
		{head + "two,policy=easy:2,1,0,5\n", "mine.csv:2: the scenario two has no schedule for policy=easy:2"},
		{head + "two,easy,1,0,5\n", `mine.csv:2: configuration "easy"`},
		{head + "two,policy=easy,3,0,5\n", "mine.csv:2: id 3: the jobs of two are 1 to 2"},
		{head + "two,policy=easy,1,0.5,5\n", `mine.csv:2: start "0.5" is not a whole number`},
		{head + "two,policy=easy,1,0,5\ntwo,policy=easy:1,1,0,5\n", "csv:3: job 1 of two, policy=easy, occurs twice"},
		{head + "two,policy=easy,1,0\n", "wrong number of fields"},
	} {
		_, err := ReadSchedules("mine.csv", strings.NewReader(test.text), set)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.text, err, test.want)
		}
	}
}

// The exported tables are schedules that the comparison accepts.
func TestTablesHoldTheSet(t *testing.T) {
	set := []*Scenario{parse(t, good)}
	var text strings.Builder
	for _, table := range Tables(set) {
		text.WriteString(table.Name + "\n")
		for _, row := range table.Rows {
			text.WriteString(strings.Join(row, "|") + "\n")
		}
	}
	want := `machines
scenario|procs
two|2
jobs
scenario|id|submit|run|estimate|procs|priority|user
two|1|0|5|5|2|0|0
two|2|1|3|4|2|0|0
reservations
scenario|id|from|to|procs
two|1|20|30|2
configurations
scenario|configuration|policy|order|instant|overrun|pivot|placement|partitions
two|policy=easy|easy|arrival|batch|kill|replanned|count|
two|policy=fcfs instant=each|fcfs|arrival|each|kill|replanned|count|
schedules
scenario|configuration|id|start|end
two|policy=easy|1|0|5
two|policy=easy|2|5|8
two|policy=fcfs instant=each|1|0|5
two|policy=fcfs instant=each|2|5|8
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
}
