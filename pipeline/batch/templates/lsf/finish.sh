#!/bin/bash
#BSUB -J {{.FinishName}}
#BSUB -o {{plain .Logs}}/finish_%J.log
#BSUB -n {{.CPUs}}
#BSUB -R "span[hosts=1]{{with .Memory.Megabytes}} rusage[mem={{.}}MB]{{end}}"
{{- with .Time.Minutes}}
#BSUB -W {{.}}
#BSUB -wa USR1 -wt 1
{{- end}}
{{- with .Partition}}
#BSUB -q {{.}}
{{- end}}
#BSUB -cwd {{plain .Folder}}
#BSUB -r
{{- with .Traces}}
export GRIDSWEEP_TRACES={{shown .}}
{{- end}}

{{template "report.tmpl" .}}