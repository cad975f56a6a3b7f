#!/usr/bin/env bash
# Builds the studio and serves it for files: studio.sh PORT WRITE FILE.... Called by `make studio`. Without a file, it shows the
# models and the stores of the sample applications.
set -euo pipefail
cd "$(dirname "$0")/.."
port=$1
write=()
if [ "$2" = 1 ]; then write=(--write); fi
shift 2
if [ $# = 0 ]; then
    set -- Examples/Sources/*/*.xcdatamodeld
    for store in Data/*/*.sqlite; do
        [ ! -f "$store" ] || set -- "$@" "$store"
    done
fi
Scripts/setup.sh build
Scripts/workspace.sh build --product managedgraph-studio
exec .build-all/debug/managedgraph-studio --port "$port" ${write[@]+"${write[@]}"} "$@"
