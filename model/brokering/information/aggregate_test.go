// Tests of the aggregation algorithms and of the text form: the paper's Listing 1, a naive
// implementation, conserved totals and permuted computers.

package information

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

// splits are all forms in which resources are put together, by their sections of
// testdata/listing1.txtar.
var splits = []struct {
	name string
	by   Split
}{{"simple", Whole}, {"own", Own}, {"each", Each}, {"paired", Paired}, {"joint", Joint}}

// text returns the text form as one string.
func text(lines iter.Seq[[]byte]) string {
	var all []byte
	for line := range lines {
		all = append(all, line...)
	}
	return string(all)
}

// listing1 returns the computers of the paper's Listing 1, as corrected in testdata/listing1.txtar.
func listing1() *Computers {
	info := &Computers{}
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
		info.List = append(info.List, Computer{
			ComputingSystem(info.Value(CS, host.vendor), host.clock, host.utilisation, host.cpus),
			OperatingSystem(info.Value(OS, host.system), host.memory, host.available),
			FileSystem(info.Value(FS, "/"), host.disk, host.free),
		})
	}
	return info
}

// TestListing1 compares Listing 1 and its aggregated forms with texts worked out by hand, resource
// by resource and relationship by relationship.
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
	if diff := cmp.Diff(want["original"], text(info.Lines())); diff != "" {
		t.Errorf("original (-want +have):\n%s", diff)
	}
	var a Aggregator
	for _, form := range splits {
		resources, relationships := a.Aggregate(info, form.by)
		if diff := cmp.Diff(want[form.name], text(info.AggregatedLines(resources, relationships, form.by))); diff != "" {
			t.Errorf("%s (-want +have):\n%s", form.name, diff)
		}
	}
}

// Size returns the number of bytes of the text.
func TestSize(t *testing.T) {
	info := listing1()
	var a Aggregator
	resources, relationships := a.Aggregate(info, Whole)
	for _, lines := range []iter.Seq[[]byte]{info.Lines(), info.AggregatedLines(resources, relationships, Whole)} {
		if have, want := Size(t.Context(), lines), int64(len(text(lines))); have != want {
			t.Errorf("size %d, want %d", have, want)
		}
	}
}

// A threshold belongs to the level below it, without rounding, and the used share of size 0 is 0.
func TestLevels(t *testing.T) {
	for _, test := range []struct {
		c    Category
		r    Resource
		want level
	}{
		{CS, ComputingSystem(0, 3000, 0, 4), low},
		{CS, ComputingSystem(0, 3000, 33, 1), low},
		{CS, ComputingSystem(0, 3000, 34, 1), medium},
		{CS, ComputingSystem(0, 3000, 99, 3), low},
		{CS, ComputingSystem(0, 3000, 100, 3), medium},
		{CS, ComputingSystem(0, 3000, 198, 3), medium},
		{CS, ComputingSystem(0, 3000, 199, 3), high},
		{CS, ComputingSystem(0, 3000, 1600, 16), high},
		{CS, ComputingSystem(0, 3000, 50, 0), low},
		{OS, OperatingSystem(0, 100, 67), low},
		{OS, OperatingSystem(0, 100, 66), medium},
		{OS, OperatingSystem(0, 64_000, 21_760), medium},
		{OS, OperatingSystem(0, 64_000, 21_759), high},
		{OS, OperatingSystem(0, 0, 0), low},
		{FS, FileSystem(0, 250_000, 167_500), low},
		{FS, FileSystem(0, 250_000, 167_499), medium},
		{FS, FileSystem(0, 250_000, 0), high},
		{FS, FileSystem(0, 0, 0), low},
	} {
		computer := Computer{ComputingSystem(0, 3000, 100, 2), OperatingSystem(0, 100, 50), FileSystem(0, 100, 50)}
		want := levels{medium, medium, medium}
		computer[test.c], want[test.c] = test.r, test.want
		if have := computer.levels(); have != want {
			t.Errorf("levels of %+v are %d, want %d", computer, have, want)
		}
	}
}

// drawComputers draws computers, some with resources of size 0.
func drawComputers(t *rapid.T) *Computers {
	info := &Computers{}
	for range rapid.IntRange(0, 15).Draw(t, "computers") {
		var value [Categories]int32
		var size, used [Categories]float64
		for c := range Categories {
			value[c] = info.Value(c, rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "value"))
			size[c] = float64(rapid.SampledFrom([]int{0, 1, 2, 4, 100, 300}).Draw(t, "size"))
			used[c] = float64(rapid.IntRange(0, 400).Draw(t, "part")) / 400
		}
		clock := float64(rapid.IntRange(1, 3).Draw(t, "clock"))
		info.List = append(info.List, Computer{
			ComputingSystem(value[CS], clock, 100*size[CS]*used[CS], size[CS]),
			OperatingSystem(value[OS], size[OS], size[OS]*used[OS]),
			FileSystem(value[FS], size[FS], size[FS]*used[FS]),
		})
	}
	return info
}

// TestAggregateAsNaive compares the aggregated forms with a naive implementation, with an
// aggregator that is used again.
func TestAggregateAsNaive(t *testing.T) {
	var a Aggregator
	rapid.Check(t, func(t *rapid.T) {
		info := drawComputers(t)
		for _, form := range splits {
			resources, relationships := a.Aggregate(info, form.by)
			have := describe(info, resources, relationships, form.by)
			if diff := cmp.Diff(naiveAggregate(info, form.by), have); diff != "" {
				t.Errorf("%s (-want +have):\n%s", form.name, diff)
			}
		}
	})
}

// Every resource is counted once, under each and paired three times. Under every split, the
// subcategories of a value sum to its SIMPLE resource.
func TestTotalsAreConserved(t *testing.T) {
	type key struct {
		category Category
		value    int32
	}
	sum := func(resources []Aggregated) map[key]Aggregated {
		all := map[key]Aggregated{}
		for _, r := range resources {
			r.levels = levels{}
			together, ok := all[key{r.Category, r.Value}]
			if !ok {
				all[key{r.Category, r.Value}] = r
				continue
			}
			together.Count += r.Count
			for i, e := range r.Attributes {
				o := &together.Attributes[i]
				*o = Extremes{min(o.Min, e.Min), max(o.Max, e.Max), o.Total + e.Total}
			}
			all[key{r.Category, r.Value}] = together
		}
		return all
	}
	rapid.Check(t, func(t *rapid.T) {
		info := drawComputers(t)
		for i := range info.List { // whole numbers, whose sums have no order
			for c := range info.List[i] {
				for j := range info.List[i][c].Attributes {
					a := &info.List[i][c].Attributes[j]
					*a = float64(int(*a))
				}
			}
		}
		var a Aggregator
		simple, _ := a.Aggregate(info, Whole)
		want := sum(simple)
		for _, by := range []Split{Own, Each, Paired, Joint} {
			resources, _ := a.Aggregate(info, by)
			have, times := sum(resources), 1
			if by == Each || by == Paired {
				times = 3
			}
			count := 0
			for _, r := range resources {
				count += int(r.Count)
			}
			if want := times * 3 * len(info.List); count != want {
				t.Errorf("split %d: %d resources are counted, want %d", by, count, want)
			}
			for k, r := range have {
				r.Count /= int32(times)
				for i := range r.Attributes {
					r.Attributes[i].Total /= float64(times)
				}
				have[k] = r
			}
			if diff := cmp.Diff(want, have, cmp.AllowUnexported(key{}, Aggregated{}, Extremes{})); diff != "" {
				t.Errorf("split %d, its parts together (-SIMPLE +CATEGORIZED):\n%s", by, diff)
			}
		}
	})
}

// The order of the computers changes only the order of the aggregated resources.
func TestPermutedComputers(t *testing.T) {
	names := [Categories][]string{{"a", "b", "c"}, {"a", "b", "c"}, {"a", "b"}}
	build := func(computers []Computer) *Computers {
		info := &Computers{}
		for _, c := range computers {
			for i := range c {
				c[i].Value = info.Value(Category(i), names[i][c[i].Value])
			}
			info.List = append(info.List, c)
		}
		return info
	}
	rapid.Check(t, func(t *rapid.T) {
		number := func(from, to int) float64 { return float64(rapid.IntRange(from, to).Draw(t, "number")) }
		computers := make([]Computer, rapid.IntRange(0, 20).Draw(t, "computers"))
		for i := range computers {
			cpus, memory, disk := number(0, 4), number(0, 9), number(0, 9)
			computers[i] = Computer{
				ComputingSystem(int32(number(0, 2)), number(1, 3), 25*number(0, 4*int(cpus)), cpus),
				OperatingSystem(int32(number(0, 2)), memory, number(0, int(memory))),
				FileSystem(int32(number(0, 1)), disk, number(0, int(disk))),
			}
		}
		permuted := rapid.Permutation(computers).Draw(t, "permuted")
		var a Aggregator
		for _, form := range splits {
			sorted := func(computers []Computer) []string {
				info := build(computers)
				resources, relationships := a.Aggregate(info, form.by)
				return slices.Sorted(strings.Lines(text(info.AggregatedLines(resources, relationships, form.by))))
			}
			if diff := cmp.Diff(sorted(computers), sorted(permuted)); diff != "" {
				t.Errorf("%s (-as drawn +permuted):\n%s", form.name, diff)
			}
		}
	})
}

// A broker that aggregates its resources again and again allocates nothing.
func TestAggregateAllocatesNothing(t *testing.T) {
	info := listing1()
	var a Aggregator
	for _, form := range splits {
		if n := testing.AllocsPerRun(100, func() { a.Aggregate(info, form.by) }); n != 0 {
			t.Errorf("%s: %v allocations a call, want none", form.name, n)
		}
	}
}

// Without computers the aggregated forms are empty.
func TestNoComputers(t *testing.T) {
	info := &Computers{}
	var a Aggregator
	for _, form := range splits {
		resources, relationships := a.Aggregate(info, form.by)
		if len(resources)+len(relationships) != 0 ||
			Size(t.Context(), info.AggregatedLines(resources, relationships, form.by)) != 0 {
			t.Errorf("%s: of no computer come %v and %v", form.name, resources, relationships)
		}
	}
	if lines := text(info.Lines()); lines != "" {
		t.Errorf("no computer is described by %q", lines)
	}
}
