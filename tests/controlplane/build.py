"""Build the control plane's programs from the Go module proxy; instant when nothing changed since the last time.

Run with ``make controlplane``; needs Go. What is built is pinned by the ``.mod`` file of the minor in ``components``,
and every file of it is checked against the ``.sum`` beside that.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.controlplane import binaries

COMPONENTS = Path(__file__).parent / "components"
# Where Go's own installer puts it, which is not always on PATH.
USUAL_PLACE = "/usr/local/go/bin/go"
# The oldest Go that builds each minor.
GO_VERSIONS = {"1.34": "1.24", "1.37": "1.26"}
MAJOR, MINOR, _ = binaries.KUBERNETES_VERSION.removeprefix("v").split(".")
VERSION_VARIABLES = {"gitVersion": binaries.KUBERNETES_VERSION, "gitMajor": MAJOR, "gitMinor": MINOR}
LINKER_FLAGS = " ".join(
    ["-s", "-w", *(f"-X k8s.io/component-base/version.{name}={value}" for name, value in VERSION_VARIABLES.items())]
)
# Whatever this machine says about Go elsewhere, the programs are static and of exactly the pinned modules.
ENVIRONMENT = {"CGO_ENABLED": "0", "GOFLAGS": "", "GOWORK": "off"}


def recipe() -> str:
    """Return a digest of everything that decides what is built."""
    digest = hashlib.sha256(LINKER_FLAGS.encode())
    for path in sorted((*COMPONENTS.rglob("*.go"), *COMPONENTS.glob(f"{binaries.MINOR}.*"))):
        digest.update(f"{path.relative_to(COMPONENTS)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def build(go: str, target: Path) -> None:
    """Build all programs beside `target` and put them in its place in one step."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="build-") as folder:
        made = Path(folder) / "made"
        made.mkdir()
        subprocess.run(
            [
                go,
                "build",
                "-trimpath",
                "-mod=readonly",
                f"-modfile={binaries.MINOR}.mod",
                "-ldflags",
                LINKER_FLAGS,
                "-o",
                f"{made}/",
                "./...",
            ],
            cwd=COMPONENTS,
            env={**os.environ, **ENVIRONMENT},
            check=True,
        )
        (made / "recipe").write_text(recipe(), encoding="utf-8")
        shutil.rmtree(target, ignore_errors=True)
        made.rename(target)


def main() -> int:
    """Build what is not there yet, and say where it is."""
    if "KUBEBUILDER_ASSETS" in os.environ and not binaries.missing():
        print(f"The control plane is in {os.environ['KUBEBUILDER_ASSETS']}.")
        return 0
    target = binaries.cache()
    stamp = target / "recipe"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == recipe():
        print(f"The control plane {binaries.KUBERNETES_VERSION} is in {target}.")
        return 0
    go = shutil.which("go") or shutil.which(USUAL_PLACE)
    if go is None:
        print(
            f"Building the control plane needs Go {GO_VERSIONS[binaries.MINOR]} or newer on PATH (https://go.dev/dl/). "
            f"Or set KUBEBUILDER_ASSETS to a directory with {', '.join(binaries.NAMES)} {binaries.KUBERNETES_VERSION}.",
            file=sys.stderr,
        )
        return 2
    print(
        f"Building the control plane {binaries.KUBERNETES_VERSION}; the first time takes several minutes.", flush=True
    )
    started = time.monotonic()
    try:
        build(go, target)
    except subprocess.CalledProcessError as error:
        print(f"Go could not build the control plane (status {error.returncode}); see above.", file=sys.stderr)
        return 1
    print(f"The control plane {binaries.KUBERNETES_VERSION} is in {target}, after {time.monotonic() - started:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
