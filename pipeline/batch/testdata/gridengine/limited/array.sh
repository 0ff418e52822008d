#!/bin/bash
#$ -N gridsweep-0123
#$ -t 1-5
#$ -tc 2
#$ -o /home/ada/sweeps/out/submitted/0123/logs/$JOB_ID.$TASK_ID.log
#$ -S /bin/bash
#$ -wd /home/ada/sweeps
#$ -j y
#$ -r y
#$ -pe smp 4
#$ -l h_rt=7200,s_rt=7140
#$ -l mem_free=4096M
#$ -q long
export GRIDSWEEP_TRACES='/home/ada/traces'
exec /opt/gridsweep run mine.yaml --set 'label=it'\''s "1A, 1E"' --shard env --workers 4
