#!/bin/sh
set -e
dir=$(dirname "$0")
kubectl apply -f "$dir/array.yaml"
echo "{{.FinishName}} is created when {{.Name}} has ended; after ctrl-C, sh $0 waits again"
until kubectl get job {{.Name}} -o 'jsonpath={.status.conditions[?(@.status=="True")].type}' | grep -q -e Complete -e Failed$; do
	sleep 10
done
kubectl apply -f "$dir/finish.yaml"
echo "kubectl logs job/{{.FinishName}} --all-containers shows the report; kubectl delete job {{.Name}} {{.FinishName}} removes both"
