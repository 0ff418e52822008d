// Package source computes fingerprints of Go source: a model has the same fingerprint in two
// programs with the same code for it, whatever machine, system and options they were built with.
// Its one idea: it hashes the tokens of a package and of its imports, so that comments, layout and
// line endings do not matter.
package source

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Tree is the Go packages below a folder, without that of the folder itself.
type Tree struct {
	Path  string // the import path of the folder
	Files fs.FS
}

// Has reports whether the package of an import path lies in the tree.
func (t Tree) Has(pkg string) bool { return strings.HasPrefix(pkg, t.Path+"/") }

// Fingerprint returns a SHA-256 of a package and of all packages of the tree that it imports,
// directly or not. If own is not nil, it replaces the package by all files in own. Go files count
// by their names and tokens, including directives (//go:) and whatever system they are for; tests
// do not count. Other files count by their bytes.
func (t Tree) Fingerprint(pkg string, own fs.FS) (string, error) {
	files := map[string]string{} // their hashed text, by import path and name
	queue := []string{pkg}
	if own != nil {
		var names []string
		err := fs.WalkDir(own, ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				names = append(names, name)
			}
			return err
		})
		if err != nil {
			return "", fmt.Errorf("source of %s: %w", pkg, err)
		}
		if queue, err = add(files, pkg, own, names); err != nil {
			return "", err
		}
	}
	for seen := map[string]bool{}; len(queue) > 0; queue = queue[1:] {
		next := queue[0]
		if seen[next] || !t.Has(next) {
			continue
		}
		seen[next] = true
		names, err := fs.Glob(t.Files, path.Join(".", strings.TrimPrefix(next, t.Path), "*.go"))
		if err != nil || len(names) == 0 {
			return "", fmt.Errorf("source of %s: there is no Go file of %s", pkg, next)
		}
		imported, err := add(files, t.Path, t.Files, names)
		if err != nil {
			return "", err
		}
		queue = append(queue, imported...)
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%d %s %d %s\n", len(name), name, len(files[name]), files[name])
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// add adds the text to be hashed of files in a folder with an import path, and returns the imports
// of the Go files.
func add(files map[string]string, pkg string, folder fs.FS, names []string) (imported []string, err error) {
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, fmt.Errorf("source of %s: %w", pkg, err)
		}
		full := path.Join(pkg, name)
		if !strings.HasSuffix(name, ".go") {
			files[full] = string(text)
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), full, text, parser.ImportsOnly)
		if err != nil {
			return nil, fmt.Errorf("source of %s: %w", pkg, err)
		}
		for _, spec := range parsed.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, fmt.Errorf("source of %s: %s: import %s: %w", pkg, full, spec.Path.Value, err)
			}
			imported = append(imported, to)
		}
		files[full] = tokens(text)
	}
	return imported, nil
}

// tokens returns the tokens of a Go file, each followed by a zero byte, which no token contains.
func tokens(text []byte) string {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(text)), text, nil, scanner.ScanComments)
	var all strings.Builder
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return all.String()
		case tok == token.COMMENT && !strings.HasPrefix(literal, "//go:"):
			continue
		case !tok.IsLiteral() && tok != token.COMMENT: // a semicolon may be a line's end
			literal = tok.String()
		}
		all.WriteString(literal)
		all.WriteByte(0)
	}
}
