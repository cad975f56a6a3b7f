#!/usr/bin/env python3
"""Checks the links of the project's Markdown files: files, headings, and source names in backticks. Called by `make check`."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
files = subprocess.check_output(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, text=True)
names = [name for name in files.splitlines() if (root / name).exists()]


def anchors(page):
    """The anchors that GitHub generates for the headings of a page."""
    headings = re.findall(r"^#+ +(.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


problems = []
for name in (name for name in names if name.endswith(".md")):
    page = root / name
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            problems.append(f"{name}: {target}: there is no such file")
        elif anchor and anchor not in anchors(file):
            problems.append(f"{name}: {target}: the page has no such heading")
    # A path in backticks, as in `Objects/ObjectState.swift`, must be the end of a file's path; a path in bold is a file
    # that the reader is about to create.
    text = re.sub(r"\*\*`[^`]+`\*\*", "", text)
    for quoted in re.findall(r"`([\w+-]+(?:/[\w+-]+)+\.(?:swift|sh|py|md))`", text):
        if not any(("/" + name).endswith("/" + quoted) for name in names):
            problems.append(f"{name}: `{quoted}`: there is no such file")

print("\n".join(problems) if problems else "every link leads somewhere")
sys.exit(1 if problems else 0)
