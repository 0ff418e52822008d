#!/bin/bash
#SBATCH --job-name=gridsweep-0123-finish
#SBATCH --output=/home/ada/sweeps/out/submitted/0123/logs/finish_%j.log
#SBATCH --open-mode=append
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --time=02:00:00
#SBATCH --mem=4G
#SBATCH --partition=long
#SBATCH --chdir=/home/ada/sweeps
#SBATCH --requeue
export GRIDSWEEP_TRACES='/home/ada/traces'

/opt/gridsweep status mine.yaml --complete
complete=$?
if [ $complete -gt 1 ]; then
	echo "the status of the submission is unknown (exit code $complete); nothing was reported"
	exit 1
fi
/opt/gridsweep report mine.yaml
reported=$?
if [ $complete -ne 0 ]; then
	echo 'not all is done; see /home/ada/sweeps/out/submitted/0123/logs'
	echo 'submit the rest with'
	echo '    gridsweep submit mine.yaml --set '\''name=it'\''\'\'''\''s'\'' --missing'
	exit 1
fi
[ $reported -eq 0 ]
