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
			t.Errorf("%s: say in a comment before or below the package clause what the file is for", path)
		}
	})
}

// opensWithComment reports whether a comment that documents no declaration, and is no directive, is
// above the first declaration or import.
func opensWithComment(file *ast.File) bool {
	documented := map[*ast.CommentGroup]bool{}
	first := file.FileEnd
	for _, declaration := range file.Decls {
		first = min(first, declaration.Pos())
		switch d := declaration.(type) {
		case *ast.GenDecl:
			documented[d.Doc] = true
		case *ast.FuncDecl:
			documented[d.Doc] = true
		}
	}
	for _, comment := range file.Comments {
		if comment.Pos() < first && !documented[comment] && comment.Text() != "" {
			return true
		}
	}
	return false
}

func TestOpeningComments(t *testing.T) {
	for source, want := range map[string]bool{
		"// Package a does things.\npackage a\n":               true,
		"// Things.\n\npackage a\n\nvar x int\n":               true,
		"package a\n\n// Things.\n\nimport \"fmt\"\n":          true,
		"package a\n\n// Things.\n\n// f does.\nfunc f() {}\n": true,
		"//go:build linux\n\npackage a\n\n// Things.\n":        true,
		"package a\n":                                            false,
		"package a\n\n// f does.\nfunc f() {}\n":                 false,
		"package a\n\n// x is.\nvar x int\n":                     false,
		"package a\n\nimport \"fmt\"\n\n// Things.\n":            false,
		"//go:build linux\n\npackage a\n\nfunc f() {}\n":         false,
		"//go:build linux\n\npackage a\n\n// x is.\nvar x int\n": false,
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
