#!/usr/bin/env python3
"""Does what Documentation/Tutorial.md says, in an empty folder beside the project, and compares what it prints.

A block under a line **`path`** is that file; a `sh` block is run, all in one shell; a `text` block after one is what the
commands print. Called by Scripts/test.sh. TUTORIAL_FOLDER names a folder to build in, which is kept, so that a second run
builds only what has changed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "Documentation" / "Tutorial.md"


def blocks(text):
    """The fenced blocks as (language, name of the file or None, content)."""
    found = re.finditer(r"(?:^\*\*`([^`]+)`\*\*\n\n)?^```(\w+)\n(.*?)^```$", text, re.M | re.S)
    return [(match[2], match[1], match[3]) for match in found]


def script(parts):
    """One shell script of the whole page."""
    lines = ["set -euo pipefail"]
    for place, (language, name, content) in enumerate(parts):
        if name:
            lines += [f"mkdir -p \"$(dirname '{name}')\"", f"cat > '{name}' <<'END-OF-FILE'", content + "END-OF-FILE"]
        elif language == "sh":
            following = parts[place + 1] if place + 1 < len(parts) else ("", None, "")
            lines.append(f"echo 'step {place}' >&2")
            if following[0] == "text":
                # Without a shell of their own: jobs started here are still jobs later.
                lines += ["{", content + f"}} > printed-{place}.txt"]
                lines += [f"cat > expected-{place}.txt <<'END-OF-TEXT'", following[2] + "END-OF-TEXT"]
                lines.append(f"diff -w -B expected-{place}.txt printed-{place}.txt")
            else:
                lines.append(content)
    return "\n".join(lines)


def main():
    parts = blocks(TUTORIAL.read_text())
    assert sum(language == "text" for language, _, _ in parts) >= 4, "the tutorial shows what is printed"
    with tempfile.TemporaryDirectory(prefix="managedgraph-tutorial-") as temporary:
        folder = Path(os.environ.get("TUTORIAL_FOLDER", temporary))
        for leftover in ["Books/Sources", "Books/Data"]:
            shutil.rmtree(folder / leftover, ignore_errors=True)
        (folder / "ManagedGraph").unlink(missing_ok=True)
        (folder / "ManagedGraph").symlink_to(ROOT)
        run = subprocess.Popen(["bash", "-c", script(parts)], cwd=folder, start_new_session=True)
        try:
            status = run.wait(timeout=1500)
        finally:
            subprocess.run(["pkill", "-KILL", "-s", str(run.pid)], check=False)
    print("The tutorial's commands do what it says." if status == 0 else "The tutorial does not work as written.")
    return status


if __name__ == "__main__":
    sys.exit(main())
