//go:build unix

// A program's own library and a user's folder add studies or replace built-in ones of the same
// name, also with their published numbers and traces, and never use the name of another paper's
// study.

package configs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
)

// Studies of a program are listed with the built-in ones, may extend them and one another by name,
// and replace a study of the same name.
func TestLibrary(t *testing.T) {
	const shop = "study: shop\ntitle: A shop\nmodel: coallocation\nexperiments: {e: {}}\n"
	l := Builtin().With(fstest.MapFS{
		"queues/shop.yaml":               {Data: []byte(shop)},
		"queues/late.yaml":               {Data: []byte("study: late\ntitle: Late\nextends: shop\nseed: 9\n")},
		"queues/busy.yaml":               {Data: []byte("study: busy\ntitle: Busy\nextends: coallocation\n")},
		"coallocation/coallocation.yaml": {Data: []byte(strings.Replace(shop, "shop", "coallocation", 1))},
		"README.yaml":                    {Data: []byte("no: study")},
	})
	list := l.List()
	for _, want := range []string{"queues/shop", "queues/late", "multisite/multisite", "coallocation/coallocation"} {
		if !slices.Contains(list, want) {
			t.Errorf("%s is not in %v", want, list)
		}
	}
	if len(list) != len(List())+3 || !slices.IsSorted(list) {
		t.Errorf("the list is %v", list)
	}
	for name, want := range map[string]string{
		"shop": "queues/shop.yaml", "queues/late": "queues/late.yaml", "busy": "queues/busy.yaml",
		"coallocation": "coallocation/coallocation.yaml", "multisite": "configs/multisite/multisite.yaml",
	} {
		study, err := l.Load(t.Context(), name)
		if err != nil || study.File != want {
			t.Errorf("%s: %+v, %v", name, study, err)
		}
	}
	late, err := l.Load(t.Context(), "late")
	if err != nil || late.Seed.Value != "9" || late.Model.Value != "coallocation" || len(late.Experiments) != 1 {
		t.Errorf("%+v, %v", late, err)
	}
	if busy, err := l.Load(t.Context(), "busy"); err != nil || len(busy.Claims) > 0 {
		t.Errorf("busy extends our study of a name that the program's has: %v", err)
	}
	if ours, err := Load(t.Context(), "coallocation"); err != nil || len(ours.Claims) == 0 {
		t.Errorf("ours was changed: %v", err)
	}
	if _, err := l.Load(t.Context(), "shopp"); err == nil || !strings.Contains(err.Error(), "shop") {
		t.Errorf("an unknown name gives error %v", err)
	}
	if _, err := Load(t.Context(), "shop"); err == nil {
		t.Error("the program's studies are ours now")
	}
	names := l.Schema(func(string, string) string { return "" }).Properties["extends"].AnyOf[0].Enum
	if !slices.Contains(names, "shop") || !slices.Contains(names, "queues/shop") {
		t.Errorf("the schema lets %v be extended", names)
	}
}

// A text is read like a file of this name, which need not exist: the study that it extends is
// beside that file, and problems name that file.
func TestParse(t *testing.T) {
	dir := t.TempDir()
	base := "study: base\ntitle: A base\nmodel: coallocation\nseed: 9\nexperiments: {e: {}}\n"
	if err := os.WriteFile(filepath.Join(dir, "base.yaml"), []byte(base), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "later.yaml")
	study, err := Builtin().Parse(t.Context(), file, []byte("study: later\ntitle: Later\nextends: base.yaml\n"))
	if err != nil || study.File != file || study.Seed.Value != "9" || len(study.Experiments) != 1 {
		t.Errorf("%+v, %v", study, err)
	}
	for text, want := range map[string]string{
		"study: later\nmodle: x\n":                        file + ":2:1: modle",
		"study: coallocation\nextends: base.yaml\n":       "is the name of a built-in study",
		"study: later\ntitle: L\nextends: missing.yaml\n": "missing.yaml",
	} {
		if _, err := Builtin().Parse(t.Context(), file, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// A user's study may not have the name of a study or paper of the program.
func TestLibraryReservesItsNames(t *testing.T) {
	l := Builtin().With(fstest.MapFS{"queues/shop.yaml": {Data: []byte("study: shop\nmodel: coallocation\nexperiments: " +
		"{e: {}}\n")}})
	for text, want := range map[string]string{
		"study: Shop\nmodel: coallocation\nexperiments: {e: {}}\n":                "is the name of a built-in study",
		"study: mine\npaper: queues\nmodel: coallocation\nexperiments: {e: {}}\n": "is the name of a built-in paper",
		"study: mine\nextends: shop\n":                                            "",
	} {
		file := filepath.Join(t.TempDir(), "mine.yaml")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := l.Read(t.Context(), file)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A user's folder replaces built-in files one by one: studies, published numbers and traces.
func TestLibraryOfAFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "study: %s\nmodel: coallocation\nexperiments: {e: {}}\ntables: {t: {of: e, show: blocking, published: " +
		"t.csv}}\n"
	unpack(t,
		txtar.File{Name: "mine/coallocation/coallocation.yaml", Data: fmt.Appendf(nil, text, "coallocation")},
		txtar.File{Name: "mine/coallocation/published/t.csv", Data: []byte("metric,value,page\nblocking,7.5,1\n")},
		txtar.File{Name: "mine/shops/shops.yaml", Data: fmt.Appendf(nil, text, "shops")},
		txtar.File{Name: "mine/shops/traces.yaml", Data: []byte("till: {files: [till.swf]}\ndas2: {used: {shops: day 1}}\n")},
		txtar.File{Name: "mine/shops/.#shops.yaml", Data: []byte("an editor's")},
	)
	l, err := Builtin().WithFolder("mine")
	if err != nil {
		t.Fatal(err)
	}
	if list := l.List(); len(list) != len(List())+1 || !slices.Contains(list, "shops/shops") {
		t.Errorf("the list is %v", list)
	}
	for _, load := range []func() (*Study, error){
		func() (*Study, error) { return l.Load(t.Context(), "coallocation") },
		func() (*Study, error) { return l.Read(t.Context(), "mine/coallocation/coallocation.yaml") },
	} {
		study, err := load()
		if err != nil || study.File != "mine/coallocation/coallocation.yaml" || len(study.Published("t.csv")) != 1 {
			t.Errorf("%+v, %v", study, err)
		}
	}
	traces, err := l.Traces(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	das2, err := traces.Find("das2")
	if last := das2.Uses[len(das2.Uses)-1]; err != nil || last.Paper.Value != "shops" || len(traces) != len(Traces())+1 {
		t.Errorf("%d traces, %+v, %v", len(traces), das2.Uses, err)
	}
	if till, err := traces.Find("till"); err != nil || till.Folder != filepath.FromSlash("mine/shops") {
		t.Errorf("%+v, %v", till, err)
	}
	_, err = l.Load(t.Context(), "shops")
	if want := "mine/shops/shops.yaml:4:48: tables.t.published: no file t.csv in mine/shops/published; there are " +
		"none"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	unpack(t, txtar.File{Name: "mine/traces.yaml", Data: []byte("other: {files: [other.swf]}\n")})
	_, err = l.Traces(t.Context())
	if want := "das2: has only used, and there is no such trace to be used"; err == nil || !strings.Contains(err.Error(),
		want) {
		t.Errorf("with another catalogue of all papers: %v, want %s", err, want)
	}
	if err := syscall.Mkfifo("mine/shops/pipe.yaml", 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Load(t.Context(), "pipe"); err == nil || !strings.Contains(err.Error(),
		"mine/shops/pipe.yaml: is no regular file") {
		t.Errorf("a pipe: %v", err)
	}
}

// lateContext is a context that is done, and whose channel does not say so.
type lateContext struct{ context.Context }

func (lateContext) Done() <-chan struct{} { return nil }

// When the context is done, its error is returned, also if reading has ended with another one.
func TestDoneBeforeAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(lateContext{ctx}, "missing.yaml"); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
