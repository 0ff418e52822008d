// The section deviations of a study file.

package configs

import "go.yaml.in/yaml/v4"

// Deviation is a parameter whose value in the study is not the one that the paper prints.
type Deviation struct {
	Name    Text // of the parameter
	Printed Text // its value in the paper; empty if it prints no single one
	Source  Text // where the paper prints it, or should
	Why     Text // why the study has another value
}

func (s *Study) readDeviation(p *parser, name Text, n *yaml.Node, key string) {
	d := Deviation{Name: name}
	p.record(deviationRecord(&d), name.Pos, n, key)
	s.Deviations = append(s.Deviations, d)
}

func deviationRecord(d *Deviation) record {
	return record{heading: "Deviations", fields: []field{
		{"printed", text(&d.Printed)}, {"source", text(&d.Source)}, {"why", text(&d.Why)},
	}, required: []wanted{
		{"source", "where the paper prints the value, or what it prints instead"},
		{"why", "why the study has another value"},
	}}
}
