#!/bin/sh
set -e
dir=$(dirname "$0")
kubectl apply -f "$dir/array.yaml"
echo "gridsweep-0123-finish is created when gridsweep-0123 has ended; after ctrl-C, sh $0 waits again"
until kubectl get job gridsweep-0123 -o 'jsonpath={.status.conditions[?(@.status=="True")].type}' | grep -q -e Complete -e Failed$; do
	sleep 10
done
kubectl apply -f "$dir/finish.yaml"
echo "kubectl logs job/gridsweep-0123-finish --all-containers shows the report; kubectl delete job gridsweep-0123 gridsweep-0123-finish removes both"
