// Pictures of schedules over time: binned loads equal the means of a step function summed second by
// second, and each timeline is written to the files that its path selects.

package draw

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model/metrics"
	"gridsweep/results/schedule"
)

// timeline returns jobs that run one after the other on a machine of four processors.
func timeline(t *testing.T, jobs int) Timeline {
	t.Helper()
	s := &schedule.Schedule{}
	for i := range jobs {
		at := int64(100 * i)
		s.ID, s.Submit = append(s.ID, int64(1000+i)), append(s.Submit, at-int64(i%3)*50)
		s.Start, s.End, s.Procs = append(s.Start, at), append(s.End, at+100), append(s.Procs, int32(1+i%4))
	}
	processors, err := schedule.Assign(s.Schedule, 4)
	if err != nil {
		t.Fatal(err)
	}
	return Timeline{Label: "a policy", Schedule: s, Processors: processors}
}

// withLong returns the timeline with one more job, which runs beside all others and has most of the
// work.
func withLong(t *testing.T, name Timeline) Timeline {
	t.Helper()
	s := name.Schedule
	end := s.End[s.Len()-1]
	s.ID, s.Submit, s.Start = append(s.ID, 1), append(s.Submit, 0), append(s.Start, 0)
	s.End, s.Procs = append(s.End, end), append(s.Procs, 4)
	processors, err := schedule.Assign(s.Schedule, 8)
	if err != nil {
		t.Fatal(err)
	}
	return Timeline{Label: name.Label, Schedule: s, Processors: processors}
}

// Few jobs are boxes, many an image, and jobs too short to be seen means of busy processors.
func TestTimelinesAreDrawn(t *testing.T) {
	dir := t.TempDir()
	for name, line := range map[string]Timeline{
		"few": timeline(t, 3), "many": withLong(t, timeline(t, fewJobs+1)), "short": timeline(t, fewJobs+1),
	} {
		for _, ending := range []string{".svg", ".png"} {
			path := filepath.Join(dir, name+ending)
			if err := WriteTimelines(t.Context(), path, "log & <trace>", 8, []Timeline{line, line}, Size{}); err != nil {
				t.Fatal(err)
			}
			picture, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if ending == ".png" {
				if _, err := png.Decode(bytes.NewReader(picture)); err != nil {
					t.Error(err)
				}
				continue
			}
			text := string(picture)
			for _, want := range []string{
				"<title>log &amp; &lt;trace&gt;</title>", "a policy", "busy", "waiting", "processor", "started at once", "longer",
				"time since the first submit",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: has no %q", name, want)
				}
			}
			if few := strings.Contains(text, ">1001<"); few != (name == "few") {
				t.Errorf("%s: jobs have numbers: %t", name, few)
			}
			if raster := strings.Contains(text, "<image"); raster != (name == "many") {
				t.Errorf("%s: is an image: %t", name, raster)
			}
		}
	}
	err := WriteTimelines(t.Context(), "picture.gif", "log", 4, []Timeline{timeline(t, 3)}, Size{})
	if err == nil || !strings.Contains(err.Error(), ".svg, .png, .pdf or .eps") {
		t.Errorf("unknown extension: %v", err)
	}
}

func TestTimelinesAreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "picture.svg")
	if err := WriteTimelines(ctx, path, "log", 4, []Timeline{timeline(t, 3)}, Size{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file exists, or %v", err)
	}
}

// The means over bins are those of the step function second by second.
func TestLoadsAreMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const seconds, bins = 60, 12
		have := newMeans(bins, seconds/bins)
		var want [seconds]float64
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			from := rapid.IntRange(0, seconds).Draw(t, "from")
			to := rapid.IntRange(from, seconds).Draw(t, "to")
			height := float64(rapid.IntRange(1, 9).Draw(t, "height"))
			have.add(float64(from), float64(to), height)
			for second := from; second < to; second++ {
				want[second] += height
			}
		}
		for i, value := range have.values() {
			sum := 0.0
			for _, v := range want[i*seconds/bins : (i+1)*seconds/bins] {
				sum += v
			}
			if mean := sum / (seconds / bins); math.Abs(mean-value) > 1e-9 {
				t.Fatalf("bin %d has %v, want %v", i, value, mean)
			}
		}
	})
}

// Summed over the bins, the loads are the processor seconds and waiting times of the schedule.
func TestLoadsKeepTheWork(t *testing.T) {
	s := metrics.Schedule{
		Submit: []int64{10, 12, 1000}, Start: []int64{10, 500, 2000}, End: []int64{700, 501, 2777}, Procs: []int32{3, 1, 2},
	}
	bins := binsOf(10, 2777, loadBins)
	l := loadsOf(s, bins)
	sum := func(values []float64) (total float64) {
		for _, v := range values {
			total += v * bins.length
		}
		return total
	}
	for _, c := range []struct {
		name       string
		have, want float64
	}{
		{"busy", sum(l.busy), 690*3 + 1 + 777*2}, {"waiting jobs", sum(l.waitingJobs), 488 + 1000},
		{"waiting processors", sum(l.waitingProcs), 488 + 2000},
	} {
		if math.Abs(c.have-c.want) > 1e-6 {
			t.Errorf("%s: %v processor seconds, want %v", c.name, c.have, c.want)
		}
	}
}

// The opacity of a dot is the share that boxes cover.
func TestMixture(t *testing.T) {
	mix := newMixture(2, 2)
	paint := color.RGBA{200, 100, 0, 0xff}
	mix.add(dots{0.5, 1, 1, 2}, paint) // half of the upper left dot
	mix.add(dots{1, 2, 0, 0.25}, paint)
	picture := mix.image()
	for _, c := range []struct {
		x, y int
		want color.RGBA
	}{
		{0, 0, color.RGBA{100, 50, 0, 128}}, {1, 1, color.RGBA{50, 25, 0, 64}}, {0, 1, color.RGBA{}}, {1, 0, color.RGBA{}},
	} {
		if have := picture.At(c.x, c.y); have != c.want {
			t.Errorf("dot %d, %d is %v, want %v", c.x, c.y, have, c.want)
		}
	}
}

// The areas of an aggregated schedule add up to the busy processors, and the classes below have the
// work of the jobs that waited so long.
func TestBusyByWait(t *testing.T) {
	s := metrics.Schedule{
		Submit: []int64{0, 0, 0}, Start: []int64{0, 100, 4000}, End: []int64{8000, 4000, 8000}, Procs: []int32{1, 2, 3},
	}
	have := newBusyByWait(s, 4, binsOf(0, 8000, 2))
	for k, want := range [][]float64{{1, 1}, {2.95, 1}, {2.95, 4}, {2.95, 4}} {
		for i := range want {
			if value := have.areas[k].values[i]; math.Abs(value-want[i]) > 1e-9 {
				t.Errorf("up to %q, bin %d: %v busy processors, want %v", waits[k].label, i, value, want[i])
			}
		}
	}
	if busy := loadsOf(s, binsOf(0, 8000, 2)).busy; busy[0] != 2.95 || busy[1] != 4 {
		t.Errorf("busy processors %v", busy)
	}
}

func TestWaitClasses(t *testing.T) {
	for wait, class := range map[int64]int{0: 0, 1: 1, 3600: 1, 3601: 2, 86400: 2, 86401: 3, math.MaxInt64: 3} {
		if have := waitClass(wait); have != class {
			t.Errorf("%d s: %q, want %q", wait, waits[have].label, waits[class].label)
		}
	}
}

func TestEachTimelineHasItsFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plots")
	lines := []Timeline{timeline(t, 5), timeline(t, 6)}
	lines[0].Name, lines[1].Name = "easy-2", "fcfs"
	if err := WriteEach(t.Context(), dir, "two", 8, lines, Size{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteEach(t.Context(), filepath.Join(dir, "both.PNG"), "two", 8, lines, Size{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"easy-2.svg", "easy-2.png", "fcfs.svg", "fcfs.png", "fcfs.pdf", "fcfs.eps", "both.PNG"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for path, want := range map[string]bool{"a.svg": true, "a.Png": true, "a": true, "a.b/": true, dir: true,
		"a.pdf": true,
		"a.gif": false} {
		if IsTarget(path) != want {
			t.Errorf("%s is a target: %t", path, !want)
		}
	}
}
