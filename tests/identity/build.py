"""Build Dex from the Go module proxy; instant when nothing changed since the last time.

Run with ``make dex``; needs Go. What is built is pinned by ``dex/go.mod``, and every file of it is checked against
``dex/go.sum``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.controlplane import binaries
from tests.controlplane.build import ENVIRONMENT, USUAL_PLACE

SOURCE = Path(__file__).parent / "dex"
GO_VERSION = "1.25"


def program() -> Path:
    """Return where Dex is built and kept: beside the control plane, by everything that decides what is built."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(SOURCE.iterdir())))
    return binaries.cache().parent / f"dex-{digest.hexdigest()[:16]}"


def main() -> int:
    """Build Dex unless it is there, and say where it is."""
    target = program()
    if target.is_file():
        print(f"Dex is {target}.")
        return 0
    go = shutil.which("go") or shutil.which(USUAL_PLACE)
    if go is None:
        print(f"Building Dex needs Go {GO_VERSION} or newer on PATH (https://go.dev/dl/).", file=sys.stderr)
        return 2
    print("Building Dex; the first time takes a minute.", flush=True)
    started = time.monotonic()
    made = target.with_suffix(".new")
    command = [go, "build", "-trimpath", "-mod=readonly", "-ldflags", "-s -w", "-o", str(made), "."]
    try:
        subprocess.run(command, cwd=SOURCE, env={**os.environ, **ENVIRONMENT}, check=True)
    except subprocess.CalledProcessError as error:
        print(f"Go could not build Dex (status {error.returncode}); see above.", file=sys.stderr)
        return 1
    made.rename(target)
    print(f"Dex is {target}, after {time.monotonic() - started:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
