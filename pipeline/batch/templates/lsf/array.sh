{{- /* -wa and -wt send SIGUSR1 a minute before the limit. */ -}}
#!/bin/bash
#BSUB -J "{{.Name}}{{if gt .Tasks 1}}[1-{{.Tasks}}]{{with .Running}}%{{.}}{{end}}{{end}}"
#BSUB -o {{plain .Logs}}/%J_%I.log
#BSUB -n {{.CPUs}}
#BSUB -R "span[hosts=1]{{with .Memory.Megabytes}} rusage[mem={{.}}MB]{{end}}"
{{- with .Time.Minutes}}
#BSUB -W {{.}}
{{- if gt . 1}}
#BSUB -wa USR1 -wt 1
{{- end}}
{{- end}}
{{- with .Partition}}
#BSUB -q {{.}}
{{- end}}
#BSUB -cwd {{plain .Folder}}
#BSUB -r
{{- with .Traces}}
export GRIDSWEEP_TRACES={{shown .}}
{{- end}}
exec {{.Run}}
