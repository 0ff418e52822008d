#!/bin/bash
#$ -N gridsweep-0123
#$ -t 1-1
#$ -o /home/ada/sweeps/out/submitted/0123/logs/$JOB_ID.$TASK_ID.log
#$ -S /bin/bash
#$ -wd /home/ada/sweeps
#$ -j y
#$ -r y
exec /opt/gridsweep run mine.yaml
