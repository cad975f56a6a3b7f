#!/usr/bin/env python3
"""Checks that each public symbol at the top level of the documentation is in a topic that a page names: docs-topics.py SITE.

DocC lists what no page names in groups of its own, by kind ("Classes", "Structures"). Called by docs.sh and docs-check.sh.
"""

import json
import sys
from pathlib import Path

AUTOMATIC = {
    "Classes", "Structures", "Enumerations", "Protocols", "Type Aliases", "Variables", "Functions", "Macros", "Operators",
}


def main():
    site = Path(sys.argv[1])
    problems, symbols = [], 0
    for module in ["managedgraph", "graphpredicates"]:
        pages = [path for path in site.rglob(f"documentation/{module}.json")]
        assert pages, f"{site} has no page of {module}"
        for section in json.loads(pages[0].read_text()).get("topicSections", []):
            symbols += len(section["identifiers"])
            if section.get("title") in AUTOMATIC:
                problems += [f"{module}, {section['title']}: {identifier}" for identifier in section["identifiers"]]
    if problems:
        print("These symbols are in no topic of the module's page:\n" + "\n".join(problems))
        return 1
    print(f"{symbols} pages and symbols, each in a topic.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
