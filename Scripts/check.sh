#!/usr/bin/env bash
# Checks the format, file sizes, suites, layers, places of faults, links, imports against the module map, warnings as
# errors, the count of declared API symbols, and the instructions of ten benchmark cases. Called by `make check`.
# `check.sh sources` ends before the first build; continuous integration calls it.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh build

echo "== Format"
Scripts/sources.sh | xargs -0 swift format lint --strict --configuration .swift-format

echo "== File sizes"
long=$(Scripts/sources.sh | xargs -0 wc -l | awk '$2 != "total" && $1 > 600')
[ -z "$long" ] || { echo "over 600 lines, split these:"; echo "$long"; exit 1; }

echo "== Suites"
if git grep -n -E '^ *@Suite (struct|final class)' -- '*Tests/*.swift'; then
    echo "@Suite without a name or a trait costs time to compile: leave it out"
    exit 1
fi

echo "== Layers"
Scripts/layers.py

echo "== Words"
Scripts/words.py

echo "== Places of the faults put in on purpose"
Scripts/faults.py --check

echo "== Links of the documentation"
Scripts/check-links.py

if [ "${1:-}" = sources ]; then exit; fi

echo "== Build, warnings as errors"
swift build --scratch-path .build-check --explicit-target-dependency-import-check error \
    -Xswiftc -warnings-as-errors --build-tests

if [ -x ../shared/tools/api-parity ]; then
    echo "== Declared API"
    # The tool searches one folder for modules; the predicate language is a separate module.
    ../shared/tools/api-parity --build "$(swift build --scratch-path .build-check --show-bin-path)" \
        --module ManagedGraph --module GraphPredicates
else
    echo "Skipped: the count of declared API, as ../shared is not there."
fi

echo "== Instructions of the benchmark's cases"
Scripts/count.sh
