// The program and its tests type-check for Windows and macOS.

package cli

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The program and its tests have no type errors on other systems. Compiling all libraries for each
// system would take ten times as long.
func TestOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: checks the types of all libraries too, for each system")
	}
	t.Parallel()
	for _, system := range []string{"windows", "darwin"} {
		loaded, err := packages.Load(&packages.Config{
			Context: t.Context(),
			Mode:    packages.LoadAllSyntax,
			Dir:     root,
			Env:     append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off"),
			Tests:   true,
		}, "./...")
		if err != nil {
			t.Fatalf("%s: %v", system, err)
		}
		packages.Visit(loaded, nil, func(p *packages.Package) {
			for _, wrong := range p.Errors {
				t.Errorf("%s: %v", system, wrong)
			}
		})
	}
}
