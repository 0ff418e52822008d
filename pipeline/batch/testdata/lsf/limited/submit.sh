#!/bin/sh
set -e
dir=$(dirname "$0")
# Prints the number of a job from "Job <7> is submitted to queue <normal>.".
number() { sed -n 's/^Job <\([0-9]*\)> is submitted.*/\1/p'; }
array=$(bsub <"$dir/array.sh" | number)
[ -n "$array" ]
finish=$(bsub -w "ended($array)" <"$dir/finish.sh" | number)
echo "job $array is the array, job $finish checks and reports after it; bkill $array $finish takes them back"
