#!/bin/sh
# Builds a user's package that uses the plugin, outside of this repository's own targets, and runs its checks.
# CONFIGURATION=release builds that; BUILD=folder keeps what is built somewhere else than in .build/user-package.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
configuration=${CONFIGURATION:-debug}
build=${BUILD:-$root/.build/user-package}
package=$build/Bookshelf
rm -rf "$package"
mkdir -p "$build"
cp -R "$root/Tests/UserPackage/Package" "$package"
sed "s|ROOT|$root|" "$root/Tests/UserPackage/Package/Package.swift" > "$package/Package.swift"
log=$build/build.log
swift_build() {
    swift build --package-path "$package" --scratch-path "$build/scratch" --configuration "$configuration" "$@"
}
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
"$(swift_build --show-bin-path)/Check"

# A broken model must stop the build, with its file, entity and property.
model="$package/Sources/Shelf/Model/Library.xcdatamodeld/Library 2.xcdatamodel/contents"
sed 's|destinationEntity="Book" inverseName="author"|destinationEntity="Bok" inverseName="author"|' "$model" > "$build/broken"
cp "$build/broken" "$model"
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

# So must a fetch request that names what its entity lacks.
cp "$root/Tests/UserPackage/Package/Sources/Shelf/Model/Library.xcdatamodeld/Library 2.xcdatamodel/contents" "$model"
sed 's|predicateString="dueDate &lt;|predicateString="dueDat \&lt;|' "$model" > "$build/broken"
cp "$build/broken" "$model"
if swift_build > "$log" 2>&1; then
    echo "user package: a model with a broken fetch request was built"
    exit 1
fi
if ! grep -q 'error: entity Loan, fetch request loansDueBefore: .*"dueDate"' "$log"; then
    cat "$log"
    echo "user package: the error of a broken fetch request does not name it and the nearest name"
    exit 1
fi
echo "user package: a broken fetch request stops the build"
