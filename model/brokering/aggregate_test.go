package brokering

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"gridsweep/model/rng"
)

// splits are all forms in which resources are put together, by their sections of testdata/listing1.txtar.
var splits = []struct {
	name string
	by   split
}{{"simple", whole}, {"own", own}, {"each", each}, {"paired", paired}, {"joint", joint}}

// text returns the text form as one string.
func text(lines iter.Seq[[]byte]) string {
	var all []byte
	for line := range lines {
		all = append(all, line...)
	}
	return string(all)
}

// listing1 returns the computers of the paper's Listing 1, as testdata/listing1.txtar mends them.
func listing1() *information {
	info := &information{}
	for _, host := range []struct {
		vendor, system                                          string
		clock, utilisation, cpus, memory, available, disk, free float64
	}{
		{"Intel", "Linux", 3000, 80, 4, 8000, 1600, 120_000, 96_000},
		{"Intel", "Linux", 2600, 100, 2, 4000, 3200, 100_000, 60_000},
		{"Intel", "AIX", 2800, 720, 8, 16_000, 3200, 120_000, 48_000},
		{"Intel", "AIX", 2600, 1280, 16, 64_000, 32_000, 200_000, 100_000},
		{"AMD", "Linux", 2200, 160, 4, 16_000, 9600, 120_000, 60_000},
		{"AMD", "Linux", 2400, 800, 16, 128_000, 32_000, 250_000, 100_000},
	} {
		info.add(
			computingSystem(info.number(computing, host.vendor), host.clock, host.utilisation, host.cpus),
			operatingSystem(info.number(operating, host.system), host.memory, host.available),
			fileSystem(info.number(storage, "/"), host.disk, host.free),
		)
	}
	return info
}

// Listing 1 and its aggregated forms are what they are by hand, resource by resource and relationship by relationship.
func TestListing1(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/listing1.txtar")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, file := range archive.Files {
		want[file.Name] = string(file.Data)
	}
	info := listing1()
	if diff := cmp.Diff(want["original"], text(info.lines())); diff != "" {
		t.Errorf("original (-want +have):\n%s", diff)
	}
	var a aggregator
	for _, form := range splits {
		resources, relationships := a.aggregate(info, form.by)
		if diff := cmp.Diff(want[form.name], text(info.aggregatedLines(resources, relationships, form.by))); diff != "" {
			t.Errorf("%s (-want +have):\n%s", form.name, diff)
		}
	}
}

// The size is that of the text.
func TestSize(t *testing.T) {
	info := listing1()
	var a aggregator
	resources, relationships := a.simple(info)
	for _, lines := range []iter.Seq[[]byte]{info.lines(), info.aggregatedLines(resources, relationships, whole)} {
		if have, want := size(t.Context(), lines), int64(len(text(lines))); have != want {
			t.Errorf("size %d, want %d", have, want)
		}
	}
}

// Thresholds belong to the class below them, however the share would be rounded, and of what has no size nothing is used.
func TestClasses(t *testing.T) {
	for _, test := range []struct {
		r    resource
		want class
	}{
		{computingSystem(0, 3000, 0, 4), low},
		{computingSystem(0, 3000, 33, 1), low},
		{computingSystem(0, 3000, 34, 1), medium},
		{computingSystem(0, 3000, 99, 3), low},
		{computingSystem(0, 3000, 100, 3), medium},
		{computingSystem(0, 3000, 198, 3), medium},
		{computingSystem(0, 3000, 199, 3), high},
		{computingSystem(0, 3000, 1600, 16), high},
		{computingSystem(0, 3000, 50, 0), low},
		{operatingSystem(0, 100, 67), low},
		{operatingSystem(0, 100, 66), medium},
		{operatingSystem(0, 64_000, 21_760), medium},
		{operatingSystem(0, 64_000, 21_759), high},
		{operatingSystem(0, 0, 0), low},
		{fileSystem(0, 250_000, 167_500), low},
		{fileSystem(0, 250_000, 167_499), medium},
		{fileSystem(0, 250_000, 0), high},
		{fileSystem(0, 0, 0), low},
	} {
		if have := test.r.class(); have != test.want {
			t.Errorf("class of %+v is %d, want %d", test.r, have, test.want)
		}
	}
}

// drawInformation draws computers whose parts stand in any order, are shared by computers, lack or have no size.
func drawInformation(t *rapid.T) *information {
	info := &information{}
	for c := range info.names {
		info.names[c] = []string{"a", "b", "c", "d", "e"}
	}
	var places [categories][]int32
	for range rapid.IntRange(0, 30).Draw(t, "resources") {
		c := category(rapid.IntRange(0, int(categories)-1).Draw(t, "category"))
		value := int32(rapid.IntRange(0, 4).Draw(t, "value"))
		size := float64(rapid.SampledFrom([]int{0, 1, 2, 4, 100, 300}).Draw(t, "size"))
		part := float64(rapid.IntRange(0, 400).Draw(t, "part")) / 400
		r := fileSystem(value, size, size*part)
		switch c {
		case computing:
			r = computingSystem(value, float64(rapid.IntRange(1, 3).Draw(t, "clock")), 100*size*part, size)
		case operating:
			r = operatingSystem(value, size, size*part)
		}
		places[c] = append(places[c], int32(len(info.resources)))
		info.resources = append(info.resources, r)
	}
	targets := slices.Concat(places[operating], places[storage])
	if len(places[computing]) > 0 && len(targets) > 0 {
		for range rapid.IntRange(0, 40).Draw(t, "relationships") {
			info.relationships = append(info.relationships, relationship{
				rapid.SampledFrom(places[computing]).Draw(t, "source"), rapid.SampledFrom(targets).Draw(t, "target")})
		}
	}
	return info
}

// Everything is what an obvious implementation makes of it, whatever was aggregated before.
func TestAggregateAsNaive(t *testing.T) {
	var a aggregator
	rapid.Check(t, func(t *rapid.T) {
		info := drawInformation(t)
		for _, form := range splits {
			resources, relationships := a.aggregate(info, form.by)
			have := describe(info, resources, relationships, form.by)
			if diff := cmp.Diff(naiveAggregate(info, form.by), have); diff != "" {
				t.Errorf("%s (-want +have):\n%s", form.name, diff)
			}
		}
	})
}

// Every resource is counted once, under each and paired three times, and whatever the split, the parts of a value are together what SIMPLE
// makes of it.
func TestTotalsAreConserved(t *testing.T) {
	type key struct {
		category category
		value    int32
	}
	sum := func(resources []aggregated) map[key]aggregated {
		all := map[key]aggregated{}
		for _, r := range resources {
			r.classes = [categories]class{}
			together, ok := all[key{r.category, r.value}]
			if !ok {
				all[key{r.category, r.value}] = r
				continue
			}
			together.count += r.count
			for i, e := range r.attributes {
				o := &together.attributes[i]
				*o = extremes{min(o.min, e.min), max(o.max, e.max), o.total + e.total}
			}
			all[key{r.category, r.value}] = together
		}
		return all
	}
	rapid.Check(t, func(t *rapid.T) {
		info := drawInformation(t)
		for i := range info.resources { // whole numbers, whose sums have no order
			for j := range info.resources[i].attributes {
				a := &info.resources[i].attributes[j]
				*a = float64(int(*a))
			}
		}
		var a aggregator
		simple, _ := a.simple(info)
		want := sum(simple)
		for _, by := range []split{own, each, paired, joint} {
			resources, _ := a.categorized(info, by)
			have, times := sum(resources), 1
			if by == each || by == paired {
				times = 3
			}
			count := 0
			for _, r := range resources {
				count += int(r.count)
			}
			if want := times * len(info.resources); count != want {
				t.Errorf("split %d: %d resources are counted, want %d", by, count, want)
			}
			for k, r := range have {
				r.count /= int32(times)
				for i := range r.attributes {
					r.attributes[i].total /= float64(times)
				}
				have[k] = r
			}
			if diff := cmp.Diff(want, have, cmp.AllowUnexported(key{}, aggregated{}, extremes{})); diff != "" {
				t.Errorf("split %d, its parts together (-SIMPLE +CATEGORIZED):\n%s", by, diff)
			}
		}
	})
}

// The order of the computers changes nothing but the order of what is made of them.
func TestPermutedComputers(t *testing.T) {
	type computer [categories]resource
	names := [categories][]string{{"a", "b", "c"}, {"a", "b", "c"}, {"a", "b"}}
	build := func(computers []computer) *information {
		info := &information{}
		for _, c := range computers {
			for i := range c {
				c[i].value = info.number(category(i), names[i][c[i].value])
			}
			info.add(c[computing], c[operating], c[storage])
		}
		return info
	}
	rapid.Check(t, func(t *rapid.T) {
		number := func(from, to int) float64 { return float64(rapid.IntRange(from, to).Draw(t, "number")) }
		computers := make([]computer, rapid.IntRange(0, 20).Draw(t, "computers"))
		for i := range computers {
			cpus, memory, disk := number(0, 4), number(0, 9), number(0, 9)
			computers[i] = computer{
				computingSystem(int32(number(0, 2)), number(1, 3), 25*number(0, 4*int(cpus)), cpus),
				operatingSystem(int32(number(0, 2)), memory, number(0, int(memory))),
				fileSystem(int32(number(0, 1)), disk, number(0, int(disk))),
			}
		}
		permuted := rapid.Permutation(computers).Draw(t, "permuted")
		var a aggregator
		for _, form := range splits {
			sorted := func(computers []computer) []string {
				info := build(computers)
				resources, relationships := a.aggregate(info, form.by)
				return slices.Sorted(strings.Lines(text(info.aggregatedLines(resources, relationships, form.by))))
			}
			if diff := cmp.Diff(sorted(computers), sorted(permuted)); diff != "" {
				t.Errorf("%s (-as drawn +permuted):\n%s", form.name, diff)
			}
		}
	})
}

// A broker that aggregates its resources again and again allocates nothing.
func TestAggregateAllocatesNothing(t *testing.T) {
	p := aggregationDefaults
	p.Computers = 12
	info := drawComputers(t.Context(), p, rng.New("test").Stream("computers"))
	var a aggregator
	for _, form := range splits {
		if n := testing.AllocsPerRun(100, func() { a.aggregate(info, form.by) }); n != 0 {
			t.Errorf("%s: %v allocations a call, want none", form.name, n)
		}
	}
}

// No computers are described by nothing.
func TestEmptyInformation(t *testing.T) {
	info := &information{}
	var a aggregator
	for _, form := range splits {
		resources, relationships := a.aggregate(info, form.by)
		if len(resources)+len(relationships) != 0 || size(t.Context(), info.aggregatedLines(resources, relationships, form.by)) != 0 {
			t.Errorf("%s: of no computer come %v and %v", form.name, resources, relationships)
		}
	}
	if lines := text(info.lines()); lines != "" {
		t.Errorf("no computer is described by %q", lines)
	}
}
