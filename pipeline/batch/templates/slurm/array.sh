{{- /* The program replaces the shell (exec), so that it gets the signal before the time limit: Slurm sends it to the
process of the batch shell only (B:). */ -}}
#!/bin/bash
#SBATCH --job-name={{.Name}}
#SBATCH --array=0-{{.Last}}{{with .Running}}%{{.}}{{end}}
#SBATCH --output={{word (print .LogPattern "/%A_%a.log")}}
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
#SBATCH --signal=B:USR1@{{.Time.Notice}}
#SBATCH --requeue
{{- with .Traces}}
export GRIDSWEEP_TRACES={{shown .}}
{{- end}}
exec {{.Run}}
