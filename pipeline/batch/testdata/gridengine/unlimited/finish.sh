#!/bin/bash
#$ -N gridsweep-0123-finish
#$ -o /home/ada/sweeps/out/submitted/0123/logs/finish.$JOB_ID.log
#$ -S /bin/bash
#$ -wd /home/ada/sweeps
#$ -j y
#$ -r y

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
