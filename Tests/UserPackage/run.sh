#!/bin/sh
# Builds a user's package that uses the plugin, outside of this repository's targets, and runs its checks.
# CONFIGURATION=release builds a release; BUILD=folder sets the build folder (default .build/user-package).
# SHARED_BUILD=1 builds in the shared folder .build-all, in which the framework is built already.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
configuration=${CONFIGURATION:-debug}
build=${BUILD:-$root/.build/user-package}
packages=$build
if [ -n "${SHARED_BUILD:-}" ]; then packages=$root/.build-all/packages; fi
package=$packages/Bookshelf
rm -rf "$package" "$packages/ReadingList"
mkdir -p "$build" "$packages"
cp -R "$root/Tests/UserPackage/Package" "$package"
sed "s|ROOT|$root|" "$root/Tests/UserPackage/Package/Package.swift" > "$package/Package.swift"
log=$build/build.log
build_package() { # build_package FOLDER PRODUCT OPTION...
    folder=$1
    product=$2
    shift 2
    if [ -n "${SHARED_BUILD:-}" ]; then
        "$root/Scripts/workspace.sh" build --product "$product" "$@"
    else
        swift build --package-path "$folder" --scratch-path "$build/scratch" --configuration "$configuration" "$@"
    fi
}
binaries() { # binaries FOLDER: the folder of the products of the package in FOLDER
    if [ -n "${SHARED_BUILD:-}" ]; then
        echo "$root/.build-all/debug"
    else
        swift build --package-path "$1" --scratch-path "$build/scratch" --configuration "$configuration" --show-bin-path
    fi
}
swift_build() { build_package "$package" Check "$@"; }
echo "user package: building ($configuration)"
if ! swift_build > "$log" 2>&1; then
    cat "$log"
    echo "user package: the build failed"
    exit 1
fi
if grep "warning: 'bookshelf'" "$log"; then
    echo "user package: the build warns about the package"
    exit 1
fi
# The target Guide has the listings of the documentation's articles.
"$(binaries "$package")/Check" > "$build/checked" || { cat "$build/checked"; exit 1; }
grep -E '^(user package|guide):' "$build/checked"
"$root/Tests/UserPackage/listings.py"

# The accessors in Shelf have other symbols if a type of another target becomes a structure.
cat > "$package/Sources/Money/Money.swift" <<'END'
/// Kinds of loans, by the number in the store.
public struct LoanKind: RawRepresentable, Sendable {
    public let rawValue: Int16
    public init(rawValue: Int16) { self.rawValue = rawValue }
    public static let visit = LoanKind(rawValue: 0)
    public static let home = LoanKind(rawValue: 1)
}
END
# A model that Apple's compiler accepts is built: a fetch request with an unknown name, and an invalid default value.
model="$package/Sources/Shelf/Model/Library.xcdatamodeld/Library 2.xcdatamodel/contents"
original="$root/Tests/UserPackage/Package/Sources/Shelf/Model/Library.xcdatamodeld/Library 2.xcdatamodel/contents"
sed -e 's|predicateString="dueDate &lt;|predicateString="dueDat \&lt;|' \
    -e 's|<entity name="Loan"[^>]*>|&<attribute name="fee" optional="YES" attributeType="Integer 16" defaultValueString="NO"/>|' \
    "$original" > "$model"
if ! swift_build > "$log" 2>&1; then
    cat "$log"
    echo "user package: the accessors were not generated again after a change in another target, or a model that Apple's" \
        "compiler accepts stopped the build"
    exit 1
fi
for warning in 'entity Loan, fetch request loansDueBefore: .*"dueDate"' 'entity Loan, property fee: .*"NO"'; do
    if ! grep -q "warning: $warning" "$log"; then
        cat "$log"
        echo "user package: the build does not warn of: $warning"
        exit 1
    fi
done
echo "user package: a change in another target generates the accessors again"
echo "user package: a flaw that Apple's compiler accepts is a warning"

# A model that Apple's compiler rejects fails the build, with its file, entity and property; a source that cannot be read is
# named as compilers name it, in the same build.
sed 's|destinationEntity="Book" inverseName="author"|destinationEntity="Bok" inverseName="author"|' "$original" > "$model"
printf 'let latin = "\351"\n' > "$package/Sources/Shelf/Latin.swift"
if swift_build > "$log" 2>&1; then
    echo "user package: a broken model was built"
    exit 1
fi
if ! grep -q "error: entity Author, property books: .*Bok" "$log"; then
    cat "$log"
    echo "user package: the error of a broken model does not name its entity and property"
    exit 1
fi
echo "user package: a broken model stops the build"
if ! grep -q "Latin.swift: error: the file is not UTF-8. Save it as UTF-8." "$log"; then
    cat "$log"
    echo "user package: a source that is not UTF-8 is not reported"
    exit 1
fi
echo "user package: a source that is not UTF-8 is reported"
rm -rf "$package"

# An application for Apple's platforms is ported as in Documentation/Porting.md, built and run; its saved data is equal.
list=$packages/ReadingList
rm -rf "$list"
cp -R "$root/Tests/UserPackage/ReadingList" "$list"
find "$list" -name '*.txt' ! -name expected.txt | while read -r file; do mv "$file" "${file%.txt}"; done
sed "s|ROOT|$root|" "$list/Package.swift" > "$build/manifest"
mv "$build/manifest" "$list/Package.swift"
port=${MANAGEDGRAPH:-$root/.build/debug/managedgraph}
if [ ! -x "$port" ]; then
    swift build --package-path "$root" --product managedgraph > "$log" 2>&1 || { cat "$log"; exit 1; }
    port=$root/.build/debug/managedgraph
fi
# The same scratch folder avoids rebuilding the framework, but the other package's build plan must be removed.
rm -f "$build/scratch/debug.yaml" "$build/scratch/release.yaml"
list_build() { build_package "$list" reading "$@"; }
# The list has a dependency of its own, which has to be resolved first, and with the project's own ones.
if (unset ONLY_PACKAGES && list_build) > "$log" 2>&1; then
    echo "reading list: it was built before it was ported"
    exit 1
fi
if ! grep -qE "error: (no such module '(Combine|os)'|Objective-C interoperability is disabled)" "$log"; then
    cat "$log"
    echo "reading list: the compiler refuses it before it is ported for another reason"
    exit 1
fi
"$port" port "$list/Sources" --write --json > "$build/ported" && status=0 || status=$?
"$port" port "$list/Sources" --json > "$build/again" || true
sed -n 's/.*"line":\([0-9]*\).*"rule":"\([a-z-]*\)".*"fixed":false.*/\1 \2/p' "$build/ported" > "$build/by-hand"
if [ "$status" != 1 ] || ! printf '%s\n' '36 runtime' '39 runtime' '47 runtime' | cmp -s - "$build/by-hand"; then
    cat "$build/ported"
    echo "reading list: other places are left to be done by hand than key-value observing"
    exit 1
fi
if grep -q '"fixed":true' "$build/again"; then
    cat "$build/again"
    echo "reading list: a second run finds more"
    exit 1
fi
patch -s -p1 -d "$list" < "$list/by-hand.patch"
if ! list_build > "$log" 2>&1; then
    cat "$log"
    echo "reading list: the build failed after porting"
    exit 1
fi
program=$(binaries "$list")/reading
rm -f "$build"/reading.sqlite*
"$program" "$build/reading.sqlite" 2> "$build/messages"
"$program" "$build/reading.sqlite" show > "$build/rows" 2>> "$build/messages"
if ! diff "$list/expected.txt" "$build/rows"; then
    echo "reading list: it saves something else than before it was ported"
    exit 1
fi
for message in 'reading:.*the list was opened' 'reading:.*no book <private>'; do
    grep -q "$message" "$build/messages" || { cat "$build/messages"; echo "reading list: not logged: $message"; exit 1; }
done
echo "reading list: ported, it saves what it saved before"
