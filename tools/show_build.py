"""Run a command that builds, and show how far it is: ``show_build.py WHAT COMMAND …``.

Ninja writes lines such as ``[12/143] Building …`` into the output of pip, which is kept, and shown only if the command
fails.
"""

import re
import subprocess
import sys
import time

STEP = re.compile(r"\[(\d+)/(\d+)\]")


def main() -> int:
    """Run the command, and return its exit code."""
    what, *command = sys.argv[1:]
    started = time.monotonic()
    kept: list[str] = []
    shown = -1
    live = sys.stdout.isatty()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            kept.append(line)
            if not (found := STEP.search(line)):
                continue
            done, total = map(int, found.groups())
            # In a log, one line for each tenth; on a terminal, one line that changes.
            share = 10 * done // total
            if live:
                print(f"\r{what}: {done} of {total} files, {time.monotonic() - started:.0f} s ", end="", flush=True)
            elif share > shown:
                print(f"{what}: {done} of {total} files, {time.monotonic() - started:.0f} s", flush=True)
            shown = max(shown, share)
    if live and shown >= 0:
        print()
    if running.returncode:
        sys.stdout.writelines(kept)
    return running.returncode


if __name__ == "__main__":
    sys.exit(main())
