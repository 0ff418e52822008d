// Static checks that models compute the same bits everywhere: type-checked source without loops
// over maps, goroutines and inexact math, and machine code without fused instructions. Snippets
// with known offences test the checks.

package cli

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exact are the functions of package math whose results have the same bits on every processor,
// since they are exact or correctly rounded. The others use different instructions on different
// processors; model/rng has portable versions of those that models need.
var exact = []string{
	"Abs", "Ceil", "Copysign", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp",
	"Max", "Min", "Mod", "Modf", "NaN", "Nextafter", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",
}

// No code under model/ depends on the order of a map, on goroutines or on functions that differ
// between processors.
func TestModelIsDeterministic(t *testing.T) {
	for _, offence := range offences(t, root, "./model/...") {
		t.Error(offence)
	}
}

func TestOffencesAreFound(t *testing.T) {
	dir := snippet(t, `package snippet

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

type table map[string]int

func f(m table, r *rand.Rand) (sum float64) {
	for name := range m { // 1
		sum += float64(len(name))
	}
	for name := range maps.Keys(m) { // 2
		sum += float64(len(name))
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		sum += float64(len(name))
	}
	go func() {}()                  // 3
	sum += math.Exp(1)              // 4
	pow := math.Pow                 // 5
	sum += r.NormFloat64()          // 6
	return math.Floor(pow(2, math.Pi)) + sum
}
`)
	if found := offences(t, dir, "."); len(found) != 6 {
		t.Errorf("found %d offences, want 6:\n%s", len(found), strings.Join(found, "\n"))
	}
}

// offences type-checks the packages of a pattern and returns the code whose results may differ
// between two runs or two machines.
func offences(t *testing.T, dir, pattern string) []string {
	t.Helper()
	exports := map[string]string{} // import path → file of its types
	type folder struct {
		path, dir string
		files     []string
	}
	var folders []folder
	const format = `{{.ImportPath}}|{{.Export}}|{{.Dir}}|{{join .GoFiles ","}}|{{.DepOnly}}`
	list := output(t, dir, nil, "go", "list", "-export", "-deps", "-f", format, pattern)
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		fields := strings.Split(line, "|")
		exports[fields[0]] = fields[1]
		if fields[4] == "false" {
			folders = append(folders, folder{fields[0], fields[2], strings.Split(fields[3], ",")})
		}
	}
	if len(folders) == 0 {
		t.Fatalf("%s has no packages", pattern)
	}
	set := token.NewFileSet()
	compiled := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var found []string
	for _, f := range folders {
		var files []*ast.File
		for _, name := range f.files {
			file, err := parser.ParseFile(set, filepath.Join(f.dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		if _, err := (&types.Config{Importer: compiled}).Check(f.path, set, files, info); err != nil {
			t.Fatal(err)
		}
		report := func(at token.Pos, text string) {
			found = append(found, set.Position(at).String()+": "+text)
		}
		for _, file := range files {
			inspect(file, info, report)
		}
	}
	return found
}

// inspect reports the offences in a file.
func inspect(file *ast.File, info *types.Info, report func(token.Pos, string)) {
	sorted := map[ast.Node]bool{} // calls that are the argument of a sort
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			report(n.Pos(), "a goroutine: concurrency lives in pipeline only")
		case *ast.RangeStmt:
			if _, isMap := info.TypeOf(n.X).Underlying().(*types.Map); isMap {
				report(n.Pos(), "a loop in the order of a map: sort its keys first")
			}
		case *ast.CallExpr:
			if isUse(info, n.Fun, "slices", "Sorted", "SortedFunc") {
				sorted[n.Args[0]] = true
			}
			if isUse(info, n.Fun, "maps", "All", "Keys", "Values") && !sorted[n] {
				report(n.Pos(), "a sequence in the order of a map: sort it at once with slices.Sorted")
			}
		case *ast.Ident:
			used, isFunc := info.Uses[n].(*types.Func)
			if !isFunc || used.Pkg() == nil {
				break
			}
			if used.Pkg().Path() == "math" && !slices.Contains(exact, used.Name()) {
				report(n.Pos(), "math."+used.Name()+" differs between processors: model/rng has what gives the same bits")
			}
			if used.Name() == "NormFloat64" || used.Name() == "ExpFloat64" {
				report(n.Pos(), used.Name()+" differs between processors: use model/rng")
			}
		}
		return true
	})
}

// isUse reports whether an expression is one of the named functions of a package.
func isUse(info *types.Info, expression ast.Expr, path string, names ...string) bool {
	if index, generic := expression.(*ast.IndexExpr); generic {
		expression = index.X
	}
	selector, ok := expression.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	used, isFunc := info.Uses[selector.Sel].(*types.Func)
	return isFunc && used.Pkg() != nil && used.Pkg().Path() == path && slices.Contains(names, used.Name())
}

// fusing are the settings for processors on which Go fuses products and sums. The names of their
// instructions are similar.
var fusing = []string{"GOARCH=arm64", "GOARCH=s390x", "GOARCH=ppc64le", "GOARCH=riscv64", "GOAMD64=v3"}

var (
	// fused finds the instructions that multiply and add with one rounding.
	fused = regexp.MustCompile(`\t(FN?M(ADD|SUB)[SD]?|VFN?M(ADD|SUB)\d+S[SD])\t`)
	// product finds those that multiply only.
	product = regexp.MustCompile(`\tF?MUL(S|D|SD|SS)?\t`)
)

// assembly returns the instructions of packages for a processor.
func assembly(t *testing.T, dir, processor, packages string) (instructions []string) {
	t.Helper()
	env := []string{"CGO_ENABLED=0", processor}
	if !strings.HasPrefix(processor, "GOARCH=") {
		env = append(env, "GOARCH=amd64")
	}
	text := output(t, dir, env, "go", "build", "-gcflags="+packages+"=-S", packages)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "\t0x") {
			instructions = append(instructions, strings.TrimSpace(line))
		}
	}
	return instructions
}

// matching returns the instructions that an expression finds.
func matching(instructions []string, expression *regexp.Regexp) (found []string) {
	for _, instruction := range instructions {
		if expression.MatchString(instruction) {
			found = append(found, instruction)
		}
	}
	return found
}

// Go may compute a*b + c with one rounding if the processor can, and then the last bit differs from
// other machines. In models every product that is added is written float64(a*b) + c, which forbids
// it.
func TestModelHasNoFusedInstruction(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: compiles for other processors")
	}
	t.Parallel()
	for _, processor := range fusing {
		instructions := assembly(t, root, processor, "gridsweep/model/...")
		if len(instructions) < 1000 {
			t.Fatalf("%s: the compiler printed %d instructions, too few for a test", processor, len(instructions))
		}
		for _, instruction := range matching(instructions, fused) {
			t.Errorf("%s: fused, write float64(a*b) + c: %s", processor, instruction)
		}
	}
}

// Each product that is added is compiled into an instruction that either fused or product finds.
func TestFusedInstructionsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: compiles for other processors")
	}
	t.Parallel()
	var source strings.Builder
	source.WriteString("package snippet\n")
	bodies := []string{"a*b + c", "c - a*b", "a*b - c", "-a*b - c"}
	for i, body := range bodies {
		fmt.Fprintf(&source, "\nfunc F%d(a, b, c float64) float64 { return %s }\n", i, body)
		fmt.Fprintf(&source, "\nfunc G%d(a, b, c float32) float32 { return %s }\n", i, body)
	}
	dir := snippet(t, source.String())
	apart := snippet(t, "package snippet\n\nfunc F(a, b, c float64) float64 { return float64(a*b) + c }\n")
	for _, processor := range fusing {
		instructions := assembly(t, dir, processor, "snippet")
		joined, products := matching(instructions, fused), matching(instructions, product)
		if len(joined) < 2 || len(joined)+len(products) != 2*len(bodies) {
			t.Errorf("%s: found %d fused instructions and %d products, want %d together, two at least fused:\n%s",
				processor, len(joined), len(products), 2*len(bodies), strings.Join(instructions, "\n"))
		}
		if joined := matching(assembly(t, apart, processor, "snippet"), fused); len(joined) != 0 {
			t.Errorf("%s: float64(a*b) + c is fused: %q", processor, joined)
		}
	}
}

// snippet returns the folder of a module called snippet with one file.
func snippet(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module snippet\n\ngo 1.26\n", "snippet.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
