// Labels of levels as numbers, durations and names.

package study

import (
	"math"
	"slices"
	"strconv"

	"gridsweep/configs"
	"gridsweep/model"
)

// Label is the name of a level in tables, figures and claims. A label that is a number or a
// duration has a position on a numeric axis.
type Label struct {
	Text      string
	canonical string
	number    float64 // NaN where it is none
	seconds   float64 // seconds of a duration; NaN where it is none
}

// NewLabel reads a label.
func NewLabel(text string) Label {
	l := Label{Text: text, canonical: configs.CanonicalLabel(text), number: math.NaN(), seconds: math.NaN()}
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(x, 0) {
		l.number = x
	}
	if v, err := model.ParseValue(model.TypeSeconds, text); err == nil {
		l.seconds = float64(v.Int())
	}
	return l
}

// Same reports whether both name the same level; see configs.SameLabel.
func (l Label) Same(other Label) bool { return l.canonical == other.canonical }

// IndexOf returns the index of a label in a list, or -1. A label with the same text has precedence
// over one with the same value.
func IndexOf(labels []Label, label Label) int {
	if i := slices.IndexFunc(labels, func(l Label) bool { return l.Text == label.Text }); i >= 0 {
		return i
	}
	return slices.IndexFunc(labels, label.Same)
}

// Texts returns the labels as they are written.
func Texts(labels []Label) []string {
	return mapped(labels, func(l Label) string { return l.Text })
}

// Scale returns the number that each label stands for and their unit, "s" for durations; nil unless
// all are numbers or all are durations.
func Scale(labels []Label) (scale []float64, unit string) {
	scale = mapped(labels, func(l Label) float64 { return l.number })
	if !slices.ContainsFunc(scale, math.IsNaN) {
		return scale, ""
	}
	scale = mapped(labels, func(l Label) float64 { return l.seconds })
	if !slices.ContainsFunc(scale, math.IsNaN) {
		return scale, "s"
	}
	return nil, ""
}

// newLabels reads labels of a study file.
func newLabels(texts []configs.Text) []Label {
	return mapped(texts, func(t configs.Text) Label { return NewLabel(t.Value) })
}

// labelSet is a set of labels, looked up by their canonical form; empty where they are not known.
type labelSet struct {
	texts []string
	index map[string]int // by canonical label: index in texts, of the first of equal ones
}

func newLabelSet(texts []string) labelSet {
	l := labelSet{texts: texts, index: make(map[string]int, len(texts))}
	for i, text := range slices.Backward(texts) {
		l.index[configs.CanonicalLabel(text)] = i
	}
	return l
}

func (l labelSet) has(label string) bool {
	_, found := l.index[configs.CanonicalLabel(label)]
	return found
}
