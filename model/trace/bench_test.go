// Benchmarks: reading, writing and describing logs of many jobs.

package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
)

// logLines returns the lines of a log with numbers as wide as those of real ones.
func logLines(n int) []byte {
	var text bytes.Buffer
	for i := range n {
		fmt.Fprintf(&text, "%7d %8d %6d %6d %4d %9.2f %6d %4d %6d %4d %2d %4d %3d %5d %2d %2d %2d %2d\n",
			i+1, i*37, i%90_000, i%80_000+1, i%338+1, float64(i%800_000)/16, -1, i%338+1, 43_200,
			-1, 1, i%1000, i%97, -1, i%4, -1, -1, -1)
	}
	return text.Bytes()
}

func benchmarkRead(b *testing.B, text []byte, n int) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(text), "bench", Options{})
		var job Job
		read := 0
		for {
			err := r.Read(&job)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			read++
		}
		if read != n {
			b.Fatalf("%d jobs, want %d", read, n)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

func BenchmarkReadSWF(b *testing.B) { benchmarkRead(b, logLines(100_000), 100_000) }

func BenchmarkReadGWF(b *testing.B) {
	const n = 50_000
	jobs, _ := NewReader(bytes.NewReader(logLines(n)), "bench", Options{}).ReadAll()
	var text bytes.Buffer
	w := NewWriter(&text, GWF, &Header{}, nil)
	for i := range jobs {
		_ = w.Write(&jobs[i]) // a bytes.Buffer takes everything
	}
	_ = w.Flush()
	benchmarkRead(b, text.Bytes(), n)
}

func BenchmarkWriteSWF(b *testing.B) {
	jobs, err := NewReader(bytes.NewReader(logLines(100_000)), "bench", Options{}).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		w := NewWriter(io.Discard, SWF, &Header{}, nil)
		for i := range jobs {
			_ = w.Write(&jobs[i])
		}
		_ = w.Flush()
	}
	b.ReportMetric(float64(len(jobs))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

func BenchmarkDescribe(b *testing.B) {
	jobs, err := NewReader(bytes.NewReader(logLines(100_000)), "bench", Options{}).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		kept, _ := Clean(jobs, Rules{Procs: 338})
		Describe(kept, &Header{}, 338)
	}
}
