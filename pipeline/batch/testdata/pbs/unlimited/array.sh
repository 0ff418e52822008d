#!/bin/bash
#PBS -N gridsweep-0123
#PBS -l select=1:ncpus=1
#PBS -j oe
#PBS -o /home/ada/sweeps/out/submitted/0123/logs/
#PBS -r y
cd '/home/ada/sweeps' || exit
exec /opt/gridsweep run mine.yaml
