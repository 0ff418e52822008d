// Writer: writing a trace job by job in either format.

package trace

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Writer writes a trace job by job. A Reader reads the same jobs and the same header back.
type Writer struct {
	to     *bufio.Writer
	format Format
	names  *Names
	line   []byte // of the current job
}

// NewWriter returns a writer whose trace begins with the header. The names are those that the jobs
// were read with; nil where users and so on are numbers. The Standard Workload Format has no
// field for a job's Site and Rest, and no names: Convert must change jobs that have some first.
func NewWriter(to io.Writer, format Format, header *Header, names *Names) *Writer {
	w := &Writer{to: bufio.NewWriterSize(to, bufferSize), format: format, names: names}
	for _, line := range header.Lines {
		_, _ = w.to.WriteString(line + "\n") // Write and Flush return the error
	}
	return w
}

// Write writes a job. It returns the first error of the destination; a job in the Standard Workload
// Format that has indices of names is an error too.
func (w *Writer) Write(job *Job) error {
	w.line = w.line[:0]
	switch {
	case w.format == GWF:
		w.writeGWF(job)
	case w.names != nil:
		return fmt.Errorf("write job %d: its users are names, the %s has numbers: convert it first", job.ID, SWF.title())
	default:
		w.writeSWF(job)
	}
	_, err := w.to.Write(w.line)
	return err
}

// Flush writes the buffered text. It returns the first error of the destination.
func (w *Writer) Flush() error { return w.to.Flush() }

func (w *Writer) number(value int64, after byte) {
	w.line = append(strconv.AppendInt(w.line, value, 10), after)
}

// decimal writes the shortest digits that read back as the same number.
func (w *Writer) decimal(value float64, after byte) {
	w.line = append(strconv.AppendFloat(w.line, value, 'f', -1, 64), after)
}

func (w *Writer) writeSWF(job *Job) {
	for _, value := range [...]int64{job.ID, job.Submit, job.Wait, job.Run, int64(job.Procs)} {
		w.number(value, ' ')
	}
	w.decimal(job.CPU, ' ')
	for _, value := range [...]int64{
		job.Memory, int64(job.ReqProcs), job.ReqTime, job.ReqMemory, int64(job.Status), int64(job.User), int64(job.Group),
		int64(job.App), int64(job.Queue), int64(job.Partition), job.After,
	} {
		w.number(value, ' ')
	}
	w.number(job.Think, '\n')
}

// missingFields are fields 18 to 29 of a job where all of them are missing.
const missingFields = "-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1"

func (w *Writer) writeGWF(job *Job) {
	for _, value := range [...]int64{job.ID, job.Submit, job.Wait, job.Run, int64(job.Procs)} {
		w.number(value, '\t')
	}
	w.decimal(job.CPU, '\t')
	for _, value := range [...]int64{job.Memory, int64(job.ReqProcs), job.ReqTime, job.ReqMemory, int64(job.Status)} {
		w.number(value, '\t')
	}
	for i, number := range job.texts() {
		if *number < 0 || w.names == nil {
			w.number(int64(*number), '\t')
		} else {
			w.line = append(append(w.line, w.names.lists()[i].Name(*number)...), '\t')
		}
	}
	if w.names != nil && job.Rest > 0 {
		w.line = append(w.line, w.names.Rest.Name(job.Rest-1)...)
	} else {
		w.line = append(w.line, missingFields...)
	}
	w.line = append(w.line, '\n')
}
