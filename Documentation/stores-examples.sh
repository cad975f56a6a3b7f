#!/bin/sh
# Puts the test target's sample stores into Stores.md, so that what the page shows is what is compiled and run.
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
