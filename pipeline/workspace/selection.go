// The selection of what is planned, and its flags as they are typed.

package workspace

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gridsweep/configs"
	"gridsweep/pipeline/batch"
	"gridsweep/sweeps"
)

// Selection is what is planned of studies and where the results lie, as the flags of the command
// line say it. The same selection makes the same plan, except that with Until the plan grows with
// the dataset. Its JSON is for bundles: what plans the bundled runs again.
type Selection struct {
	Out string `json:"-"` // folder of all results
	// folder of Library.WithFolder, for printed commands; empty for none
	Studies string `json:"-"`
	// small runs that still show all, in Out/quick
	Quick  bool     `json:"quick,omitempty"`
	Set    []string `json:"set,omitempty"`    // parameters in all runs, as NAME=VALUE
	Levels []string `json:"levels,omitempty"` // factors with other levels, as FACTOR=A,B
	// the most universes of an experiment; 0 is its own design
	Universes int `json:"universes,omitempty"`
	// the most replications of a cell; 0 is each experiment's own number
	Replications int `json:"rounds,omitempty"`
	// targets that end replications, see sequential.Parse
	Until           []string `json:"until,omitempty"`
	MaxReplications int      `json:"max_rounds,omitempty"` // with Until, the most of a cell
	// the dataset counts as empty: its runs will be removed
	Fresh bool `json:"-"`
	// experiments to plan; none for all but the optional ones
	Experiments []string `json:"experiments,omitempty"`
	// optional long tables to write; a run that lacks one counts as missing
	Tables []string `json:"tables,omitempty"`
	// the most runs of a study; 0 is sweeps.DefaultMaxRuns
	MaxRuns int `json:"max_runs,omitempty"`
	// use runs that another source of the model made
	Stale bool `json:"-"`
}

// Root returns the folder under which all studies of the selection lie.
func (s Selection) Root() string {
	if s.Quick {
		return filepath.Join(s.Out, quickFolder)
	}
	return s.Out
}

// checkOut returns an error if --out is empty or a URL, or if a file has the name of the folder of
// results or of a folder above it. Other problems of the folder are reported when it is opened.
func (s Selection) checkOut() error {
	if s.Out == "" {
		return errors.New("--out: is empty; name a folder, or leave it out for out")
	}
	if err := RefuseURL(s.Out); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	for path := filepath.Clean(s.Root()); ; path = filepath.Dir(path) {
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("--out %s: %s is a file; name a folder, which need not exist yet", s.Out, path)
		case err == nil || path == filepath.Dir(path):
			return nil
		}
	}
}

// urlPattern matches the beginning of a URL. A drive of Windows has one letter.
var urlPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:/`)

// RefuseURL returns an error if a path of a file or folder is a URL.
func RefuseURL(path string) error {
	if !urlPattern.MatchString(path) {
		return nil
	}
	return fmt.Errorf("%s is a URL, and gridsweep reads and writes files of this machine only: name a folder or file, "+
		"and copy the files of datasets to and from object storage with its own program "+
		"(docs/how-to/share-results.md, Object storage)", path)
}

// options returns the options of a plan without the replications that Until adds, see begin. It
// checks their numbers and parses Set and Levels.
func (s Selection) options() (sweeps.Options, error) {
	options := sweeps.Options{Quick: s.Quick, Universes: s.Universes, MostReplications: s.Replications, MaxRuns: s.MaxRuns,
		Experiments: s.Experiments}
	if s.Universes < 0 {
		return options, fmt.Errorf("--universes %d: write a number of universes, at least 1", s.Universes)
	}
	if s.Replications < 0 {
		return options, fmt.Errorf("--rounds %d: write a number of replications, at least 1", s.Replications)
	}
	if s.MaxRuns < 0 {
		return options, fmt.Errorf("--max-runs %d: write a number of runs, at least 1", s.MaxRuns)
	}
	var err error
	if options.Set, err = assignments("--set", s.Set, "NAME=VALUE, such as --set requests=1000"); err != nil {
		return options, err
	}
	const wantLevels = "FACTOR=A,B, such as --levels lambda=0.3,0.4"
	lists, err := assignments("--levels", s.Levels, wantLevels)
	if err != nil {
		return options, err
	}
	for i, list := range lists {
		if list.Value.Value == "" {
			return options, fmt.Errorf("--levels %s: write %s", s.Levels[i], wantLevels)
		}
		labels, err := csv.NewReader(strings.NewReader(list.Value.Value)).Read()
		if err != nil {
			return options, fmt.Errorf("--levels %s: %w; quote a level that has a comma or a quote in it", s.Levels[i], err)
		}
		levels := configs.Selection{Dimension: list.Name}
		for _, label := range labels {
			levels.Labels = append(levels.Labels, onCommandLine("--levels", strings.TrimSpace(label)))
		}
		options.Levels = append(options.Levels, levels)
	}
	return options, nil
}

// assignments reads the values NAME=VALUE of a flag. A name that comes twice is an error.
func assignments(flag string, texts []string, want string) ([]configs.Setting, error) {
	var list []configs.Setting
	for _, text := range texts {
		name, value, found := strings.Cut(text, "=")
		same := func(s configs.Setting) bool { return s.Name.Value == name }
		switch {
		case !found || name == "":
			return nil, fmt.Errorf("%s %s: write %s", flag, text, want)
		case strings.ContainsFunc(text, unicode.IsControl):
			return nil, fmt.Errorf("%s %q: is not one line; write %s", flag, text, want)
		case slices.ContainsFunc(list, same):
			return nil, fmt.Errorf("%s %s: %s appears twice; write it once", flag, text, name)
		}
		list = append(list, configs.Setting{Name: onCommandLine(flag, name), Value: onCommandLine(flag, value), Key: name})
	}
	return list, nil
}

// onCommandLine returns a text of a flag, with the flag as its position.
func onCommandLine(flag, value string) configs.Text {
	return configs.Text{Value: value, Pos: configs.Pos{File: flag}}
}

// Flags returns the selection as the flags that would be typed for it, a space before each.
func (s Selection) Flags() string { return Typed(s.arguments()...) }

// arguments returns the selection as the arguments of a command.
func (s Selection) arguments() []string {
	var all []string
	if s.Out != "out" {
		all = append(all, "--out", s.Out)
	}
	if s.Studies != "" {
		all = append(all, "--studies", s.Studies)
	}
	if s.Quick {
		all = append(all, "--quick")
	}
	if s.MaxRuns > 0 && s.MaxRuns != sweeps.DefaultMaxRuns {
		all = append(all, "--max-runs", strconv.Itoa(s.MaxRuns))
	}
	if s.Stale {
		all = append(all, "--stale")
	}
	return slices.Concat(all, s.changes(), Repeated("--experiment", s.Experiments), Repeated("--table", s.Tables))
}

// changes returns the arguments that give other values, levels, universes or replications.
func (s Selection) changes() []string {
	all := slices.Concat(Repeated("--set", s.Set), Repeated("--levels", s.Levels))
	if s.Universes > 0 {
		all = append(all, "--universes", strconv.Itoa(s.Universes))
	}
	if s.Replications > 0 {
		all = append(all, "--rounds", strconv.Itoa(s.Replications))
	}
	all = append(all, Repeated("--until", s.Until)...)
	if len(s.Until) > 0 && s.MaxReplications != DefaultMaxReplications {
		all = append(all, "--max-rounds", strconv.Itoa(s.MaxReplications))
	}
	return all
}

// Repeated returns a flag with each of its values as arguments.
func Repeated(flag string, values []string) []string {
	var all []string
	for _, value := range values {
		all = append(all, flag, value)
	}
	return all
}

// Typed returns words as they would be typed in a POSIX shell, a space before each.
func Typed(words ...string) string {
	text := ""
	for _, word := range words {
		text += " " + batch.Quote(word)
	}
	return text
}
