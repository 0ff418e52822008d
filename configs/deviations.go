package configs

// The section deviations of a study file.

import "go.yaml.in/yaml/v3"

// Deviation is a parameter whose value in the study is not the one that the paper prints.
type Deviation struct {
	Name    Text // of the parameter
	Printed Text // its value in the paper; empty if the paper prints none
	Source  Text // where the paper prints it, or should
	Why     Text // why the study has another value
}

var deviationRequired = []wanted{
	{"source", "where the paper prints the value, or what it prints instead"}, {"why", "why the study has another value"},
}

func (s *Study) readDeviation(p *parser, name Text, n *yaml.Node, key string) {
	d := Deviation{Name: name}
	if has := p.record(n, key, deviationFields(&d)); has != nil {
		p.checkWanted(has, name.Pos, key, deviationRequired)
	}
	s.Deviations = append(s.Deviations, d)
}

func deviationFields(d *Deviation) []field {
	return []field{{"printed", text(&d.Printed)}, {"source", text(&d.Source)}, {"why", text(&d.Why)}}
}

func deviationsForm(meaning Meaning) *Schema {
	deviation := recordForm(meaning, "Deviations", deviationFields(&Deviation{}))
	deviation.Required = required(deviationRequired)
	deviation.Type = orNull
	return mapOf(lineForm(), deviation)
}
