#!/usr/bin/env python3
"""Checks that each Swift listing of the documentation's articles stands in a source of the package's target Guide.

Indentation aside, the lines must be the same and in one piece. Called by run.sh, which compiles and runs the target.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Tests" / "UserPackage" / "Package" / "Sources" / "Guide"


def lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def stands_in(listing, source):
    return any(source[start:start + len(listing)] == listing for start in range(len(source) - len(listing) + 1))


def main():
    sources = [lines(path.read_text()) for path in sorted(SOURCES.glob("*.swift"))]
    count, missing = 0, []
    for page in sorted(ROOT.glob("Sources/*/*.docc/*.md")):
        for listing in re.findall(r"^```swift\n(.*?)^```$", page.read_text(), re.M | re.S):
            count += 1
            if not any(stands_in(lines(listing), source) for source in sources):
                missing.append(f"{page.relative_to(ROOT)}:\n{listing}")
    if missing:
        print("listings that no source of the target Guide has:\n" + "\n".join(missing))
        return 1
    assert count >= 20, f"only {count} listings were found"
    print(f"user package: {count} listings of the documentation are compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
