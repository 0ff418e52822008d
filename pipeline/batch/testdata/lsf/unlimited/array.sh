#!/bin/bash
#BSUB -J "gridsweep-0123"
#BSUB -o /home/ada/sweeps/out/submitted/0123/logs/%J_%I.log
#BSUB -n 1
#BSUB -R "span[hosts=1]"
#BSUB -cwd /home/ada/sweeps
#BSUB -r
exec /opt/gridsweep run mine.yaml
