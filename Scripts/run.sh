#!/usr/bin/env bash
# Builds the sample applications and serves them: run.sh PORT DATA SAMPLES STORE. Called by `make run`. New applications begin
# with sample data unless SAMPLES is 0. STORE is the address of a PostgreSQL database, or empty for files in DATA. A server that is killed, as by the page “Try to Break It”, is started again.
set -euo pipefail
cd "$(dirname "$0")/.."
port=${1:-8080}
data=${2:-Data}
case $data in /*) ;; *) data=$PWD/$data ;; esac
Scripts/setup.sh build
binary=.build-all/debug/Examples
if [ ! -x "$binary" ]; then
    echo "Building the sample applications: about 4 minutes the first time on two cores, seconds from then on."
fi
Scripts/workspace.sh build --product Examples
mkdir -p "$data"
samples=--samples
if [ "${3:-1}" = 0 ]; then samples=--no-samples; fi
store=()
if [ -n "${4:-}" ]; then store=(--store "$4"); fi
# Commands in the background ignore Ctrl-C, so it is passed on.
server=
ending=
trap 'ending=1; kill -TERM "$server" 2>/dev/null || true' INT TERM
while true; do
    "$binary" --port "$port" --data "$data" "$samples" ${store[@]+"${store[@]}"} &
    server=$!
    if [ -n "$ending" ]; then kill -TERM "$server" 2>/dev/null || true; fi
    status=0
    wait "$server" || status=$?
    # A trapped signal ends the wait before the server has ended.
    while kill -0 "$server" 2>/dev/null; do
        status=0
        wait "$server" || status=$?
    done
    if [ "$status" != 137 ] || [ -n "$ending" ]; then exit "$status"; fi
    echo "The server was killed, and is started again."
done
