{{- /* SIGUSR1 comes at s_rt. Memory is requested, not limited: h_vmem limits the address space, of which Go reserves
much more than it uses. */ -}}
#!/bin/bash
#$ -N {{.Name}}
#$ -t 1-{{.Tasks}}
{{- with .Running}}
#$ -tc {{.}}
{{- end}}
#$ -o {{plain .Logs}}/$JOB_ID.$TASK_ID.log
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
exec {{.Run}}
