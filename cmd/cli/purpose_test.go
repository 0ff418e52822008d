// Every Go file opens with a comment on what it is for, so that a reader knows whether to read on.

package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

func TestFilesSayWhatTheyAreFor(t *testing.T) {
	mode := parser.ParseComments | parser.SkipObjectResolution
	eachGoFile(t, mode, func(_ *token.FileSet, path string, file *ast.File) {
		if !opensWithComment(file) {
			t.Errorf("%s: say in a comment above the package clause what the file is for", path)
		}
	})
}

// opensWithComment reports whether a comment that is no directive is above the package clause.
func opensWithComment(file *ast.File) bool {
	for _, comment := range file.Comments {
		if comment.Pos() < file.Package && comment.Text() != "" {
			return true
		}
	}
	return false
}

func TestOpeningComments(t *testing.T) {
	for source, want := range map[string]bool{
		"// Package a does things.\npackage a\n":        true,
		"// Things.\n\npackage a\n\nvar x int\n":        true,
		"//go:build linux\n\n// Things.\n\npackage a\n": true,
		"package a\n": false,
		"package a\n\n// Things.\n\nimport \"fmt\"\n": false,
		"package a\n\n// f does.\nfunc f() {}\n":      false,
		"//go:build linux\n\npackage a\n":             false,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a.go", source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if have := opensWithComment(file); have != want {
			t.Errorf("opens with a comment: %t, want %t:\n%s", have, want, source)
		}
	}
}
