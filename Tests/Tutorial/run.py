#!/usr/bin/env python3
"""Does what Documentation/Tutorial.md says, in an empty folder beside the project, and compares what it prints.

A block under a line **`path`** is that file; a `sh` block is run, all in one shell; a `text` block after one is what the
commands print. Called by Scripts/test.py. TUTORIAL_FOLDER names a folder to build in, which is kept, so that a second run
builds only what has changed. With SHARED_BUILD=1 the package is built in the project's shared folder, where the framework is
built already: a `swift` of this test's own, first in the path, adds the options. It runs a built program itself, as SwiftPM
would plan the whole folder first.
"""

import os
import re
import shutil
import signal
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
                # Not in a subshell: jobs started here must remain jobs of the script.
                lines += ["{", content + f"}} > printed-{place}.txt"]
                lines += [f"cat > expected-{place}.txt <<'END-OF-TEXT'", following[2] + "END-OF-TEXT"]
                lines.append(f"diff -w -B expected-{place}.txt printed-{place}.txt")
            else:
                lines.append(content)
    return "\n".join(lines)


def shared_environment(folder):
    """The environment in which the page's commands build in the shared folder, through a `swift` that comes first."""
    folder.mkdir(exist_ok=True)
    swift = folder / "swift"
    swift.write_text(
        f"""#!/bin/sh
PATH='{os.environ["PATH"]}'
command=$1
shift
case $command in
build) exec '{ROOT}/Scripts/workspace.sh' build --product Books "$@" ;;
run) for name; do :; done; exec "{ROOT}/.build-all/debug/$name" ;;
esac
"""
    )
    swift.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def with_absolute_paths(parts):
    """The page's files, with the manifest's dependencies where the shared folder's other packages have them."""
    paths = [
        ('.package(path: "../ManagedGraph")', f'.package(name: "ManagedGraph", path: "{ROOT}")'),
        ('.package(path: "../ManagedGraph/Examples")', f'.package(path: "{ROOT}/Examples")'),
    ]
    result = []
    for language, name, content in parts:
        if name == "Package.swift":
            for relative, absolute in paths:
                assert relative in content, f"the tutorial's manifest has {relative}"
                content = content.replace(relative, absolute)
        result.append((language, name, content))
    return result


def main():
    parts = blocks(TUTORIAL.read_text())
    assert sum(language == "text" for language, _, _ in parts) >= 4, "the tutorial shows what is printed"
    with tempfile.TemporaryDirectory(prefix="managedgraph-tutorial-") as temporary:
        environment = None
        if os.environ.get("SHARED_BUILD"):
            folder = ROOT / ".build-all" / "packages"
            folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(folder / "Books", ignore_errors=True)
            environment = shared_environment(Path(temporary) / "tools")
            parts = with_absolute_paths(parts)
        else:
            folder = Path(os.environ.get("TUTORIAL_FOLDER", temporary))
            for leftover in ["Books/Sources", "Books/Data"]:
                shutil.rmtree(folder / leftover, ignore_errors=True)
            (folder / "ManagedGraph").unlink(missing_ok=True)
            (folder / "ManagedGraph").symlink_to(ROOT)
        run = subprocess.Popen(["bash", "-c", script(parts)], cwd=folder, env=environment, start_new_session=True)
        try:
            status = run.wait(timeout=1500)
        finally:
            try:
                # Also the server that the page's commands start.
                os.killpg(run.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            if environment:
                # The next plan of the shared folder must not meet a package that is half written.
                shutil.rmtree(folder / "Books", ignore_errors=True)
    print("The tutorial's commands do what it says." if status == 0 else "The tutorial does not work as written.")
    return status


if __name__ == "__main__":
    sys.exit(main())
