#!/bin/bash
# A Slurm cluster of this machine alone, for a test: slurm.sh DIR PORT CPUS starts it below the new folder DIR, on PORT
# and the next, prints "ready" and stops it when its standard input ends, however that comes about. It works as root and
# as any user; nothing outside of DIR is written. Arrays have at most five tasks.
set -eu
dir=$1 port=$2 cpus=$3
PATH=$PATH:/usr/sbin:/sbin
host=$(hostname -s)
user=$(id -un)
mkdir -p "$dir"/{log,state,spool,munge}
chmod 755 "$dir/munge"
chmod 700 "$dir/state"
(umask 077; head -c 1024 /dev/urandom >"$dir/munge/key")
cat >"$dir/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld
SlurmdLogFile=$dir/log/slurmd
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,bf_interval=1
PropagateResourceLimits=NONE
MaxArraySize=5
JobRequeue=1
ReturnToService=2
KillWait=2
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus Boards=1 SocketsPerBoard=1 CoresPerSocket=$cpus ThreadsPerCore=1 RealMemory=2000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$dir/slurm.conf

daemons=()
stop() {
	trap '' EXIT INT TERM HUP
	scancel --signal=KILL --full --user="$user" || true
	scancel --user="$user" || true
	for _ in $(seq 50); do
		[ -n "$(squeue --noheader 2>/dev/null)" ] || break
		sleep 0.1
	done
	for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do # munged last: the others end by its leave
		kill "${daemons[i]}" 2>/dev/null && wait "${daemons[i]}" || true
	done
}
trap stop EXIT
trap 'exit 1' INT TERM HUP

munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
	--log-file="$dir/log/munged" --seed-file="$dir/munge/seed" >"$dir/log/munged.out" 2>&1 </dev/null &
daemons+=($!)
until [ -S "$dir/munge/socket" ] || ! kill -0 "${daemons[0]}"; do sleep 0.05; done
slurmctld -D -f "$SLURM_CONF" >"$dir/log/slurmctld.out" 2>&1 </dev/null &
daemons+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$dir/log/slurmd.out" 2>&1 </dev/null &
daemons+=($!)
for _ in $(seq 300); do
	if [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]; then
		echo ready
		cat <&0 >/dev/null & # in the background, since a trap waits for what is not
		daemons+=($!)
		wait $!
		exit 0
	fi
	sleep 0.1
done
echo "the cluster did not start" >&2
tail -n 20 "$dir"/log/* >&2
exit 1
