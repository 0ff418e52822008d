#!/bin/bash
#PBS -N {{.FinishName}}
#PBS -l select=1:ncpus={{.CPUs}}{{with .Memory.Megabytes}}:mem={{.}}mb{{end}}
{{- with .Time.Seconds}}
#PBS -l walltime={{$.Time.Clock}}
{{- end}}
{{- with .Partition}}
#PBS -q {{.}}
{{- end}}
#PBS -j oe
#PBS -o {{plain .Logs}}/
#PBS -r y
cd {{shown .Folder}} || exit
{{- with .Traces}}
export GRIDSWEEP_TRACES={{shown .}}
{{- end}}

{{template "report.tmpl" .}}