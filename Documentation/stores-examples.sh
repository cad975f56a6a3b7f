#!/bin/sh
# Copies the sample stores of the test target into Stores.md, so that the page shows code that is compiled and run.
cd "$(dirname "$0")/.." || exit 1
python3 - <<'P'
import re
page = open("Documentation/Stores.md").read()
for name in ("JSONStore", "DictionaryStore"):
    text = open(f"Tests/StoreTests/Examples/{name}.swift").read()
    pattern = rf"(<!-- {name} -->\n\n)```swift\n.*?```\n"
    page = re.sub(pattern, lambda match: f"{match.group(1)}```swift\n{text}```\n", page, flags=re.S)
open("Documentation/Stores.md", "w").write(page)
P
