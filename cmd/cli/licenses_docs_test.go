// The licences of all linked modules: their detection, the reviewed exceptions, and the files
// NOTICE and THIRD_PARTY_LICENSES.txt, which licenses_test.go compares.

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"github.com/google/licensecheck"
	"github.com/jedib0t/go-pretty/v6/text"
)

// platforms are those of a release, as GOOS/GOARCH.
var platforms = []string{
	"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64",
}

// accepted are the licences that any module may have, by SPDX names, besides GooglePatentsFile, the
// patent grant of Go, and SunPro, the permission in code from FreeBSD's mathematical library.
var accepted = []string{
	"Apache-2.0", "BSD-1-Clause", "BSD-2-Clause", "BSD-3-Clause", "GooglePatentsFile", "ISC", "MIT", "OFL-1.1", "SunPro",
}

// goLibrary is the name of the standard library in NOTICE. Its licence is read from
// golang.org/x/sys, since not every installation of Go has the file.
const goLibrary, sameAsGo = "Go standard library", "golang.org/x/sys"

// review is the result of a manual review of a module whose licence files do not suffice.
type review struct {
	files    []string // further files with licences, by their paths in the module
	licences []string // accepted for this module only
	note     string   // for NOTICE: what its licence requires, or where it is
}

var reviewed = map[string]review{
	"github.com/golang/freetype": {
		files:    []string{"licenses/ftl.txt"},
		licences: []string{"FTL"},
		note: "is used under the FreeType License, one of the two that its LICENSE offers. gridsweep is based in " +
			"part on the work of the FreeType Team, https://www.freetype.org.",
	},
	"github.com/hashicorp/golang-lru/v2": {
		licences: []string{"MPL-2.0"},
		note: "is used unchanged under the Mozilla Public License 2.0. Its source code is at " +
			"https://github.com/hashicorp/golang-lru, under the tag of the version above.",
	},
	"golang.org/x/image": {
		files: []string{"font/gofont/ttfs/README"},
		note:  "contains the Go fonts, Copyright (c) 2016 Bigelow & Holmes Inc.",
	},
}

// component is third-party software that is linked into the program.
type component struct {
	name, version string
	root          string          // its folder
	folders       map[string]bool // of its packages that are linked
	sources       map[string]bool // their files that are compiled
	licences      []string        // SPDX names, in the order in which they were found
	texts         []licenceText
	notices       []licenceText
	doubts        []string
}

type licenceText struct{ source, text string }

// listedPackage is the output of go list for a package.
type listedPackage struct {
	Dir             string
	Standard        bool
	GoFiles, SFiles []string
	HFiles          []string
	Module          *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// goList returns the output of go list, independent of flags, workspaces and vendored modules of
// the environment.
func goList(t *testing.T, env []string, args ...string) string {
	t.Helper()
	c := exec.Command("go", append([]string{"list"}, args...)...)
	c.Dir = root
	c.Env = append(append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off"), env...)
	var messages strings.Builder // includes downloads of modules
	c.Stderr = &messages
	printed, err := c.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s\nWithout a network, run go mod download before.", err, messages.String())
	}
	return string(printed)
}

// linked lists the components of the program on all platforms by their names.
func linked(t *testing.T) []*component {
	t.Helper()
	found := map[string]*component{}
	for _, platform := range platforms {
		system, processor, _ := strings.Cut(platform, "/")
		env := []string{"GOOS=" + system, "GOARCH=" + processor, "CGO_ENABLED=0"}
		list := json.NewDecoder(strings.NewReader(goList(t, env, "-deps",
			"-json=Dir,Standard,GoFiles,SFiles,HFiles,Module", "./cmd/gridsweep")))
		for {
			var p listedPackage
			err := list.Decode(&p)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("go list for %s: %v", platform, err)
			}
			name, version, folder := goLibrary, "", ""
			if !p.Standard {
				if p.Module.Main {
					continue
				}
				name, version, folder = p.Module.Path, p.Module.Version, p.Module.Dir
			}
			c := found[name]
			if c == nil {
				c = &component{name: name, version: version, root: folder, folders: map[string]bool{}, sources: map[string]bool{}}
				found[name] = c
			}
			if p.Module != nil {
				c.folders[p.Dir] = true
			}
			for _, file := range slices.Concat(p.GoFiles, p.SFiles, p.HFiles) {
				c.sources[filepath.Join(p.Dir, file)] = true
			}
		}
	}
	found[goLibrary].root = found[sameAsGo].root
	return slices.SortedFunc(maps.Values(found), func(a, b *component) int { return strings.Compare(a.name, b.name) })
}

// licenceFile matches names of files with licences, noticeFile those of files whose text must be
// passed on by section 4(d) of the Apache License.
var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|unlicense|copying|copyright|patents)([-_.].*)?$`)
	noticeFile  = regexp.MustCompile(`(?i)^notices?([-_.].*)?$`)
)

// read finds the texts of a component: the files beside its linked packages and above them, those
// that the review names, and the licences in comments of source files.
func (c *component) read(t *testing.T) {
	t.Helper()
	folders := map[string]bool{c.root: true}
	for folder := range c.folders {
		for ; folder != c.root; folder = filepath.Dir(folder) {
			folders[folder] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			switch name := entry.Name(); {
			case entry.IsDir() || filepath.Ext(name) == ".go":
			case noticeFile.MatchString(name):
				file := filepath.Join(folder, name)
				c.notices = append(c.notices, licenceText{c.source(t, file), content(t, file)})
			case licenceFile.MatchString(name):
				c.readLicence(t, filepath.Join(folder, name))
			}
		}
	}
	for _, file := range reviewed[c.name].files {
		c.readLicence(t, filepath.Join(c.root, filepath.FromSlash(file)))
	}
	for _, file := range slices.Sorted(maps.Keys(c.sources)) {
		c.readSource(t, file)
	}
}

// source returns a file's path in the component.
func (c *component) source(t *testing.T, file string) string {
	t.Helper()
	path, err := filepath.Rel(c.root, file)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(path)
}

func (c *component) readLicence(t *testing.T, file string) {
	t.Helper()
	const recognised = 75 // percent of a file's words; with less it may have further terms
	found := licenceText{c.source(t, file), content(t, file)}
	c.texts = append(c.texts, found)
	scan := licenceScanner().Scan([]byte(found.text))
	for _, match := range scan.Match {
		c.addLicence(match.ID)
	}
	if scan.Percent < recognised {
		c.doubts = append(c.doubts, fmt.Sprintf("%.0f %% of %s are a known licence", scan.Percent, found.source))
	}
}

// problems returns what needs a manual review.
func (c *component) problems() []string {
	var list []string
	review, isReviewed := reviewed[c.name]
	if len(c.licences) == 0 {
		list = append(list, "no licence is recognised")
	}
	for _, id := range c.licences {
		if !slices.Contains(accepted, id) && !slices.Contains(review.licences, id) {
			list = append(list, "licence "+id+" is not accepted")
		}
	}
	if !isReviewed {
		list = append(list, c.doubts...)
	}
	return list
}

// content returns the text of a file with normalised line ends and trailing spaces.
func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}

func (c *component) addLicence(id string) {
	if !slices.Contains(c.licences, id) {
		c.licences = append(c.licences, id)
	}
}

// readSource adds the licences in comments of a source file, each text once. References to the
// Apache License are left out, since its text is in a file.
func (c *component) readSource(t *testing.T, file string) {
	t.Helper()
	text := content(t, file)
	if !strings.Contains(text, "ermission") && !strings.Contains(text, "edistribution") {
		return
	}
	for _, match := range licenceScanner().Scan([]byte(text)).Match {
		if match.IsURL || match.ID == "Apache-2.0" {
			continue
		}
		comment := commentAround(text, match.Start, match.End)
		same := func(l licenceText) bool { return strings.Contains(l.text, comment) }
		if !slices.ContainsFunc(c.texts, same) {
			c.addLicence(match.ID)
			c.texts = append(c.texts, licenceText{"source code", comment})
		}
	}
}

// commentAround returns the comment that has text[start:end], from its first line with a copyright
// to the line in which the part ends.
func commentAround(text string, start, end int) string {
	if next := strings.IndexByte(text[end:], '\n'); next >= 0 {
		end += next
	}
	isComment := func(line string) bool {
		line = strings.TrimSpace(line)
		return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "*") || strings.HasPrefix(line, "/*")
	}
	lines := strings.Split(text[:end], "\n")
	first := strings.Count(text[:start], "\n")
	top := first
	for i := first - 1; i >= 0 && isComment(lines[i]); i-- {
		if strings.Contains(lines[i], "opyright") {
			top = i
		}
	}
	var comment strings.Builder
	for _, line := range lines[top:] {
		line = strings.TrimLeft(strings.TrimSpace(line), "/*")
		comment.WriteString(strings.TrimRight(strings.TrimPrefix(line, " "), " */") + "\n")
	}
	return strings.Trim(comment.String(), "\n") + "\n"
}

// licenceScanner recognises the licences that licensecheck knows, and SunPro.
var licenceScanner = sync.OnceValue(func() *licensecheck.Scanner {
	scanner, err := licensecheck.NewScanner(append(licensecheck.BuiltinLicenses(), licensecheck.License{
		ID: "SunPro", Type: licensecheck.Notice,
		LRE: "Permission to use, copy, modify, and distribute this software is freely granted, " +
			"provided that this notice is preserved.",
	}))
	if err != nil {
		panic(err)
	}
	return scanner
})

// notice returns the file NOTICE.
func notice(list []*component) string {
	var page strings.Builder
	page.WriteString(`gridsweep
Copyright 2026 The gridsweep authors

Licensed under the Apache License, Version 2.0, whose text is in the file LICENSE.

The program contains the software of others that is listed here with its licences. Their texts are in
docs/THIRD_PARTY_LICENSES.txt, which "gridsweep licenses" prints.

`)
	table := tabwriter.NewWriter(&page, 0, 0, 2, ' ', 0)
	for _, c := range list {
		fmt.Fprintf(table, "%s\t%s\n", c.title(), strings.Join(c.licences, ", "))
	}
	_ = table.Flush() // a strings.Builder never fails
	for _, c := range list {
		if note := reviewed[c.name].note; note != "" {
			page.WriteString("\n" + text.WrapSoft(c.name+" "+note, 100) + "\n")
		}
	}
	for _, c := range list {
		for _, n := range c.notices {
			fmt.Fprintf(&page, "\n%s, %s:\n\n%s", c.name, n.source, n.text)
		}
	}
	lines := strings.Split(page.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func (c *component) title() string { return strings.TrimSpace(c.name + " " + c.version) }

// licences returns the file THIRD_PARTY_LICENSES.txt: NOTICE, then each text once, with the
// components that have it.
func licences(ours, notice string, list []*component) string {
	owners := map[string]string{ours: "gridsweep: LICENSE\n"}
	texts := []string{ours}
	for _, c := range list {
		for _, l := range c.texts {
			if owners[l.text] == "" {
				texts = append(texts, l.text)
			}
			owners[l.text] += c.title() + ": " + l.source + "\n"
		}
	}
	line := strings.Repeat("=", 100) + "\n"
	var page strings.Builder
	page.WriteString(notice)
	for _, text := range texts {
		page.WriteString("\n" + line + owners[text] + line + "\n" + text)
	}
	return page.String()
}
