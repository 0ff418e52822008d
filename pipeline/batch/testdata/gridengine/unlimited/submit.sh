#!/bin/sh
set -e
dir=$(dirname "$0")
array=$(qsub -terse "$dir/array.sh")
array=${array%%.*}
finish=$(qsub -terse -hold_jid "$array" "$dir/finish.sh")
echo "job $array is the array, job $finish checks and reports after it; qdel $array $finish takes them back"
