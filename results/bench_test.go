// Benchmarks: writing batches and long tables, reading studies from few and many files, and
// datasets of a million rows.

package results

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"gridsweep/model"
)

// wideModel has as many columns as a study: 16 parameters and 20 metrics, and a long table.
func wideModel() *model.Model {
	type parameters struct {
		Policy string  `name:"policy"`
		A      float64 `name:"a"`
		B      float64 `name:"b"`
		C      float64 `name:"c"`
		D      float64 `name:"d"`
		E      float64 `name:"e"`
		F      float64 `name:"f"`
		G      float64 `name:"g"`
		H      int64   `name:"h"`
		I      int64   `name:"i"`
		J      int64   `name:"j"`
		K      int64   `name:"k"`
		L      string  `name:"l"`
		M      string  `name:"m"`
		N      bool    `name:"n"`
		O      bool    `name:"o"`
	}
	type metrics struct {
		A    float64   `name:"m_a"`
		B    float64   `name:"m_b"`
		C    float64   `name:"m_c"`
		D    float64   `name:"m_d"`
		E    float64   `name:"m_e"`
		F    float64   `name:"m_f"`
		G    float64   `name:"m_g"`
		H    float64   `name:"m_h"`
		I    float64   `name:"m_i"`
		J    float64   `name:"m_j"`
		K    *float64  `name:"m_k"`
		L    *float64  `name:"m_l"`
		M    *float64  `name:"m_m"`
		N    *float64  `name:"m_n"`
		O    int64     `name:"m_o"`
		P    int64     `name:"m_p"`
		Q    int64     `name:"m_q"`
		R    int64     `name:"m_r"`
		S    int64     `name:"m_s"`
		T    int64     `name:"m_t"`
		Jobs []testJob `table:"jobs,optional"`
	}
	return model.New(model.Spec[parameters, metrics]{
		Name: "wide", Version: 1, Defaults: parameters{Policy: "1A,1E"},
		Simulate: func(_ context.Context, p parameters, env model.Env) (metrics, error) {
			s := env.Seed.Stream("values")
			x := s.Float64()
			o := metrics{A: s.Float64(), B: s.Float64(), C: s.Float64(), D: s.Float64(), E: s.Float64(), F: s.Float64(),
				G: s.Float64(), H: s.Float64(), K: &x, O: int64(s.Intn(5000)), P: 5000}
			for j := range p.H {
				o.Jobs = append(o.Jobs, testJob{Job: j, Cluster: "das2", Wait: model.Seconds(s.Intn(1000)), Length: &x})
			}
			return o, nil
		},
	})
}

// wideRuns returns n runs with so many jobs each.
func wideRuns(b *testing.B, m *model.Model, n, jobs int) []Run {
	b.Helper()
	return wideReplications(b, m, 0, n, jobs)
}

// wideReplications returns n runs, from a replication on.
func wideReplications(b *testing.B, m *model.Model, from, n, jobs int) []Run {
	b.Helper()
	point := m.Defaults()
	point[m.Parameter("h")] = model.IntValue(int64(jobs))
	runs := make([]Run, n)
	for i := range runs {
		replication := from + i
		outcome, err := m.Simulate(context.Background(), point, m.Env(1, replication, nil))
		if err != nil {
			b.Fatal(err)
		}
		runs[i] = Run{ID: m.RunID(point, 1, replication), Seed: 1, Replication: replication, Point: point, Outcome: outcome,
			Timings: []Timing{{Machine: "node1", Section: "run", Seconds: 0.017, Items: 5000}}}
	}
	return runs
}

func openWide(b *testing.B, m *model.Model, optional ...string) *Dataset {
	b.Helper()
	d, err := Open(b.TempDir(), "wide", m, optional...)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

// BenchmarkWriteBatch writes runs of 39 columns, as batches of the size that a worker makes in five
// seconds.
func BenchmarkWriteBatch(b *testing.B) {
	m := wideModel()
	d, runs := openWide(b, m), wideRuns(b, m, 300, 0)
	for b.Loop() {
		if err := d.WriteBatch(runs, testProvenance); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(runs)*b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkWriteLongTable writes the rows of a long table of 6 columns.
func BenchmarkWriteLongTable(b *testing.B) {
	m := wideModel()
	d, runs := openWide(b, m, "jobs"), wideRuns(b, m, 40, 5000)
	for b.Loop() {
		if err := d.WriteBatch(runs, testProvenance); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(runs)*5000*b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkRead reads a full study of 5,440 runs with 39 columns, from few files and from many.
func BenchmarkRead(b *testing.B) {
	for _, files := range []int{34, 340} {
		m := wideModel()
		d, runs := openWide(b, m), wideRuns(b, m, 5440, 0)
		writeTest(b, d, runs, len(runs)/files)
		b.Run(fmt.Sprintf("frame/files=%d", files), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if frame := read(b, d, "runs", nil, nil); frame.Len() != len(runs) {
					b.Fatalf("%d rows", frame.Len())
				}
			}
			b.ReportMetric(float64(len(runs)*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
		b.Run(fmt.Sprintf("finished/files=%d", files), func(b *testing.B) {
			for b.Loop() {
				if _, err := finishedFrom(context.Background(), d); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("digest/files=%d", files), func(b *testing.B) {
			for b.Loop() {
				digest(b, d, nil)
			}
		})
	}
}

// BenchmarkReadLongTable reads 1,000,000 rows of a long table of 6 columns.
func BenchmarkReadLongTable(b *testing.B) {
	m := wideModel()
	d, runs := openWide(b, m, "jobs"), wideRuns(b, m, 200, 5000)
	writeTest(b, d, runs, 20)
	for b.Loop() {
		read(b, d, "jobs", nil, nil)
	}
	b.ReportMetric(float64(len(runs)*5000*b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkMillion scans datasets of 1,000,000 rows before and after they are compacted: as many
// runs of 39 columns, and 1,000 runs with as many rows of a long table of 6 columns. It reports
// also the most memory that the heap took.
func BenchmarkMillion(b *testing.B) {
	for _, c := range []struct {
		name                  string
		batches, runs, perRun int
		table                 string
		columns               []string
	}{
		{"runs", 1000, 1000, 0, "runs", []string{"policy", "m_a", "m_k"}},
		{"jobs", 500, 2, 1000, "jobs", []string{"job", "wait", "length"}},
	} {
		m := wideModel()
		d := openWide(b, m, "jobs")
		for batch := range c.batches {
			writeTest(b, d, wideReplications(b, m, batch*c.runs, c.runs, c.perRun), c.runs)
		}
		scan := func(state string) {
			b.Run(c.name+"/"+state+"/finished", func(b *testing.B) {
				withPeak(b, func() {
					if finished, err := finishedFrom(b.Context(), d); err != nil || len(finished) != c.batches*c.runs {
						b.Fatal(len(finished), err)
					}
				})
			})
			b.Run(c.name+"/"+state+"/read", func(b *testing.B) {
				withPeak(b, func() {
					if frame := read(b, d, c.table, c.columns, nil); frame.Len() != 1_000_000 {
						b.Fatal(frame.Len())
					}
				})
			})
			b.Run(c.name+"/"+state+"/digest", func(b *testing.B) {
				withPeak(b, func() { digest(b, d, nil) })
			})
		}
		scan("many")
		b.Run(c.name+"/compact", func(b *testing.B) {
			if b.N == 1 { // the second time there is nothing to do
				withPeak(b, func() { b.Logf("%+v", compact(b, d)) })
			}
		})
		scan("compact")
	}
}

// withPeak measures the peak of the heap while work is done, less its size before.
func withPeak(b *testing.B, work func()) {
	const heap = "/memory/classes/heap/objects:bytes"
	sample := func() uint64 {
		samples := []metrics.Sample{{Name: heap}}
		metrics.Read(samples)
		return samples[0].Value.Uint64()
	}
	runtime.GC()
	before, peak := sample(), uint64(0)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
				peak = max(peak, sample())
			}
		}
	}()
	for b.Loop() {
		work()
	}
	close(done)
	<-ended
	b.ReportMetric(float64(max(peak, before)-before)/1e6, "MB-peak")
}
