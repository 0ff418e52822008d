// Study files that are large or nested in every way that YAML and the study language allow: check
// must end within bounds of processor time and memory.

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostile are study files with very much of one thing. Each function returns a file of at most most
// bytes, and published numbers beside it if it needs any.
var hostile = map[string]func(most int) (study, published string){
	"levels": func(most int) (string, string) { return factor(most, "%d", ""), "" },
	"levels and a comment": func(most int) (string, string) {
		return factor(most/2, "%d", "") + "#" + strings.Repeat("x", most/2-200), ""
	},
	"equal levels": func(most int) (string, string) { return factor(most, "%d.0", "1,"), "" },
	"named levels": func(most int) (string, string) {
		return above + many(most, "factors: {f: {", "l%d: {lambda: 0.3},", "}}\n"), ""
	},
	"levels of no value": func(most int) (string, string) { return factor(most, "x%d", ""), "" },
	"factors": func(most int) (string, string) {
		return above + many(most, "factors: {", "f%d: [1],", "}\n"),
			""
	},
	"figures, too many": func(most int) (string, string) {
		return above + many(most, "figures: {", "f%d: {},", "}\n"),
			""
	},
	"crossed factors": func(most int) (string, string) { return crossed(most/2, "cross"), "" },
	"each factor":     func(most int) (string, string) { return crossed(most/2, "each"), "" },
	"experiments": func(most int) (string, string) {
		return studyHead + entries("experiments: {", "e%d: {},", "}\n"), ""
	},
	"unknown experiments": func(most int) (string, string) {
		return above + entries("claims: {", "c%d: {of: e%[1]d, show: x, above: 1},", "}\n"), ""
	},
	"unknown factors": func(most int) (string, string) {
		return studyHead + entries("experiments: {", "e%d: {cross: [f%[1]d]},", "}\n"), ""
	},
	"misspelled factors": misspelled,
	"unknown keys":       func(most int) (string, string) { return above + many(most, "", "k%d: 1\n", ""), "" },
	"unknown parameters": func(most int) (string, string) {
		return above + many(most, "factors: {f: {", "l%d: {p%[1]d: 1},", "}}\n"), ""
	},
	"equal keys": func(most int) (string, string) { return above + strings.Repeat("a: 1\n", most/5-20), "" },
	"settings":   func(most int) (string, string) { return above + many(most, "set: {", "p%d: 1,", "}\n"), "" },
	"settings again": func(most int) (string, string) {
		return above + many(most, "factors: {f: {", "l%d: {"+words("lambda: 1", 20)+"},", "}}\n"), ""
	},
	"claims": func(most int) (string, string) {
		return above + entries("claims: {", "c%d: {of: e, show: blocking, above: 1},", "}\n"), ""
	},
	"claims of parts": claimsOfParts,
	"statements": func(most int) (string, string) {
		return above + entries("claims: {", "c%d: {of: e},", "}\n") + entries("unjudged: {", "c%d: {doc: a},", "}\n"), ""
	},
	"tables": func(most int) (string, string) {
		return above + entries("tables: {", "t%d: {of: e, show: blocking},", "}\n"), ""
	},
	"figures": func(most int) (string, string) {
		return above + entries("figures: {", "f%d: {of: e, show: blocking, kind: line, x: lambda},", "}\n"), ""
	},
	"blocks": func(most int) (string, string) {
		return above + many(most, "tables: {t: {of: e, show: blocking, blocks: [", "{label: b%d},", "]}}\n"), ""
	},
	"blocks that share": func(most int) (string, string) {
		return factor(most/2, "%d", "") + many(most/3, "tables: {t: {of: e, show: blocking, where: {requests: [", "%d,",
			"]}, blocks: [") + strings.Repeat("{},", most/32) + "]}}\n", ""
	},
	"columns": func(most int) (string, string) {
		return above + many(most, "tables: {t: {of: e, show: [", "c%d,", "]}}\n"), ""
	},
	"orders": func(most int) (string, string) {
		return above + many(most, "claims: {c: {of: e, show: blocking, along: f, order: [", "l%d,", "]}}\n"), ""
	},
	"selections":           selections,
	"repetitions":          repetitions,
	"repetitions of parts": repetitionsOfParts,
	"overlapping names": func(most int) (string, string) {
		return above + entries("figures: {", "f%d: {},", "}\n") + entries("tables: {", "t%d: {},", "}\n"), ""
	},
	"cells":                func(int) (string, string) { return cube(1000, 1), "" },
	"replications":         func(int) (string, string) { return cube(10, 1000000), "" },
	"all that is allowed":  func(int) (string, string) { return cube(46, 1), "" },
	"allowed but wrong":    func(int) (string, string) { return wrongCube(), "" },
	"allowed replications": func(int) (string, string) { return cube(2, 12500), "" },
	"nested lists":         func(most int) (string, string) { return above + "x: " + strings.Repeat("[", most/2), "" },
	"nested maps":          func(most int) (string, string) { return above + "x: " + strings.Repeat("{a: ", 9000), "" },
	"empty lists": func(most int) (string, string) {
		return above + "x: [" + strings.Repeat("[],",
			most/3-30) + "]\n", ""
	},
	"empty items": func(most int) (string, string) {
		return "x:\n" + strings.Repeat("-\n", most/2-40) + above,
			""
	},
	"question marks": func(most int) (string, string) { return strings.Repeat("?\n", most/2), "" },
	"keys of nothing": func(most int) (string, string) {
		return above + "x: {" + strings.Repeat("a,",
			most/2-40) + "}\n", ""
	},
	"comments": func(most int) (string, string) { return above + strings.Repeat("#\n", most/2-40), "" },
	"comments of items": func(most int) (string, string) {
		return above + "x: [" + strings.Repeat("#\n1,#\n\n", most/8-40) + "]\n", ""
	},
	"comments of keys": func(most int) (string, string) { return many(most, "", "#\n%x: #\n", ""), "" },
	"empty lines":      func(most int) (string, string) { return above + strings.Repeat("\n", most-200), "" },
	"one long text": func(most int) (string, string) {
		return above + "title: " + strings.Repeat("x", most-200) + "\n",
			""
	},
	"long names": func(most int) (string, string) {
		return studyHead + "factors:\n  ? " + strings.Repeat("x",
			most/2) + "\n  : [1]\nexperiments: {e: {cross: " + strings.Repeat("y", most/2-200) + "}}\n", ""
	},
	"a long key above": func(most int) (string, string) {
		return above + "? " + strings.Repeat("x", most/2) + "\n: {" + strings.Repeat("a,", most/4-100) + "}\n", ""
	},
	"problems far right": func(most int) (string, string) {
		return above + `set: {x: "` + strings.Repeat("x", most-20000) + `", ` + words("a: {}", 190) + "}\n", ""
	},
	"escapes": func(most int) (string, string) {
		return above + `title: "` + strings.Repeat(`\x07`, most/4-50) + "\"\n", ""
	},
	"anchors": func(most int) (string, string) {
		return above + "x: [" + strings.Repeat("&a 1,", most/5-30) + "]\n", ""
	},
	"aliases": func(most int) (string, string) {
		return "x: &a 1\ny: [" + strings.Repeat("*a,", most/3-30) + "]\n",
			""
	},
	"an alias bomb": func(int) (string, string) { return bomb(), "" },
	"tags": func(most int) (string, string) {
		return above + "x: [" + strings.Repeat("!a 1,", most/5-30) + "]\n", ""
	},
	"documents": func(most int) (string, string) { return above + strings.Repeat("---\na\n", most/6-30), "" },
	"published numbers": func(most int) (string, string) {
		return published("lambda,metric,value,page\n", most, "%d,blocking,1,\n")
	},
	"published columns": func(most int) (string, string) {
		return published(strings.Repeat("a,", most/2-20)+"metric,value,page\n", 0, "")
	},
	"published fields": func(most int) (string, string) {
		return published("lambda,metric,value,page\n"+strings.Repeat("a,", most/2-20), 0, "")
	},
	"published problems": func(most int) (string, string) {
		return published("lambda,metric,value,page\n", most,
			"\n ,\n")
	},
	"equal numbers": func(most int) (string, string) {
		return published("lambda,metric,value,page\n"+strings.Repeat("1,b,1,\n", most/8), 0, "")
	},
	"numbers in blocks": numbersInBlocks,
	"files": func(most int) (string, string) {
		return above + many(most, "figures: {f: {of: e, show: blocking, kind: line, x: lambda, published: [", "%d.csv,",
			"]}}\n"), ""
	},
	"uses of a file": func(most int) (string, string) {
		_, numbers := published("lambda,metric,value,page\n", most, "%d,blocking,1,\n")
		return above + entries("tables: {", "t%d: {of: e, show: blocking, published: p.csv},", "}\n"), numbers
	},
}

// above and studyHead are the beginnings of studies that are correct so far.
const (
	above     = studyHead + "experiments: {e: {}}\n"
	studyHead = "study: hostile\nmodel: coallocation\n"
)

// many returns text of about most bytes: numbered items between a beginning and an end.
func many(most int, begin, format, end string) string {
	var text strings.Builder
	text.WriteString(begin)
	for i := 0; text.Len()+len(end)+len(format) < most-200; i++ {
		fmt.Fprintf(&text, format, i)
	}
	return text.String() + end
}

// entries returns a section of a study with 10,000 numbered entries, the most that are allowed.
func entries(begin, format, end string) string {
	text := begin
	for i := range 10000 {
		text += fmt.Sprintf(format, i)
	}
	return text + end
}

func words(word string, n int) string { return strings.TrimSuffix(strings.Repeat(word+", ", n), ", ") }

// factor returns a study of one factor with many levels.
func factor(most int, format, first string) string {
	return many(most, "study: hostile\nmodel: coallocation\nexperiments: {e: {cross: requests}}\nfactors: {requests: "+
		"["+first, format+",", "]}\n")
}

func crossed(most int, word string) string {
	return studyHead + many(most, "factors: {", "f%d: [1],", "}\n") +
		many(most, "experiments: {e: {"+word+": [", "f%d,", "]}}\n")
}

func misspelled(most int) (string, string) {
	return studyHead + entries("factors: {", "factor-of-mine-%d: [1],", "}\n") +
		entries("experiments: {", "e%d: {cross: [factor-of-mein-%[1]d]},", "}\n"), ""
}

func claimsOfParts(most int) (string, string) {
	return studyHead + many(5000, "factors: {", "f%d: [1],", "}\n") +
		many(2000, "experiments: {e: {each: [", "f%d,", "]}}\n") +
		entries("claims: {", "c%d: {of: e, show: blocking, above: 1},", "}\n"), ""
}

func selections(most int) (string, string) {
	return studyHead + many(most/8, "factors: {requests: [", "%d,", "]}\n") +
		many(most/8, "experiments: {e: {cross: {requests: [", "%d,", "]}}}\n") +
		entries("tables: {", "t%d: {of: e, show: blocking, where: {requests: x}, rows: requests},", "}\n"), ""
}

func repetitions(most int) (string, string) {
	again := ""
	for i := range 100 {
		again += fmt.Sprintf("r%d: {under: laxity, repeat: [%s]},", i, strings.TrimSuffix(many(1000, "", "e%d,", ""), ","))
	}
	return "study: hostile\nmodel: coallocation\nfactors: {laxity: [1, 2]}\nexperiments: " +
		"{" + again + many(150000-len(again), "", "e%d: {},", "}\n"), ""
}

func repetitionsOfParts(most int) (string, string) {
	study := studyHead + many(5000, "factors: {laxity: [1],", "f%d: [1],", "}\n")
	for _, more := range []func(int) string{
		func(i int) string {
			return fmt.Sprintf("e%d: {each: [%s]},", i, strings.TrimSuffix(many(1000, "", "f%d,", ""), ","))
		},
		func(i int) string {
			return fmt.Sprintf("r%d: {under: laxity, repeat: [%s]},", i, strings.TrimSuffix(many(1000, "", "e%d,", ""), ","))
		},
	} {
		if !strings.Contains(study, "experiments") {
			study += "experiments: {"
		}
		for i := range most / 4000 {
			study += more(i)
		}
	}
	return study + "}\n", ""
}

// cube crosses three factors of n levels.
func cube(n, replications int) string {
	study := fmt.Sprintf("study: hostile\nmodel: coallocation\nexperiments: {e: {cross: [lambda, laxity, requests], "+
		"rounds: %d}}\nfactors:\n", replications)
	for _, name := range []string{"lambda", "laxity", "requests"} {
		study += "  " + name + ": ["
		for i := range n {
			if name == "lambda" {
				study += fmt.Sprintf("0.%04d,", i+1)
			} else {
				study += fmt.Sprintf("%d,", i+100)
			}
		}
		study += "]\n"
	}
	return study
}

// wrongCube has the largest allowed number of points, all wrong by a parameter that is not a
// factor.
func wrongCube() string {
	study := "study: hostile\nmodel: intergrid\ntrace: model\nset: {k: 0.9, level: 0.1}\n" +
		"experiments: {e: {cross: [deadline_share, beta, interval], rounds: 1}}\nfactors:\n"
	for name, unit := range map[string]string{"deadline_share": "0.00%d,", "beta": "0.00%d,", "interval": "%ds,"} {
		study += "  " + name + ": ["
		for i := range 46 {
			study += fmt.Sprintf(unit, i+11)
		}
		study += "]\n"
	}
	return study
}

func bomb() string {
	text := "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
	for i := range 30 {
		text += fmt.Sprintf("a%d: &a%[1]d [%s]\n", i+1, words(fmt.Sprintf("*a%d", i), 9))
	}
	return text
}

func published(begin string, most int, format string) (study, numbers string) {
	return above + "factors: {lambda: [0.3]}\ntables: {t: {of: e, show: blocking, published: p.csv}}\n", many(most, begin,
		format, "")
}

func numbersInBlocks(most int) (string, string) {
	_, numbers := published("lambda,metric,value,page\n", most, "%d,blocking,1,\n")
	return above + many(most, "tables: {t: {of: e, show: blocking, published: p.csv, blocks: [", "{label: b%d},",
		"]}}\n"), numbers
}

// For any study file of up to 10 MB, check is meant to take at most 2 s and 500 MB. The test allows
// 20 s of processor time, for slow machines.
func TestHostileStudies(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	t.Parallel()
	for name, write := range hostile {
		t.Run(name, func(t *testing.T) { checkHostile(t, write, 1<<20) })
	}
	for _, files := range []int{2, 5} {
		t.Run(fmt.Sprintf("%d files that extend one another", files), func(t *testing.T) { checkChain(t, files) })
	}
	// a few are enough to test the size
	for _, name := range []string{"levels", "empty items", "an alias bomb"} {
		t.Run(name+", 10 MB", func(t *testing.T) { checkHostile(t, hostile[name], 10<<20) })
	}
}

// checkHostile checks a study file of at most most bytes.
func checkHostile(t *testing.T, write func(int) (string, string), most int) {
	const mostTime, mostMemory = 20 * time.Second, 500 << 20
	study, published := write(most)
	if len(study) > most {
		t.Fatalf("the file has %d bytes, more than %d", len(study), most)
	}
	checkFiles(t, map[string]string{"study.yaml": study, "published/p.csv": published}, mostTime, mostMemory)
}

// checkChain checks studies that extend one another, together of the largest allowed size, each
// with a factor of many levels.
func checkChain(t *testing.T, length int) {
	files := map[string]string{}
	for i := range length {
		head := fmt.Sprintf("study: s%d\n", i)
		if i < length-1 {
			head += fmt.Sprintf("extends: s%d.yaml\n", i+1)
		} else {
			head += "model: coallocation\nexperiments: {e: {}}\n"
		}
		most := min(1<<20, 2<<20/length) - 100
		name := "study.yaml"
		if i > 0 {
			name = fmt.Sprintf("s%d.yaml", i)
		}
		files[name] = many(most, head+fmt.Sprintf("factors: {f%d: [", i), "%d,", "]}\n")
	}
	checkFiles(t, files, 20*time.Second, 500<<20)
}

// checkFiles checks study.yaml among some files.
func checkFiles(t *testing.T, files map[string]string, mostTime time.Duration, mostMemory int64) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "published"), 0o777); err != nil {
		t.Fatal(err)
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	status := filepath.Join(t.TempDir(), "status")
	c := exec.Command("gridsweep-measured", "check", "study.yaml")
	c.Dir, c.Env = dir, append(os.Environ(), statusVariable+"="+status)
	text, err := c.CombinedOutput()
	if code := c.ProcessState.ExitCode(); code != 0 && code != exitUsage {
		t.Errorf("check ends with %d: %v\n%.2000s", code, err, text)
	}
	if len(text) > 2<<20 {
		t.Errorf("check prints %d bytes", len(text))
	}
	// independent of other processes
	took := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	memory := peakMemory(t, status)
	if took > mostTime || memory > mostMemory {
		t.Errorf("check takes %v of processors and %d MB", took, memory>>20)
	}
	t.Logf("%v, %d MB, %d bytes printed: %.200s", took, memory>>20, len(text), text)
}

// peakMemory returns the peak memory of a process in bytes, from a copy of its /proc/self/status.
func peakMemory(t *testing.T, status string) int64 {
	t.Helper()
	text, err := os.ReadFile(status)
	if err != nil {
		t.Fatal(err)
	}
	var kilobytes int64
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscan(after, &kilobytes); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return kilobytes << 10
}
