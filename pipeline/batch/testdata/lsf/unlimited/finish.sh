#!/bin/bash
#BSUB -J gridsweep-0123-finish
#BSUB -o /home/ada/sweeps/out/submitted/0123/logs/finish_%J.log
#BSUB -n 1
#BSUB -R "span[hosts=1]"
#BSUB -cwd /home/ada/sweeps
#BSUB -r

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
