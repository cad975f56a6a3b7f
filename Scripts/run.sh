#!/usr/bin/env bash
# Builds the sample applications and serves them: run.sh PORT DATA. Called by `make run`.
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
# The server takes this shell's place, so that Ctrl-C reaches it alone.
exec "$binary" --port "$port" --data "$data"
