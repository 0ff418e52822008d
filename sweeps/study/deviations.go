// Deviations: parameters whose value in the study is not the one that the paper prints.

package study

import (
	"gridsweep/configs"
)

// Deviation is a parameter whose value in the study is not the one that the paper prints.
type Deviation struct {
	Parameter int // index in the model
	// its value in the paper, as the parameter writes it; empty if the paper prints none
	Printed     string
	Source, Why string
}

// readDeviations binds the parameters that differ from the paper.
func (b *binder) readDeviations() {
	if b.model == nil {
		return
	}
	for _, d := range b.file.Deviations {
		key := configs.Key("deviations", d.Name.Value)
		printed := configs.Setting{Name: d.Name, Value: d.Printed, Key: key}
		if d.Printed.Value == "" { // settings needs some value of the parameter
			if i := b.model.Parameter(d.Name.Value); i >= 0 {
				printed.Value.Value = b.model.Parameters[i].Default.String()
			}
		}
		assigned := b.settings([]configs.Setting{printed})[0]
		if assigned.Wrong {
			continue
		}
		bound := Deviation{Parameter: assigned.Parameter, Source: d.Source.Value, Why: d.Why.Value}
		if d.Printed.Value != "" {
			bound.Printed = assigned.Value.String()
		}
		b.bound.Deviations = append(b.bound.Deviations, bound)
	}
}
