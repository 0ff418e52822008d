// Correct study files are read completely: testdata/good has every key, and its golden files have
// what was read. Built-in studies load by both names, published numbers keep their printed form,
// and problems show the line of an extended file.

package configs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// TestGoodStudies compares the studies of files with all keys with golden files that were checked
// by hand.
func TestGoodStudies(t *testing.T) {
	for _, name := range []string{"every", "derived"} {
		t.Run(name, func(t *testing.T) {
			study, err := Read(t.Context(), filepath.FromSlash("testdata/good/"+name+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "testdata/good/"+name+".golden", outline(study))
		})
	}
}

// golden compares the text with the file, or rewrites the file with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: (-want +got, -update rewrites it)\n%s", file, diff)
	}
}

// outline returns the fields of the study that are not empty, one on each line.
func outline(s *Study) string {
	var text strings.Builder
	shown := *s
	shown.Source, shown.Base = nil, nil
	write(&text, "", reflect.ValueOf(shown))
	return text.String()
}

func write(text *strings.Builder, indent string, v reflect.Value) {
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		if !field.IsExported() || value.IsZero() {
			continue
		}
		if field.Anonymous {
			write(text, indent, value)
			continue
		}
		switch inline := short(value); {
		case inline != "":
			fmt.Fprintf(text, "%s%s: %s\n", indent, field.Name, inline)
		case value.Kind() == reflect.Struct:
			fmt.Fprintf(text, "%s%s:\n", indent, field.Name)
			write(text, indent+"  ", value)
		default:
			for j := range value.Len() {
				fmt.Fprintf(text, "%s%s:\n", indent, field.Name)
				write(text, indent+"  ", value.Index(j))
			}
		}
	}
}

// short returns a value on one line, or "" if it needs several.
func short(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case Text:
		return fmt.Sprintf("%q", x.Value)
	case []Text:
		return fmt.Sprintf("[%s]", joined(x))
	case Setting:
		return x.Name.Value + "=" + x.Value.Value
	case Crossed:
		if x.Levels == nil {
			return x.Factor.Value
		}
		return fmt.Sprintf("%s [%s]", x.Factor.Value, joined(x.Levels))
	case Selection:
		return fmt.Sprintf("%s [%s]", x.Dimension.Value, joined(x.Labels))
	case Range:
		return fmt.Sprintf("%s %v to %v", x.Axis.Value, x.Low, x.High)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return fmt.Sprint(v.Elem().Interface())
	case reflect.Bool, reflect.Int, reflect.Float64, reflect.String:
		return fmt.Sprint(v.Interface())
	case reflect.Slice:
		var texts []string
		for i := range v.Len() {
			text := short(v.Index(i))
			if text == "" {
				return ""
			}
			texts = append(texts, text)
		}
		return strings.Join(texts, "; ")
	default:
		return ""
	}
}

// TestEveryWordIsTried checks that testdata/good/every.yaml has every key.
func TestEveryWordIsTried(t *testing.T) {
	content, err := os.ReadFile("testdata/good/every.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range everyWord() {
		if w != "extends" && !strings.Contains(string(content), w+":") {
			t.Errorf("every.yaml does not have %s", w)
		}
	}
}

// everyWord returns the keys that any map of fixed keys may have.
func everyWord() []string {
	var names []string
	for _, r := range []record{
		studyRecord(&Study{}, nil), experimentRecord(&Experiment{}), quickRecord(&Quick{}),
		tableRecord(&Table{}, nil, &Block{}), figureRecord(&Figure{}), claimRecord(&Claim{}), statementRecord(&Statement{}),
	} {
		for _, f := range r.fields {
			names = append(names, f.word)
		}
	}
	return names
}

func TestBuiltin(t *testing.T) {
	base := map[string]string{}
	for _, name := range List() {
		study, err := Load(t.Context(), name)
		if err != nil {
			t.Errorf("%s:\n%v", name, err)
			continue
		}
		paper, file, _ := strings.Cut(name, "/")
		if study.Name.Value != file || study.Paper.Value != paper {
			t.Errorf("%s is study %q of paper %q", name, study.Name.Value, study.Paper.Value)
		}
		if other, twice := base[file]; twice {
			t.Errorf("%s and %s have one short name", other, name)
		}
		base[file] = name
		if short, err := Load(t.Context(), file); err != nil || short.File != study.File {
			t.Errorf("Load(%q) is not %s: %v", file, name, err)
		}
	}
	if len(base) == 0 {
		t.Error("no studies are built in")
	}
}

func TestLoadUnknown(t *testing.T) {
	_, err := Load(t.Context(), "coalocation")
	want := `no study "coalocation"; did you mean coallocation? (a file of your own ends in .yaml)`
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestPublishedAsPrinted(t *testing.T) {
	study, err := Read(t.Context(), "testdata/good/every.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "good", "published", "A.2.csv")
	at := func(line, column int) Pos { return Pos{file, line, column} }
	want := []PublishedCell{
		{
			Levels: []LevelOf{{"lambda", "0.05"}, {"policy", "U(2,3)"}}, At: []Pos{at(3, 1), at(3, 6)}, Metric: "blocking",
			Printed: "0.00", Page: "12", Pos: at(3, 24),
		},
		{
			Levels: []LevelOf{{"lambda", "0.10"}, {"policy", "RAN/RAN"}}, At: []Pos{at(4, 1), at(4, 6)}, Metric: "blocking",
			Value: 38.9, Printed: "38.9", Page: "xii", Note: `printed "38,9"`, Pos: at(4, 23),
		},
		{
			Levels: []LevelOf{{"lambda", "1.0"}, {"policy", "1C+1G"}}, At: []Pos{at(6, 1), at(6, 5)}, Metric: "blocking",
			Value: -100, Printed: "-1e2", Pos: at(6, 20),
		},
	}
	if diff := cmp.Diff(want, study.Published("A.2.csv")); diff != "" {
		t.Error(diff)
	}
	if cells := study.Published("missing.csv"); cells != nil {
		t.Errorf("missing.csv has %v", cells)
	}
}

// TestPublishedByExcel reads a file with a byte order mark and ends of lines as Excel writes them,
// and a share in percent.
func TestPublishedByExcel(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "published", "x.csv")
	if err := os.Mkdir(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"published/x.csv": "\ufefflambda,metric,value,page\r\n0.3,x,60.3 %,7\r\n0.4,x,-5%,\r\n",
		"own.yaml": "study: own\nmodel: none\nfactors: {lambda: [0.3, 0.4]}\nexperiments: {e: {cross: lambda}}\n" +
			"tables: {t: {of: e, show: x, rows: lambda, published: x.csv}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	study, err := Read(t.Context(), filepath.Join(dir, "own.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	cells := study.Published("x.csv")
	if len(cells) != 2 || cells[0].Levels[0].Dimension != "lambda" || cells[0].Value != 60.3 || !cells[0].IsPercent ||
		cells[1].Printed != "-5" || cells[1].At[0] != (Pos{file, 3, 1}) {
		t.Errorf("cells %+v", cells)
	}
	files, err := study.Files()
	if err != nil || !strings.HasPrefix(string(files[1].Content), "\ufefflambda") {
		t.Errorf("the file is not kept as it is: %v", err)
	}
}

// TestExtendedFilesAreShown checks that a problem shows the line of its own file, also in the file
// that a study extends.
func TestExtendedFilesAreShown(t *testing.T) {
	study, err := Read(t.Context(), "testdata/good/derived.yaml")
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) Text {
		for _, s := range study.Set {
			if s.Name.Value == name {
				return s.Value
			}
		}
		return Text{}
	}
	var problems Problems
	study.Report(&problems, Pos{}, "--set x", "is unknown")
	study.Report(&problems, at("share").Pos, "set.share", "is too large")
	study.Report(&problems, at("octal").Pos, "set.octal", "is too small")
	derived, every := filepath.FromSlash("testdata/good/derived.yaml"), filepath.FromSlash("testdata/good/every.yaml")
	want := "--set x: is unknown\n" +
		derived + ":5:14: set.share: is too large\n    set: {share: 0.35, added: 1}\n                 ^\n" +
		every + ":11:10: set.octal: is too small\n      octal: 010\n             ^"
	if diff := cmp.Diff(want, problems.Error()); diff != "" {
		t.Error(diff)
	}
}
