#!/usr/bin/env python3
"""Finds words that this project does not use in its prose: words.py [--count] [PATH...].

Reads the comments of Swift, shell, Python and JavaScript sources, texts in Swift code (error messages, names of tests),
pages of documentation, and names in Swift code. CONTRIBUTING.md has the rules behind the list. Called by `make check`.
A line that quotes such a word on purpose ends in "words: allow" in a comment.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# In every kind of prose: the pattern, and the rule it breaks.
EVERYWHERE = [
    (r"\b(?:tells?|told|telling)\b", "tell: report, notify, return, say"),
    (r"\b(?:whoever|nobody|somebody|anybody|everybody|no one|someone|whosoever|whom)\b", "a person: caller, thread, reader"),
    (r"\b(?:is|are|be|was|were|been) said\b", "is said: name the actor"),
    (r"\b(?:(?:no|is|are) news|hears? of|heard of|has company|have company|at a loss)\b", "personified code"),
    (r"\b(?:henceforth|thereof|therein|hence|whereupon|thereupon|wherein|hitherto|lest)\b", "archaic word"),
    (r"\bworks? off\b", "work off: drain, process"),
    (r"(?<!there )\b(?:is|are) no (?!longer\b|more\b|less\b)", "is no: is not a"),
]

# In comments of code alone: guides may ask what a reader wants to know, and where things are.
COMMENTS = [
    (r"(?<!place )(?<!places )(?<!point )(?<!points )(?<!line )(?<!folder )(?<!position )(?<!offset )"
     r"\bwhere\b(?! to\b)(?![- ]clause)", "where: if, when; a place only after its noun"),
    (r"\bwhat\b(?![^.]*\?)", "what: name the thing"),
    (r"\bwho\b", "who: name the caller, thread, reader"),
    (r"\b(?:knows?|knew)\b", "personified code"),
]

# In texts of Swift code (messages, help) beside the first list; SQL has a `WHERE` in capitals.
TEXTS = [
    (r"(?<!place )(?<!places )(?<!point )(?<!line )(?<!folder )(?<!position )(?<!know )(?<!show )(?<!copy from )"
     r"\bwhere\b(?! to\b)", "where: if, when; a place only after its noun"),
    (r"\b(?:stands?|lies?) (?:in|beside|under|between|at|where|twice)\b", "stand, lie: is, is stored"),
    (r"\bno such\b", "no such: does not exist, has no … of this name"),
]

# In names of functions, such as those of tests, beside the first list.
FUNCTIONS = [
    (r"\bwhat\b", "what: name the thing"),
    (r"\bwho\b", "who: name the caller, thread, reader"),
    (r"\b(?:knows?|knew)\b", "personified code"),
]

NAMES = [
    "isNeedsMemory", "strangers", "meetInaccessible", "letGo", "takeOut", "workOff", "StillFile", "FoundModel",
    "SearchedModel",
]

SKIPPED = re.compile(r"(?:^|/)(?:\.build[^/]*|node_modules|Fixtures|Generated|vendor)/")


def files(paths):
    """The tracked and new files of the tree below the paths."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    names = subprocess.run(command + list(paths), check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(name for name in set(names) if name and not SKIPPED.search(name) and (ROOT / name).is_file())


def quoted_away(text):
    """Prose without its code: between backticks, and addresses."""
    text = re.sub(r"``[^`]*``|`[^`]*`", "`code`", text)
    return re.sub(r"https?://\S+", "address", text)


def swift_parts(line, is_in_text=False):
    """A line of Swift as (code, texts, comment), within a text of several lines or not. Good enough for a check."""
    stripped = line.lstrip()
    if is_in_text:
        return "", [stripped], ""
    if stripped.startswith("//"):
        return "", [], stripped.lstrip("/ ")
    texts, code, place = [], [], 0
    for match in re.finditer(r'"((?:\\.|[^"\\])*)"|(//.*)$', line):
        code.append(line[place:match.start()])
        place = match.end()
        if match[2] is not None:
            return "".join(code), texts, match[2].lstrip("/ ")
        texts.append(match[1])
        code.append('""')
    return "".join(code) + line[place:], texts, ""


def findings_of(name):
    """The (line, word, rule) of a file."""
    path = ROOT / name
    try:
        lines = path.read_text().splitlines()
    except UnicodeDecodeError:
        return
    fenced, in_text = False, False
    for number, line in enumerate(lines, 1):
        if "words: allow" in line:
            continue
        comment, others, code = "", [], ""
        if path.suffix == ".swift":
            if '"""' in line and not line.lstrip().startswith("//"):
                in_text = line.count('"""') == 1 and not in_text
                continue
            code, texts, comment = swift_parts(line, in_text)
            others = [re.sub(r"\\\([^)]*\)", "", text) for text in texts]
        elif path.suffix == ".md":
            if line.lstrip().startswith("```"):
                fenced = not fenced
            others = [] if fenced else [line]
        elif path.suffix in {".sh", ".py"} or path.name == "Makefile":
            match = re.match(r"\s*#(?!!)(.*)|.*?\s##? (.*)", line)
            comment = (match[1] or match[2] or "") if match else ""
        elif path.suffix in {".js", ".css"}:
            match = re.match(r"\s*(?://|/?\*+)(.*)", line)
            comment = match[1] if match else ""
        messages = others if path.suffix == ".swift" and name.startswith(("Sources/", "Examples/Sources/")) else []
        for rules, proses in [(EVERYWHERE, [comment] + others), (COMMENTS, [comment]), (TEXTS, messages)]:
            for prose in proses:
                for pattern, rule in rules:
                    for found in re.finditer(pattern, quoted_away(prose), re.I):
                        if rules is TEXTS and (found[0] == "WHERE" or " " not in prose.strip()):
                            continue
                        yield number, found[0], rule
        functions = code if path.suffix == ".swift" else line if path.suffix == ".py" else ""
        for function in re.findall(r"\b(?:func|def) (\w+)", functions):
            words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", function)
            for pattern, rule in EVERYWHERE + FUNCTIONS:
                for found in re.finditer(pattern, words, re.I):
                    yield number, found[0], rule
        for word in re.findall(r"\b(?:" + "|".join(NAMES) + r")\b", code):
            yield number, word, "a name of the list"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--count"]
    counting = "--count" in sys.argv[1:]
    folders, rules = Counter(), Counter()
    for name in files(arguments or ["."]):
        if name == "Scripts/words.py":
            continue
        for number, word, rule in findings_of(name):
            folders["/".join(name.split("/")[:3 if name.startswith("Sources/ManagedGraph/") else 2])] += 1
            rules[rule] += 1
            if not counting:
                print(f"{name}:{number}: {word!r} ({rule})")
    if counting:
        for folder, count in folders.most_common():
            print(f"{count:6} {folder}")
        print("---")
        for rule, count in rules.most_common():
            print(f"{count:6} {rule}")
    total = sum(rules.values())
    if total:
        print(f"{total} words of the list are left.", file=sys.stderr)
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
