#!/usr/bin/env bash
# Builds the sample applications and serves them: run.sh PORT DATA. Called by `make run`.
set -euo pipefail
cd "$(dirname "$0")/.."
port=${1:-8080}
data=${2:-Data}
case $data in /*) ;; *) data=$PWD/$data ;; esac
Scripts/setup.sh build
echo "Building the sample applications (some minutes the first time) …"
swift build --package-path Examples --product Examples
mkdir -p "$data"
# Replaces this shell with the server, so that Ctrl-C reaches only the server.
exec "$(swift build --package-path Examples --show-bin-path)/Examples" --port "$port" --data "$data"
