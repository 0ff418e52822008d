// Package draw draws figures: lines, bars and points with 95 % intervals, heat maps and Gantt
// charts, as SVG, PNG, PDF and EPS. A figure can be read without colour (series differ in marker,
// dash and order as well), nothing covers the data (the legend stands below the axes), and the
// paper's own numbers are hollow markers in the colour of their series.
//
// Equal figures give equal bytes. The caption is not in the picture: it belongs to the text around
// it.
package draw

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/sourcegraph/conc/pool"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
	"gridsweep/results"
)

// Write draws every figure to dir as SVG, PNG, PDF and EPS, several at a time. Each file is
// replaced atomically; a PNG that was drawn from the same SVG is kept. It returns an error if a
// file cannot be written or two figures would have the same file, and the error of ctx when ctx is
// done; files written by then stay.
func Write(ctx context.Context, dir string, figures []analysis.Figure, size Size) error {
	names := make([]string, len(figures))
	for i, figure := range figures {
		names[i] = figure.Name
	}
	if err := tabulate.CheckFileNames(names); err != nil {
		return fmt.Errorf("write figures: %w", err)
	}
	appearances := AppearancesOf(figures)
	// One error is enough: a full disk fails them all.
	workers := pool.New().WithMaxGoroutines(runtime.GOMAXPROCS(0)).WithErrors().WithFirstError()
	for _, figure := range figures {
		workers.Go(func() error { return writeFigure(ctx, dir, figure, appearances, size) })
	}
	return workers.Wait()
}

func writeFigure(ctx context.Context, dir string, figure analysis.Figure, appearances Appearances, size Size) error {
	path := filepath.Join(dir, tabulate.FileName(figure.Name))
	var document []byte
	for _, format := range formats {
		if format.ending == ".png" {
			if err := writePNG(ctx, path+format.ending, figure, appearances, size, document); err != nil {
				return err
			}
			continue
		}
		picture, err := render(ctx, figure, appearances, size, format.render)
		if err != nil {
			return err
		}
		if format.ending == ".svg" {
			document = picture
		}
		if err := results.WriteFile(path+format.ending, picture); err != nil {
			return err
		}
	}
	return nil
}

// formats are the formats of pictures. SVG is first, since a PNG file has the checksum of its SVG
// document.
var formats = []struct {
	ending string // of the file
	render renderer
}{{".svg", renderSVG}, {".png", renderPNG}, {".pdf", renderPDF}, {".eps", renderEPS}}

// Files returns the names of the files that Write makes of a figure: SVG, PNG, PDF and EPS.
func Files(figure string) []string {
	files := make([]string, len(formats))
	for i, format := range formats {
		files[i] = tabulate.FileName(figure) + format.ending
	}
	return files
}

// render lays out a figure and returns it in the format of renderAs.
func render(
	ctx context.Context, figure analysis.Figure, appearances Appearances, size Size, renderAs renderer,
) ([]byte, error) {
	return unlessDone(ctx, func() ([]byte, error) {
		sheet, err := newSheet(figure, appearances, size.width())
		if err != nil {
			return nil, err
		}
		return renderAs(sheet, "Figure "+figure.Name+". "+figure.Title, size), nil
	})
}

// renderer returns a layout with a title as a picture in some format.
type renderer func(l layout, title string, size Size) []byte

// unlessDone returns the picture that render makes, or the error of ctx as soon as ctx is done.
// Drawing cannot be cancelled and may last seconds: it then ends in the background and its picture
// is dropped.
func unlessDone(ctx context.Context, render func() ([]byte, error)) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var picture []byte
	var err error
	ended := make(chan struct{})
	go func() {
		picture, err = render()
		close(ended)
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-ended:
		return picture, err
	}
}

// layout is the content of a picture, which draw draws on a white canvas of its size.
type layout interface {
	size() (width, height vg.Length)
	draw(draw.Canvas)
}
