#!/bin/sh
set -e
dir=$(dirname "$0")
aws batch register-job-definition --cli-input-json "file://$dir/array.json"
aws batch register-job-definition --cli-input-json "file://$dir/finish.json"
# Prints the number of a job: submit NAME OPTION...
submit() {
	name=$1
	shift
	aws batch submit-job --job-name "$name" --job-definition "$name" --job-queue 'long' "$@" \
		--query jobId --output text
}
array=$(submit gridsweep-0123 --array-properties size=5)
finish=$(submit gridsweep-0123-finish --depends-on "jobId=$array")
echo "job $array is the array, job $finish checks and reports after it, unless a task fails"
