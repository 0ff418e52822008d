#!/bin/bash
#SBATCH --job-name=gridsweep-0123
#SBATCH --array=0-0
#SBATCH --output=/home/ada/sweeps/out/submitted/0123/logs/%A_%a.log
#SBATCH --open-mode=append
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --chdir=/home/ada/sweeps
#SBATCH --signal=B:USR1@60
#SBATCH --requeue
exec /opt/gridsweep run mine.yaml
