#!/bin/bash
#PBS -N gridsweep-0123
#PBS -J 1-5%2
#PBS -l select=1:ncpus=4:mem=4096mb
#PBS -l walltime=02:00:00
#PBS -q long
#PBS -j oe
#PBS -o /home/ada/sweeps/out/submitted/0123/logs/
#PBS -r y
cd '/home/ada/sweeps' || exit
export GRIDSWEEP_TRACES='/home/ada/traces'
exec /opt/gridsweep run mine.yaml --set 'label=it'\''s "1A, 1E"' --shard env --workers 4
