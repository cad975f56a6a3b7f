#!/usr/bin/env bash
# Runs coverage-guided fuzzers (libFuzzer) over all parsers of untrusted input, two at a time, MINUTES=10 altogether, then
# the property tests of predicates with CASES=100000 cases. READERS="model json" runs some of them. Called by `make fuzz`.
# Prints executions, edges and the peak of memory of each. Interesting inputs stay in .build-fuzz/corpus, so that the next
# run continues; an input that fails is in .build-fuzz/failures.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh build
minutes=${MINUTES:-10}
cases=${CASES:-100000}
work=$PWD/.build-fuzz
mkdir -p "$work"
rm -rf "$work/failures"

echo "== Building the fuzzers"
# Optimized, but with all checks.
export MANAGEDGRAPH_FUZZING=1
build=(swift build -c release --product FuzzProgram --scratch-path "$work/build" --disable-index-store
    -Xswiftc -DFUZZING -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld)
"${build[@]}" > "$work/build.log" 2>&1 || { tail -40 "$work/build.log" >&2; exit 1; }
program=$("${build[@]}" --show-bin-path)/FuzzProgram
unset MANAGEDGRAPH_FUZZING
web=Examples/Sources/TableScreens/Web
swiftc -O -wmo -parse-as-library -swift-version 6 -module-name WebFuzzer -sanitize=fuzzer \
    $web/FormBody.swift $web/FormDecoder.swift $web/MultipartReader.swift Fuzzing/Web/WebFuzzer.swift -o "$work/web-fuzzer"

# The readers with their dictionaries.
wanted=${READERS:-.*}
list=$({ "$program"; echo "form form"; } | grep -E "^(${wanted// /|}) " || true)
[ -n "$list" ] || { echo "There is no such reader: ${READERS:-}" >&2; exit 1; }
seconds=$((minutes * 60 * 2 / $(wc -l <<< "$list")))
# Zero would be no limit.
if [ "$seconds" -lt 1 ]; then seconds=1; fi
echo "== $(wc -l <<< "$list") readers, $seconds seconds each"

run() {
    local name=$1 dictionary=$2 status=0
    local seeds=$work/seeds/$name corpus=$work/corpus/$name failures=$work/failures/$name command
    mkdir -p "$seeds" "$corpus" "$failures"
    if [ "$name" = form ]; then
        command=("$work/web-fuzzer")
        printf 'a=1&b=%%20x+y&c' > "$seeds/own-0"
        printf 'B\n--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nv\r\n--B\r\n%s\r\n\r\nx\r\n--B--\r\n' \
            'Content-Disposition: form-data; name="f"; filename="f.txt"' > "$seeds/own-1"
    else
        command=("$program" "$name")
        "$program" "$name" --seeds "$seeds" 2> "$work/$name.log"
    fi
    local options=(-max_total_time="$seconds" -max_len=65536 -timeout=10 -malloc_limit_mb=256
        -print_final_stats=1 -artifact_prefix="$failures/")
    # Each import reads a model, which stays in memory.
    case $name in *-import) options+=(-rss_limit_mb=8192) ;; *) options+=(-rss_limit_mb=1024) ;; esac
    [ "$dictionary" = - ] || options+=(-dict="Fuzzing/Dictionaries/$dictionary.dict")
    # libFuzzer must handle the crash itself to save the input.
    SWIFT_BACKTRACE=enable=no "${command[@]}" "${options[@]}" "$corpus" "$seeds" > "$work/$name.log" 2>&1 || status=$?
    local executions peak edges
    executions=$(sed -n "s/^stat::number_of_executed_units: *//p" "$work/$name.log")
    peak=$(sed -n "s/^stat::peak_rss_mb: *//p" "$work/$name.log")
    edges=$(grep -oE 'cov: [0-9]+' "$work/$name.log" | tail -1 | cut -d' ' -f2)
    local outcome="no failure"
    if [ $status -ne 0 ]; then outcome="FAILED, see .build-fuzz/$name.log and .build-fuzz/failures/$name"; fi
    printf '%-18s %12s executions %7s edges %6s MB  %s\n' "$name" "${executions:-?}" "${edges:-?}" "${peak:-?}" "$outcome" |
        tee "$work/$name.result"
}
export -f run
export work program seconds
rm -f "$work"/*.result
xargs -P 2 -L 1 bash -c 'run "$0" "$1"' <<< "$list"
if grep -l FAILED "$work"/*.result > /dev/null; then
    echo "The fuzzers have found inputs that fail: put each into Fuzzing/Failures/READER, where a test reads it." >&2
    exit 1
fi
[ -z "${READERS:-}" ] || exit 0

echo "== Property tests, $cases cases"
export PREDICATE_CASES=$cases FUZZ_CASES=$cases FETCH_CASES=$((cases / 5))
Scripts/test.py 'RandomRoundTripTests|DifferentialTests|ResultsFuzzTests|RandomFetches|RandomSwiftPredicates'
