"""helm, kustomize and the reader of Compose files for tests: built with Go by ``make helm``, and how they are run.

Which they are is pinned by ``tools/go.mod``; every file of them is checked against ``tools/go.sum``. They are kept in
``~/.cache/berth/deploy``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from tests.controlplane.build import ENVIRONMENT, USUAL_PLACE

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "deploy/helm/berth"
VALUES = ROOT / "deploy/helm/values"
KUSTOMIZE = ROOT / "deploy/kustomize"
MANIFESTS = KUSTOMIZE / "berth.yaml"
_TOOLS = Path(__file__).parent / "tools"
# The last is that of compose-go, by which Compose reads its files.
_NAMES = ("helm", "kustomize", "cmd")
_CACHE = Path.home() / ".cache" / "berth" / "deploy"


def folder() -> Path:
    """Return the directory in which the pinned programs are built and kept."""
    recipe = b"".join(path.read_bytes() for path in sorted(_TOOLS.iterdir()))
    return _CACHE / hashlib.sha256(recipe).hexdigest()[:16]


def missing() -> list[str]:
    """Return the names of the programs that are not there."""
    return [name for name in _NAMES if not os.access(folder() / name, os.X_OK)]


def run(name: str, *arguments: str | Path) -> str:
    """Run one of them and return what it prints. Raises subprocess.CalledProcessError, with what it said."""
    command = [folder() / name, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def template(values: Path, *arguments: str, namespace: str = "berth") -> str:
    """Return the chart as it is installed with a file of values under the name berth."""
    return run("helm", "template", "berth", CHART, "--namespace", namespace, "--values", values, *arguments)


def objects(manifests: str) -> list[dict[str, Any]]:
    """Return the objects of some manifests."""
    return [document for document in yaml.safe_load_all(manifests) if document]


def main() -> int:
    """Build what is not there yet, and write the manifests of kustomize's base with ``--manifests``."""
    if missing():
        go = shutil.which("go") or shutil.which(USUAL_PLACE)
        if go is None:
            print("Building helm needs Go 1.26 or newer on PATH (https://go.dev/dl/).", file=sys.stderr)
            return 2
        print(f"Building {', '.join(_NAMES)}; the first time takes minutes.", flush=True)
        shutil.rmtree(_CACHE, ignore_errors=True)
        _CACHE.mkdir(parents=True)
        with tempfile.TemporaryDirectory(dir=_CACHE, prefix="build-") as scratch:
            made = Path(scratch) / "made"
            command = [go, "build", "-trimpath", "-mod=readonly", "-ldflags=-s -w", "-o", f"{made}/", "tool"]
            subprocess.run(command, cwd=_TOOLS, env={**os.environ, **ENVIRONMENT}, check=True)
            made.rename(folder())
    if "--manifests" in sys.argv:
        MANIFESTS.write_text(template(KUSTOMIZE / "values.yaml"), encoding="utf-8")
    print(f"{', '.join(_NAMES)} are in {folder()}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
