#!/usr/bin/env python3
"""Checks the links of the project's Markdown files: files, headings, and source names in backticks; and that the symbols to
which documentation comments and articles link are declared. Called by `make check`."""
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


def declared_names(text):
    """The names that Swift source declares, functions with the labels of their parameters: `fetch(_:)`."""
    text = text.replace("->", "")
    yield from re.findall(r"\b(?:var|let|case|class|struct|enum|protocol|typealias|actor|associatedtype)\s+`?(\w+)", text)
    for match in re.finditer(r"\b(?:func\s+(\w+)|(init)[?!]?)\s*(?:<[^()]*?>)?\s*\(", text):
        depth, labels, label = 1, "", ""
        for character in text[match.end():]:
            depth += (character in "([{<") - (character in ")]}>")
            if depth == 1 and character == ":" and label is not None:
                labels += label.split()[0] + ":"
                label = None
            elif depth == 1 and character == ",":
                label = ""
            elif depth == 0:
                break
            elif label is not None:
                label += character
        yield f"{match[1] or match[2]}({labels})"


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

# A link to a symbol, as in ``NSFetchRequest/fetchBatchSize``, ends in a declared name. `make docs` checks the whole path.
sources = {name: (root / name).read_text() for name in names if re.match(r"Sources/.*\.(swift|md)$", name)}
declared = {found for name, text in sources.items() if name.endswith(".swift") for found in declared_names(text)}
for name, text in sources.items():
    links = re.findall(r"///.*?``([^`\n]+)``", text) if name.endswith(".swift") else re.findall(r"``([^`\n]+)``", text)
    for link in links:
        last = link.split("/")[-1].split("-")[0]
        module = (root / "Sources" / link).is_dir()
        if last not in declared and not module:
            problems.append(f"{name}: ``{link}``: no source declares {last}")

print("\n".join(problems) if problems else "every link leads somewhere")
sys.exit(1 if problems else 0)
