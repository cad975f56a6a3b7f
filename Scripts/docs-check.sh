#!/usr/bin/env bash
# Checks the links and topics of the documentation from modules that are built: docs-check.sh BINARIES. `make docs` compiles
# the modules once more for the pages it serves; this takes seconds. Called by test.py.
set -euo pipefail
cd "$(dirname "$0")/.."
binaries=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for module in GraphPredicates ManagedGraph; do
    mkdir -p "$folder/symbols/$module" "$folder/site"
    swift symbolgraph-extract -module-name "$module" -minimum-access-level public -output-dir "$folder/symbols/$module" \
        -I "$binaries/Modules" -Xcc "-fmodule-map-file=$PWD/Sources/CSQLite/module.modulemap" \
        -Xcc "-fmodule-map-file=$binaries/CSwiftRuntime.build/module.modulemap"
    docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$folder/symbols/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" --warnings-as-errors \
        --output-path "$folder/site/$module"
done
Scripts/docs-topics.py "$folder/site"
