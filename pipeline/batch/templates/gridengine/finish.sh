#!/bin/bash
#$ -N {{.FinishName}}
#$ -o {{plain .Logs}}/finish.$JOB_ID.log
#$ -S /bin/bash
#$ -wd {{plain .Folder}}
#$ -j y
#$ -r y
{{- if gt .CPUs 1}}
#$ -pe smp {{.CPUs}}
{{- end}}
{{- with .Time.Seconds}}
#$ -l h_rt={{.}},s_rt={{$.Time.Soft}}
{{- end}}
{{- with .Memory.Megabytes}}
#$ -l mem_free={{.}}M
{{- end}}
{{- with .Partition}}
#$ -q {{.}}
{{- end}}
{{- with .Traces}}
export GRIDSWEEP_TRACES={{shown .}}
{{- end}}

{{template "report.tmpl" .}}