#!/bin/bash
#SBATCH --job-name=gridsweep-0123
#SBATCH --array=0-4%2
#SBATCH --output=/home/ada/sweeps/out/submitted/0123/logs/%A_%a.log
#SBATCH --open-mode=append
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --time=02:00:00
#SBATCH --mem=4G
#SBATCH --partition=long
#SBATCH --chdir=/home/ada/sweeps
#SBATCH --signal=B:USR1@60
#SBATCH --requeue
export GRIDSWEEP_TRACES='/home/ada/traces'
exec /opt/gridsweep run mine.yaml --set 'label=it'\''s "1A, 1E"' --shard env --workers 4
