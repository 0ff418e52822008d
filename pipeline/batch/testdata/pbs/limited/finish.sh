#!/bin/bash
#PBS -N gridsweep-0123-finish
#PBS -l select=1:ncpus=4:mem=4096mb
#PBS -l walltime=02:00:00
#PBS -q long
#PBS -j oe
#PBS -o /home/ada/sweeps/out/submitted/0123/logs/
#PBS -r y
cd '/home/ada/sweeps' || exit
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
