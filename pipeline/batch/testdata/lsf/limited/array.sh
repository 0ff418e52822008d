#!/bin/bash
#BSUB -J "gridsweep-0123[1-5]%2"
#BSUB -o /home/ada/sweeps/out/submitted/0123/logs/%J_%I.log
#BSUB -n 4
#BSUB -R "span[hosts=1] rusage[mem=4096MB]"
#BSUB -W 120
#BSUB -wa USR1 -wt 1
#BSUB -q long
#BSUB -cwd /home/ada/sweeps
#BSUB -r
export GRIDSWEEP_TRACES='/home/ada/traces'
exec /opt/gridsweep run mine.yaml --set 'label=it'\''s "1A, 1E"' --shard env --workers 4
