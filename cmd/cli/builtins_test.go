// No identifier has the name of one of Go's predeclared functions: a reader would take it for them.

package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestNoBuiltinIsShadowed(t *testing.T) {
	eachGoFile(t, parser.SkipObjectResolution, func(files *token.FileSet, _ string, file *ast.File) {
		ast.Inspect(file, func(node ast.Node) bool {
			for _, name := range declared(node) {
				if _, isBuiltin := types.Universe.Lookup(name.Name).(*types.Builtin); isBuiltin || name.Name == "any" {
					t.Errorf("%s: %s is a name of Go", files.Position(name.Pos()), name.Name)
				}
			}
			return true
		})
	})
}

// declared returns the names that a node declares in a scope; fields and methods are in none.
func declared(node ast.Node) (names []*ast.Ident) {
	add := func(expressions ...ast.Expr) {
		for _, e := range expressions {
			if name, isName := e.(*ast.Ident); isName {
				names = append(names, name)
			}
		}
	}
	switch node := node.(type) {
	case *ast.AssignStmt:
		if node.Tok == token.DEFINE {
			add(node.Lhs...)
		}
	case *ast.RangeStmt:
		if node.Tok == token.DEFINE {
			add(node.Key, node.Value)
		}
	case *ast.ValueSpec:
		return node.Names
	case *ast.TypeSpec:
		add(node.Name)
	case *ast.FuncDecl:
		if node.Recv == nil {
			add(node.Name)
		}
	case *ast.FuncType:
		for _, fields := range []*ast.FieldList{node.TypeParams, node.Params, node.Results} {
			if fields == nil {
				continue
			}
			for _, field := range fields.List {
				names = append(names, field.Names...)
			}
		}
	}
	return names
}
