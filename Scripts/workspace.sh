#!/usr/bin/env bash
# Runs swift on all packages of the project as one graph with one build folder, .build-all, so that each source is compiled
# once: workspace.sh build|run|test OPTION...
# The packages are the library, the studio, the sample applications, and those that tests put into .build-all/packages.
# Called by run.sh, test.py, and the tests of users' packages. DEBUG_INFO=full adds the debug information. With
# ONLY_PACKAGES=1 the graph begins at the packages of tests: without the project's own tests it is planned in a fifth of the
# time. The project must be built.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$root/.build-all
workspace=$folder/Packages.xcworkspace
mkdir -p "$workspace/xcshareddata/swiftpm" "$folder/packages"

own=("$root" "$root/Studio" "$root/Examples")
resolution=()
if [ -n "${ONLY_PACKAGES:-}" ]; then
    own=()
    # Else SwiftPM removes the dependencies of the packages that are left out, and later compiles them again.
    resolution=(--disable-automatic-resolution)
fi

# SwiftPM takes several root packages from a file that names them. It does not look whether the file changes, so its plan is
# removed then.
list=$(mktemp)
trap 'rm -f "$list"' EXIT
{
    echo '<Workspace version="1.0">'
    for package in "${own[@]}" "$folder"/packages/*; do
        if [ -f "$package/Package.swift" ]; then echo "<FileRef location=\"absolute:$package\"></FileRef>"; fi
    done
    echo '</Workspace>'
} > "$list"
if ! cmp -s "$list" "$workspace/contents.xcworkspacedata"; then
    cp "$list" "$workspace/contents.xcworkspacedata"
    rm -f "$folder"/{debug,release}.yaml
fi
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
options=(--multiroot-data-file "$workspace" --scratch-path "$folder" --disable-index-store "${debug_info[@]}"
    "${resolution[@]}")

# SwiftPM records finished steps in two databases, one of them for the tools of plugins. Both builds write the same files,
# so each takes the other's for changes, and would compile and link the generator, with SwiftSyntax, once more. Both begin
# with the records of the latest build instead. In a new folder, swiftc keeps the results of the first.
if [ -f "$folder/build.db" ]; then
    rm -f "$folder/plugin-tools.db"
    cp "$folder/build.db" "$folder/plugin-tools.db"
fi
if [ "$command" != build ]; then exec swift "$command" "${options[@]}" "$@"; fi
# Leaves out warnings that the project cannot cure: of the option above, and of files in the packages it depends on.
{
    swift build "${options[@]}" "$@" 2>&1 >&3 |
        sed -u -e '/^warning: --multiroot-data-file/d' -e "/^warning: 'swift-[a-z-]*': found .* unhandled/d" \
            -e '\|^    /.*/checkouts/|d' >&2
} 3>&1
