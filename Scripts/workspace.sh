#!/usr/bin/env bash
# Runs swift on all packages of the project as one graph with one build folder, .build-all, so that each source is compiled
# once: workspace.sh build|run|test OPTION...
# The packages are the library, the studio, the sample applications, and those that tests put into .build-all/packages.
# Called by run.sh, test.py, and the tests of users' packages. DEBUG_INFO=full adds the debug information.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$root/.build-all
workspace=$folder/Packages.xcworkspace
mkdir -p "$workspace/xcshareddata/swiftpm" "$folder/packages"

# SwiftPM takes several root packages from a file that names them; it plans anew only if the file changes.
list=$(mktemp)
trap 'rm -f "$list"' EXIT
{
    echo '<Workspace version="1.0">'
    for package in "$root" "$root/Studio" "$root/Examples" "$folder"/packages/*; do
        if [ -f "$package/Package.swift" ]; then echo "<FileRef location=\"absolute:$package\"></FileRef>"; fi
    done
    echo '</Workspace>'
} > "$list"
cmp -s "$list" "$workspace/contents.xcworkspacedata" || cp "$list" "$workspace/contents.xcworkspacedata"
rm -f "$list"
trap - EXIT

# Line numbers are enough for backtraces and for reports that name the place of a call.
debug_info=(-debug-info-format none -Xswiftc -gline-tables-only)
if [ "${DEBUG_INFO:-}" = full ]; then debug_info=(-debug-info-format dwarf); fi
# The toolchain's linker takes half the time of the system's.
debug_info+=(-Xswiftc -use-ld=lld)

export SWIFT_EXEC=$root/Scripts/swiftc
command=$1
shift
options=(--multiroot-data-file "$workspace" --scratch-path "$folder" --disable-index-store "${debug_info[@]}")

# SwiftPM records finished steps in two databases, one of them for the tools of plugins. Both builds write the same files,
# so each takes the other's for changes, and would compile and link the generator, with SwiftSyntax, once more. Both begin
# with the records of the latest build instead. In a new folder, swiftc keeps the results of the first.
if [ -f "$folder/build.db" ]; then
    rm -f "$folder/plugin-tools.db"
    cp "$folder/build.db" "$folder/plugin-tools.db"
fi
exec swift "$command" "${options[@]}" "$@"
