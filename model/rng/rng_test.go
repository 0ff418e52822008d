// Stream tests: independent streams, first numbers that must not change, and moments within five
// standard errors.

package rng

import (
	"math"
	"testing"
)

func TestStreamsAreIndependentOfOneAnother(t *testing.T) {
	root := New("study")
	first, second := root.Stream("arrivals"), root.Stream("arrivals")
	other := root.Child("round 1").Stream("arrivals")
	same := 0
	for range 1000 {
		x, y := first.Uint64(), second.Uint64()
		if x != y {
			t.Fatal("one stream gives two sequences")
		}
		if x == other.Uint64() {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d of 1000 numbers of another replication are the same", same)
	}
	if root.Child("a") == root.Child("b") || root.Child("a") == root || New("x") == New("y") {
		t.Error("different names give equal sources")
	}
}

// The first numbers of a stream must never change: published digests depend on them.
func TestStreamIsStable(t *testing.T) {
	s := New("gridsweep").Child("round 0").Stream("arrivals")
	got := [3]uint64{s.Uint64(), s.Uint64(), s.Uint64()}
	want := [3]uint64{0x50dfb55d33b0da7f, 0xe660366874cf2724, 0x775ebc71ef213ef0}
	if got != want {
		t.Errorf("first numbers %#x, want %#x", got, want)
	}
}

func TestMoments(t *testing.T) {
	s := New("moments").Stream("x")
	const n = 1_000_000
	var uniform, exponential, square float64
	counts := make([]int, 7)
	for range n {
		u := s.Float64()
		if u < 0 || u >= 1 {
			t.Fatalf("Float64 returned %v", u)
		}
		uniform += u
		e := s.Exp()
		exponential += e
		square += e * e
		counts[s.Intn(len(counts))]++
	}
	for _, moment := range []struct {
		name             string
		got, want, sigma float64 // sigma of the mean of n draws
	}{
		{"mean of Float64", uniform / n, 0.5, math.Sqrt(1.0 / 12 / n)},
		{"mean of Exp", exponential / n, 1, math.Sqrt(1.0 / n)},
		{"mean square of Exp", square / n, 2, math.Sqrt(20.0 / n)},
	} {
		if math.Abs(moment.got-moment.want) > 5*moment.sigma {
			t.Errorf("%s is %v, want %v within %v", moment.name, moment.got, moment.want, 5*moment.sigma)
		}
	}
	for i, count := range counts {
		if p := 1 / float64(len(counts)); math.Abs(float64(count)-n*p) > 5*math.Sqrt(n*p*(1-p)) {
			t.Errorf("Intn(7) returned %d %d times of %d", i, count, n)
		}
	}
}

func TestIntnPanicsOnAnEmptyRange(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Intn(0) does not panic")
		}
	}()
	New("x").Stream("x").Intn(0)
}

func BenchmarkExp(b *testing.B) {
	s := New("bench").Stream("x")
	for b.Loop() {
		s.Exp()
	}
}
