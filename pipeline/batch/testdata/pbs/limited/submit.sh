#!/bin/sh
set -e
dir=$(dirname "$0")
array=$(qsub "$dir/array.sh")
finish=$(qsub -W "depend=afterany:$array" "$dir/finish.sh")
echo "job $array is the array, job $finish checks and reports after it; qdel $array $finish takes them back"
