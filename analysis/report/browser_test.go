// Tests of the page in a browser: accessibility, and the script that filters, searches and sorts.

package report

import (
	"context"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// axe-core finds nothing on pages in light and dark colours, with all evidence open; the script
// filters, searches and sorts.
func TestPageInBrowser(t *testing.T) {
	axe := os.Getenv("GRIDSWEEP_AXE")
	if axe == "" {
		t.Skip("GRIDSWEEP_AXE is not the file axe.min.js of axe-core")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no Chromium")
	}
	library, err := os.ReadFile(axe)
	if err != nil {
		t.Fatal(err)
	}
	const check = `
document.querySelectorAll("details").forEach((d) => { d.open = true; });
axe.run().then((found) => report(found.violations.map((v) => v.id + ": " + v.nodes[0].html).join("\n")));`
	const use = `
const controls = document.querySelector(".controls"), lines = [];
const note = (what) => {
  const shown = [...controls.parentElement.querySelectorAll(".claim:not([hidden]) h4")];
  lines.push(what + ": " + shown.map((h) => h.textContent.split(".")[0]).join(" "));
};
const change = (element, property, value) => {
  element[property] = value;
  element.dispatchEvent(new Event("input", {bubbles: true}));
};
note("paper");
change(controls.elements.order, "value", "verdict");
note("verdict");
change(controls.elements.words, "value", "gap largest");
note("search");
change(controls.elements.words, "value", "");
change(controls.elements.order, "value", "paper");
for (const box of controls.elements.verdict) change(box, "checked", box.value === "inconclusive");
note("inconclusive");
report(lines.join("\n"));`
	for name, c := range map[string]struct{ script, flag, want string }{
		"light":    {string(library) + check, "--blink-settings=preferredColorScheme=1", ""},
		"dark":     {string(library) + check, "--blink-settings=preferredColorScheme=0", ""},
		"controls": {use, "--blink-settings=preferredColorScheme=1", wantedClaims},
	} {
		t.Run(name, func(t *testing.T) {
			if got := inBrowser(t, browser, fakePage(), c.flag, c.script); got != c.want {
				t.Errorf("have %q, want %q", got, c.want)
			}
		})
	}
}

// A value of 64 digits leaves room for the description of each parameter on a page of 1,200 pixels.
func TestParametersFitThePage(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no Chromium")
	}
	page := fakePage()
	page.Studies[0].Parameters[0].Value = "nasa-ipsc@sha256:" + strings.Repeat("0123456789abcdef", 4)
	const measure = `
const table = document.querySelector(".parameters");
report(table.offsetWidth <= table.parentElement.clientWidth ? "fits" : "is " + table.offsetWidth + " wide");`
	if got := inBrowser(t, browser, page, "--window-size=1200,800", measure); got != "fits" {
		t.Error("the table of parameters " + got)
	}
}

const wantedClaims = "paper: C2 C1 C3 C4\nverdict: C1 C3 C2 C4\nsearch: C2\ninconclusive: C3"

// inBrowser returns what a script at the end of a page reports.
func inBrowser(t *testing.T, browser string, page Page, flag, script string) string {
	t.Helper()
	text := strings.Replace(string(htmlOf(t, page)), "</body>", `<pre id="reported"></pre><script>
const report = (text) => { document.querySelector("#reported").textContent = "reported " + text; };
`+strings.ReplaceAll(script, "</script>", `<\/script>`)+"</script></body>", 1)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	content, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", flag,
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=100000", "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Fatal(err)
	}
	reported := regexp.MustCompile(`(?s)<pre id="reported">reported (.*?)</pre>`).FindSubmatch(content)
	if reported == nil {
		t.Fatal("the script did not end")
	}
	return html.UnescapeString(string(reported[1]))
}
