package configs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Studies of a program stand beside ours, may extend them and one another by name, and take the place of one of its name.
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

// A user's study may have the name of no study of the program, nor of a paper.
func TestLibraryReservesItsNames(t *testing.T) {
	l := Builtin().With(fstest.MapFS{"queues/shop.yaml": {Data: []byte("study: shop\nmodel: coallocation\nexperiments: {e: {}}\n")}})
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
