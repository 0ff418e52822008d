#!/usr/bin/env python3
"""First-come-first-served as a scheduler of gridsweep."""
import json
import sys

queue = []  # (number, processors) of the jobs that wait

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "machine":
        answer = {"protocol": 1, "name": "fcfs.py"}
    else:
        for event in message["events"]:
            if event["type"] == "submit":
                queue.append((event["job"], event["procs"]))
        free, start = message["free"], []
        while queue and queue[0][1] <= free:
            job, procs = queue.pop(0)
            start.append(job)
            free -= procs
        answer = {"time": message["time"], "start": start}
    print(json.dumps(answer), flush=True)
