#!/usr/bin/env bash
# Builds the pages of ManagedGraph and GraphPredicates into .build-docs/site and serves them: docs.sh PORT. Called by
# `make docs`; SERVE=0 builds only. Any warning fails, and so does a public symbol of the top level without a topic.
set -euo pipefail
cd "$(dirname "$0")/.."
port=${1:-8081}
Scripts/setup.sh build
echo "Building the documentation (about 2 minutes the first time) …"
# The plugin is a dependency for this command alone: users of the library need not resolve it.
export MANAGEDGRAPH_DOCUMENTATION=1
mkdir -p .build-docs
rm -rf .build-docs/site
if ! swift package --scratch-path .build-docs/scratch --allow-writing-to-directory .build-docs generate-documentation \
    --target GraphPredicates --target ManagedGraph --enable-experimental-combined-documentation \
    --transform-for-static-hosting --warnings-as-errors --output-path .build-docs/site > .build-docs/log 2>&1
then
    grep -vE '^\[[0-9]+/[0-9]+\]' .build-docs/log | tail -60
    echo "docs: the build failed; .build-docs/log has all of it" >&2
    exit 1
fi
Scripts/docs-topics.py .build-docs/site
if [ "${SERVE:-1}" != 0 ]; then
    echo "http://127.0.0.1:$port/documentation/"
    exec python3 -m http.server "$port" --bind 127.0.0.1 --directory .build-docs/site
fi
