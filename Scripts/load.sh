#!/usr/bin/env bash
# Connects 200 simulated browsers to the Tasks application while it saves 50 changes a second, and prints the changes
# that they received. The arguments are the duration in seconds, and the numbers of browsers with the panel “Under the
# Hood” and with the studio's section Live. Called by `make load`.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh browser
Scripts/workspace.sh build --product Examples
EXAMPLES_BINARY=$PWD/.build-all/debug/Examples
export EXAMPLES_BINARY
exec .build-venv/bin/python Tests/Browser/load.py "${1:-60}" "${2:-0}" "${3:-0}"
