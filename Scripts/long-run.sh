#!/usr/bin/env bash
# Serves 200 simulated browsers for some seconds while tasks are changed, items imported, stores migrated and screens opened
# and left, and fails if a request fails or if memory, descriptors, threads or latency rise. Prints a sample each ten seconds,
# and plots them in Documentation/images/long-run.svg. Called by `make long-run` and, for an hour, by safety.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh browser
Scripts/workspace.sh build --product Examples
EXAMPLES_BINARY=$PWD/.build-all/debug/Examples
export EXAMPLES_BINARY
exec .build-venv/bin/python Tests/Browser/long_run.py "${1:-60}" Documentation/images/long-run.svg
