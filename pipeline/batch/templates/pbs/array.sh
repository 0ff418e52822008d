{{- /* An array has at least two tasks. PBS sends SIGTERM at the time limit, and SIGKILL kill_delay later. */ -}}
#!/bin/bash
#PBS -N {{.Name}}
{{- if gt .Tasks 1}}
#PBS -J 1-{{.Tasks}}{{with .Running}}%{{.}}{{end}}
{{- end}}
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
exec {{.Run}}
