// Expansion by foreach stops at its limits within seconds, and made entries have the positions of
// the text that they are made from.

package configs

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestForeachIsBounded checks that a short file with a huge expansion is rejected before it is
// expanded.
func TestForeachIsBounded(t *testing.T) {
	const head = "study: a\nmodel: m\nfactors: {k: [1, 2]}\nexperiments: {e: {cross: k}}\n"
	list := func(n int) string { return strings.TrimSuffix(strings.Repeat("0,", n), ",") }
	var axes, nested strings.Builder
	for i := range 40 {
		fmt.Fprintf(&axes, "v%d: [1, 2],", i)
	}
	nested.WriteString("claims: ")
	for i := range 6 {
		fmt.Fprintf(&nested, "{g%d: {foreach: {v%d: [%s]}, claims: ", i, i, list(9000))
	}
	nested.WriteString("{c: {of: e}}" + strings.Repeat("}}", 6) + "\n")
	for name, c := range map[string]struct{ text, want string }{
		"values":  {"claims: {c: {foreach: {v: [" + list(20000) + "]}}}\n", "makes more than 10000 entries"},
		"product": {"claims: {c: {foreach: {" + axes.String() + "}}}\n", "makes more than 10000 entries"},
		"levels":  {"", "makes more than 10000 entries"},
		"entries": {"tables: {a<v>: {foreach: {v: [" + list(6000) + "]}}, b<v>: {foreach: {v: [" + list(6000) + "]}}}\n",
			"several entries of the name"},
		"wrong": {"claims: {g: {foreach: {v: [" + list(9000) + "]}, claims: {h: {foreach: {w: " +
			"[" + list(9000) + ",[[]]]}}}}}\n", "more than 200000 keys and values"},
		"rows":   {"tables: {a: {foreach: [" + strings.Repeat("{a: 1},", 20000) + "]}}\n", "has 20000 rows; at most 10000"},
		"nested": {nested.String(), "more than 200000 keys and values"},
		"words": {"claims: {c<v><w>: {foreach: {v: [" + list(90) + "], w: [" + list(90) + "]}, order: " +
			"[" + list(100) + "]}}\n", "more than 200000 keys and values"},
		"text": {"claims: {c<v>: {foreach: {v: [" + strings.Repeat("x", 50_000) + ", y]}, doc: " + strings.Repeat("<v>",
			50_000) + "}}\n", "longer than 4 MB"},
		"brackets": {"claims: {c: {foreach: {v: 1}, doc: " + strings.Repeat("<", 300_000) + strings.Repeat("<a>",
			100_000) + "}}\n", "nothing says what <a>"},
	} {
		t.Run(name, func(t *testing.T) {
			text := head + c.text
			if name == "levels" {
				text = "study: a\nmodel: m\nfactors: {k: {<v>: {foreach: {v: [" + list(20000) + "]}}}}\nexperiments: {e: {cross: " +
					"k}}\n"
			}
			start := time.Now()
			_, problems := (&loader{library: Builtin(), ctx: t.Context(), left: mostBytes}).interpret([]byte(text),
				location{path: "bounds.yaml"})
			if shown := problems.Error(); !strings.Contains(shown, c.want) {
				t.Errorf("got %.500s\nwant %s", shown, c.want)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestForeachKeepsPlaces checks that entries made by foreach and groups have the positions of their
// text, and that foreach may name a factor of the extended study.
func TestForeachKeepsPlaces(t *testing.T) {
	const text = `study: mine
extends: coallocation
claims:
  group:
    of: rate
    claims:
      <start> rises:
        foreach: start
        show: <what>
        where: {start: <start>, next: 1E}
        along: lambda
        trend: rises
`
	study, problems := (&loader{library: Builtin(), ctx: t.Context(), left: mostBytes}).interpret(
		[]byte(strings.Replace(text, "<what>", "blocking", 1)), location{path: "mine.yaml"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	claims := study.Claims[len(study.Claims)-4:]
	for i, level := range []string{"1A", "1B", "1C", "1D"} {
		c := claims[i]
		for _, at := range []struct {
			got  Text
			want string
		}{
			{c.Name, level + " rises 7:7"}, {c.Of, "rate 5:9"}, {c.Show[0], "blocking 9:15"}, {c.Where[0].Labels[0],
				level + " 10:24"},
			{c.Where[1].Dimension, "next 10:33"},
		} {
			if got := fmt.Sprintf("%s %d:%d", at.got.Value, at.got.Pos.Line, at.got.Pos.Column); got != at.want {
				t.Errorf("got %s, want %s", got, at.want)
			}
		}
	}
	_, problems = (&loader{library: Builtin(), ctx: t.Context(), left: mostBytes}).interpret([]byte(text),
		location{path: "mine.yaml"})
	want := `mine.yaml:9:15: claims."<start> rises": nothing says what <what> stands for; known are start
            show: <what>
                  ^`
	if got := problems.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
