#!/bin/bash
# A Grid Engine cluster of this machine alone, for a test: gridengine.sh DIR PORT SLOTS starts it below the new folder DIR,
# on PORT and the next, prints "ready" and stops it when its standard input ends, however that comes about. It needs root.
set -eu
dir=$1 port=$2 slots=$3
user=$(id -un)
lib=/usr/lib/gridengine shared=/usr/share/gridengine
export SGE_ROOT=$dir/root SGE_CELL=default SGE_QMASTER_PORT=$port SGE_EXECD_PORT=$((port + 1)) SGE_ND=1
unset SGE_SINGLE_LINE
common=$SGE_ROOT/$SGE_CELL/common
mkdir -p "$common" "$dir"/{log,qmaster/job_scripts,execd,db}
for part in bin lib util utilbin; do ln -s "/var/lib/gridengine/$part" "$SGE_ROOT/$part"; done
# The names of this machine are one host, also where its own name resolves to an address of the loopback.
host=localhost
echo "$host $(hostname) $(hostname -s)" >"$common/host_aliases"
echo "$host" >"$common/act_qmaster"
cat >"$common/bootstrap" <<CONF
admin_user             $user
default_domain         none
ignore_fqdn            true
spooling_method        berkeleydb
spooling_lib           libspoolb
spooling_params        $dir/db
binary_path            /usr/lib/gridengine
qmaster_spool_dir      $dir/qmaster
security_mode          none
listener_threads       2
worker_threads         2
scheduler_threads      1
CONF
sed -e "s|^execd_spool_dir .*|execd_spool_dir $dir/execd|" -e 's|^gid_range .*|gid_range 20000-20100|' \
	-e 's|^min_uid .*|min_uid 0|' -e 's|^min_gid .*|min_gid 0|' -e 's|^shell_start_mode .*|shell_start_mode unix_behavior|' \
	$shared/default-configuration >"$dir/configuration"
grep -q ^gid_range "$dir/configuration" || echo 'gid_range 20000-20100' >>"$dir/configuration"
{
	$lib/spoolinit berkeleydb libspoolb "$dir/db" init
	$lib/spooldefaults configuration "$dir/configuration"
	$lib/spooldefaults complexes $shared/util/resources/centry
	$lib/spooldefaults usersets $shared/util/resources/usersets
	$lib/spooldefaults managers "$user"
} >"$dir/log/init" 2>&1

daemons=()
stop() {
	trap '' EXIT INT TERM HUP
	qdel -f -u "$user" >/dev/null 2>&1 || true
	for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
		kill "${daemons[i]}" 2>/dev/null && wait "${daemons[i]}" || true
	done
}
trap stop EXIT
trap 'exit 1' INT TERM HUP
sge_qmaster >"$dir/log/qmaster" 2>&1 </dev/null &
daemons+=($!)
for _ in $(seq 100); do
	qconf -sconf >/dev/null 2>&1 && break
	sleep 0.1
done
{
	qconf -as "$host"
	cat >"$dir/hostgroup" <<CONF
group_name @allhosts
hostlist $host
CONF
	cat >"$dir/exechost" <<CONF
hostname $host
load_scaling NONE
complex_values NONE
user_lists NONE
xuser_lists NONE
projects NONE
xprojects NONE
usage_scaling NONE
report_variables NONE
CONF
	qconf -Ae "$dir/exechost"
	qconf -Ahgrp "$dir/hostgroup"
	cat >"$dir/pe" <<CONF
pe_name smp
slots 999
user_lists NONE
xuser_lists NONE
start_proc_args NONE
stop_proc_args NONE
allocation_rule \$pe_slots
control_slaves FALSE
job_is_first_task TRUE
urgency_slots min
accounting_summary FALSE
qsort_args NONE
CONF
	qconf -Ap "$dir/pe"
	qconf -sq | sed -e "s|^qname .*|qname main.q|" -e "s|^hostlist .*|hostlist @allhosts|" -e "s|^slots .*|slots $slots|" -e 's|^pe_list .*|pe_list smp|' \
		-e 's|^load_thresholds .*|load_thresholds NONE|' -e 's|^shell_start_mode .*|shell_start_mode unix_behavior|' \
		-e 's|^rerun .*|rerun TRUE|' >"$dir/queue"
	qconf -Aq "$dir/queue"
	qconf -ssconf | sed -e 's|^schedule_interval .*|schedule_interval 0:0:1|' \
		-e 's|^flush_submit_sec .*|flush_submit_sec 1|' -e 's|^flush_finish_sec .*|flush_finish_sec 1|' >"$dir/scheduler"
	qconf -Msconf "$dir/scheduler"
} >"$dir/log/setup" 2>&1 </dev/null
sge_execd >"$dir/log/execd" 2>&1 </dev/null &
daemons+=($!)
for _ in $(seq 300); do
	if qstat -f 2>/dev/null | grep -q '^main.q@.*lx-[a-z0-9]* *$'; then
		echo ready
		cat <&0 >/dev/null &
		daemons+=($!)
		wait $!
		exit 0
	fi
	sleep 0.1
done
echo "the cluster did not start" >&2
qstat -f >&2 || true
tail -n 20 "$dir"/log/* "$dir"/qmaster/messages "$dir"/execd/*/messages >&2
exit 1
