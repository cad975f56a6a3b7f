#!/usr/bin/env bash
# Counts the instructions per row of ten benchmark cases, and compares them with the committed counts. Unlike seconds,
# they are the same in every run. Fails if a case takes over 5% more. `Scripts/count.sh --accept` writes the new counts.
# Called by `make check`.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh count
swift build --package-path Benchmarks -c release --product benchmark
benchmark=$(swift build --package-path Benchmarks -c release --show-bin-path)/benchmark
# Hashes of object identifiers include the store's path, so the path is fixed, and runs take turns.
folder=/tmp/managedgraph-count
exec 9>"$folder.lock"
flock 9
rm -rf "$folder"
mkdir "$folder"
trap 'rm -rf "$folder"' EXIT

# The cost before the first row cancels out in the difference between these two sizes.
small=1000 large=6000
cases=(
    fetch-read insert-save update-save delete-save fault-by-id fetch-one walk-to-many-prefetched text-contains-cd
    controller-fetch evaluate-three
)

count() { # count CASE ROWS: the instructions of the timed work only
    env -i PATH="$PATH" SWIFT_DETERMINISTIC_HASHING=1 \
        valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*countedWork*' \
        "$benchmark" --count "$1" --rows "$2" --folder "$folder" 2>"$folder/$1-$2.log" >&2 ||
        { cat "$folder/$1-$2.log" >&2; return 1; }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$folder/$1-$2.log" >"$folder/$1-$2.count"
}
export -f count
export benchmark folder

for case in "${cases[@]}"; do
    for rows in $small $large; do "$benchmark" --count "$case" --rows $rows --folder "$folder" --prepare; done
done
for case in "${cases[@]}"; do
    for rows in $small $large; do printf '%s %s\n' "$case" $rows; done
done | xargs -P "$(nproc)" -L 1 bash -c 'count "$0" "$1"'

python3 Scripts/compare-counts.py "$folder" $small $large "${1:-}" "${cases[@]}"
