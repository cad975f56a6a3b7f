#!/usr/bin/env bash
# Runs a coverage-guided fuzzer (libFuzzer) on the predicate language for MINUTES=10, then the property tests with
# CASES=100000 cases. Called by `make fuzz`. Interesting inputs stay in .build-fuzz/corpus; the output ends with the
# name of a failing one.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${MINUTES:-10}
cases=${CASES:-100000}
work=$PWD/.build-fuzz
mkdir -p "$work/corpus" "$work/seeds" "$work/failures"

echo "== The fuzzer, built"
# One module for the language and the fuzzer, so that the fuzzer can access internals. Optimized, but with all checks.
options=(-O -wmo -parse-as-library -swift-version 6 -package-name managedgraph)
find Sources/GraphArchives -name '*.swift' -print0 | sort -z |
    xargs -0 swiftc "${options[@]}" -module-name GraphArchives -emit-module-path "$work/GraphArchives.swiftmodule" \
        -emit-library -static -o "$work/libGraphArchives.a"
find Sources/GraphPredicates -name '*.swift' -print0 | sort -z |
    xargs -0 swiftc "${options[@]}" -module-name PredicateFuzzer -I "$work" -L "$work" -lGraphArchives \
        -sanitize=fuzzer Fuzzing/PredicateFuzzer.swift -o "$work/predicate-fuzzer"

number=0
while IFS= read -r format; do
    printf '%s' "$format" >"$work/seeds/own-$((number += 1))"
done <Fuzzing/seeds.txt
for formats in Tests/Fixtures/predicates.json ../shared/apple/predicates.json; do
    [ -f "$formats" ] || continue
    python3 - "$formats" "$work/seeds/listed-$((number += 1))" <<'PYTHON'
import json, sys
for number, entry in enumerate(json.load(open(sys.argv[1]))):
    if entry.get("dialect") == "nspredicate":
        with open(f"{sys.argv[2]}-{number}", "w") as file:
            file.write(entry["format"])
PYTHON
done

echo "== The fuzzer, $minutes minutes"
status=0
# libFuzzer must handle the crash itself to save the input.
export SWIFT_BACKTRACE=enable=no
"$work/predicate-fuzzer" "$work/corpus" "$work/seeds" -dict=Fuzzing/predicate.dict -max_total_time=$((minutes * 60)) \
    -max_len=4096 -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=256 -print_final_stats=1 \
    -artifact_prefix="$work/failures/" >"$work/fuzzer.log" 2>&1 || status=$?
grep -E '^stat::(number_of_executed_units|average_exec_per_sec|new_units_added|slowest_unit_time_sec|peak_rss_mb)' \
    "$work/fuzzer.log" || true
grep -oE 'cov: [0-9]+ ft: [0-9]+ corp: [^ ]+' "$work/fuzzer.log" | tail -1
if [ $status -ne 0 ]; then
    tail -40 "$work/fuzzer.log" >&2
    echo "The fuzzer has found a format that fails; see $work/failures and $work/fuzzer.log." >&2
    exit 1
fi

echo "== Property tests, $cases cases"
export PREDICATE_CASES=$cases FUZZ_CASES=$cases FETCH_CASES=$((cases / 5))
Scripts/test.py 'RandomRoundTripTests|DifferentialTests|ResultsFuzzTests|RandomFetches|RandomSwiftPredicates'
