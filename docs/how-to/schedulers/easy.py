#!/usr/bin/env python3
"""EASY backfilling as a scheduler of gridsweep, for a machine without reservations.

    gridsweep simulate nasa-ipsc --policy easy --policy exec:./easy.py

Both give the same schedule. docs/reference/external-schedulers.md has the protocol.
"""
import json
import sys

free = 0  # processors
queue = []  # jobs that wait: (number, processors, estimate)
running = {}  # number -> (end by the estimate, processors)


def start(job, now, starts):
    global free
    number, procs, estimate = job
    free -= procs
    running[number] = (now + estimate, procs)
    queue.remove(job)
    starts.append(number)


def schedule(now):
    """Returns the jobs to start now."""
    starts = []
    while queue and queue[0][1] <= free:
        start(queue[0], now, starts)
    if not queue:
        return starts
    # The first job that does not fit is the pivot. It starts when enough running jobs have ended;
    # extra is how many processors are free then beside it.
    pivot = queue[0]
    shadow, extra = now, free - pivot[1]
    for end, procs in sorted((max(end, now + 1), procs) for end, procs in running.values()):
        if extra >= 0 and end > shadow:
            break
        shadow, extra = end, extra + procs
    # Other jobs may start if they have ended by then, or need only what the pivot leaves free.
    for job in queue[1:]:
        if free == 0:
            break
        number, procs, estimate = job
        if procs <= free and (now + estimate <= shadow or procs <= extra):
            if now + estimate > shadow:
                extra -= procs
            start(job, now, starts)
    return starts


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "machine":
        free = message["procs"]
        answer = {"protocol": 1, "name": "easy.py", "version": "1"}
    else:
        for event in message["events"]:
            if event["type"] == "submit":
                queue.append((event["job"], event["procs"], event["estimate"]))
            elif event["type"] == "end":
                free += running.pop(event["job"])[1]
        answer = {"time": message["time"], "start": schedule(message["time"])}
    print(json.dumps(answer), flush=True)
