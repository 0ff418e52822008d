#!/bin/bash
#SBATCH --job-name={{.FinishName}}
#SBATCH --output={{word (print .LogPattern "/finish_%j.log")}}
#SBATCH --open-mode=append
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.CPUs}}
{{- with .Time.Text}}
#SBATCH --time={{.}}
{{- end}}
{{- with .Memory.Text}}
#SBATCH --mem={{.}}
{{- end}}
{{- with .Partition}}
#SBATCH --partition={{.}}
{{- end}}
#SBATCH --chdir={{word .Folder}}
#SBATCH --requeue
{{- with .Traces}}
export GRIDSWEEP_TRACES={{shown .}}
{{- end}}

{{template "report.tmpl" .}}