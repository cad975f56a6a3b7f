#!/usr/bin/env bash
# Connects 200 simulated browsers to the sample applications and prints their figures: load.sh PROGRAM ARGUMENT…, with a
# file of Tests/Browser as the program:
#   load DURATION PANELS STUDIOS   50 changes a second, for some seconds; numbers of browsers with the panel “Under the Hood”
#                                  and with the studio's section Live. Called by `make load`.
#   long_run DURATION              imports, migrations and visits, and a plot of memory and latency. Called by `make long-run`
#                                  and, for an hour, by safety.py.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh browser
Scripts/workspace.sh build --product Examples
EXAMPLES_BINARY=$PWD/.build-all/debug/Examples
export EXAMPLES_BINARY
program=$1
shift
exec .build-venv/bin/python "Tests/Browser/$program.py" "$@"
