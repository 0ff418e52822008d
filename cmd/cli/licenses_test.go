// NOTICE and THIRD_PARTY_LICENSES.txt equal the licences of the linked modules, modules with
// unknown terms are reported, and the program prints all licences.

package cli

import (
	goversion "go/version"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gridsweep/docs"
)

// NOTICE and docs/THIRD_PARTY_LICENSES.txt equal the linked modules, whose licences are accepted or
// reviewed.
func TestDocsOfLicensesAreCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	list := linked(t)
	for _, c := range list {
		c.read(t)
		for _, problem := range c.problems() {
			t.Errorf("%s: %s: read what it says and enter it in reviewed, or drop the module", c.name, problem)
		}
	}
	for name := range reviewed {
		if !slices.ContainsFunc(list, func(c *component) bool { return c.name == name }) {
			t.Errorf("%s is not linked: remove it from reviewed", name)
		}
	}
	if t.Failed() {
		return
	}
	declared := "go" + strings.TrimSpace(goList(t, nil, "-m", "-f", "{{.GoVersion}}"))
	if release := goversion.Lang(declared); goversion.Lang(runtime.Version()) != release {
		t.Skipf("the files have the licences in the library of %s, and this is %s", release, runtime.Version())
	}
	page := notice(list)
	for file, want := range map[string]string{
		"NOTICE":                        page,
		"docs/THIRD_PARTY_LICENSES.txt": licences(content(t, filepath.Join(root, "LICENSE")), page, list),
	} {
		path := filepath.Join(root, filepath.FromSlash(file))
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || string(have) != want {
			t.Errorf("%s differs from the linked modules (%v): make docs", file, err)
		}
	}
}

const isc = `Copyright (c) 2026 A. Person

Permission to use, copy, modify, and distribute this software for any purpose with or without fee
is hereby granted, provided that the above copyright notice and this permission notice appear in
all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS
SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE
AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE
OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS
SOFTWARE.
`

const gpl = `This program is free software: you can redistribute it and/or modify it under the terms of the GNU
General Public License as published by the Free Software Foundation, either version 3 of the
License, or (at your option) any later version.

This program is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY; without
even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU
General Public License for more details.`

// Modules without a licence, with one that is not accepted, or with further terms are reported, be
// they in files beside any linked package or in source code.
func TestLicencesToReview(t *testing.T) {
	commented := "package b\n\n// From c:\n//\n// " + strings.ReplaceAll(isc, "\n", "\n// ") + "\nfunc f() {}\n"
	for _, c := range []struct {
		files          map[string]string
		texts, notices int
		problem        string
	}{
		{map[string]string{"LICENSE": isc, "README.md": "how to use it", "a/licence.go": "package a"}, 1, 0, ""},
		{map[string]string{"COPYING": isc, "a/b/LICENSE-b.txt": isc, "NOTICE": "It is A.'s.", "c/LICENSE": "x"}, 2, 1, ""},
		{map[string]string{"LICENSE": strings.Replace(isc, "A. Person", "B. Person", 1), "a/b/b.go": commented}, 2, 0, ""},
		{map[string]string{"README.md": isc}, 0, 0, "no licence is recognised"},
		{map[string]string{"LICENSE": "Do what is right."}, 1, 0, "no licence is recognised"},
		{map[string]string{"LICENSE": isc, "a/LICENSE": gpl}, 2, 0, "licence GPL-3.0-or-later is not accepted"},
		{map[string]string{"LICENSE": isc + strings.Repeat("Whoever earns money with it pays half of it to us. ", 20)}, 1, 0,
			"% of LICENSE are a known licence"},
	} {
		dir := t.TempDir()
		linked := filepath.Join(dir, "a", "b")
		if err := os.MkdirAll(linked, 0o777); err != nil {
			t.Fatal(err)
		}
		module := component{root: dir, folders: map[string]bool{linked: true}, sources: map[string]bool{}}
		for name, text := range c.files {
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "b.go") {
				module.sources[file] = true
			}
		}
		module.read(t)
		problems := strings.Join(module.problems(), "; ")
		if len(module.texts) != c.texts || len(module.notices) != c.notices || (problems == "") != (c.problem == "") ||
			!strings.Contains(problems, c.problem) {
			t.Errorf("%v: texts %v, notices %v, problems %q, want %q",
				c.files, module.texts, module.notices, problems, c.problem)
		}
		for _, l := range module.texts {
			if l.source == "source code" && l.text != isc {
				t.Errorf("in the source: %s", l.text)
			}
		}
	}
}

// The program prints its notice and all licences.
func TestLicensesArePrinted(t *testing.T) {
	var out, messages strings.Builder
	if err := execute(t.Context(), []string{"licenses"}, nil, &out, &messages); err != nil {
		t.Fatal(messages.String())
	}
	for _, file := range []string{"NOTICE", "LICENSE"} {
		if !strings.Contains(out.String(), content(t, filepath.Join(root, file))) {
			t.Errorf("gridsweep licenses does not print %s", file)
		}
	}
	if out.String() != docs.Licenses {
		t.Error("gridsweep licenses does not print docs/THIRD_PARTY_LICENSES.txt")
	}
}

// The licence of the program is the one that CITATION.cff names.
func TestLicenceAndCitationAgree(t *testing.T) {
	scan := licenceScanner().Scan([]byte(content(t, filepath.Join(root, "LICENSE"))))
	if len(scan.Match) != 1 || scan.Percent < 100 {
		t.Fatalf("LICENSE is %+v", scan)
	}
	want := "\nlicense: " + scan.Match[0].ID + "\n"
	if !strings.Contains(content(t, filepath.Join(root, "CITATION.cff")), want) {
		t.Errorf("CITATION.cff does not have%s", want)
	}
}

// docs/CITATION.cff, which is in the program and in bundles, equals CITATION.cff.
func TestDocsOfCitationAreCurrent(t *testing.T) {
	want := content(t, filepath.Join(root, "CITATION.cff"))
	path := filepath.Join(root, "docs", "CITATION.cff")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != want {
		t.Errorf("docs/CITATION.cff is no copy of CITATION.cff (%v): make docs", err)
	}
}
