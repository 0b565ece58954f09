"""The programs that make a control plane: which they are, and where they lie on this machine.

`KUBEBUILDER_ASSETS` names a directory with some or all of them; what it lacks is looked for where `make controlplane`
builds, by release in `~/.cache/berth/controlplane` or the directory that `BERTH_CONTROLPLANE_CACHE` names.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

# The releases that can be built, by minor; BERTH_TEST_KUBERNETES names the minor.
RELEASES = {"1.34": "v1.34.1", "1.37": "v1.37.2"}
MINOR = os.environ.get("BERTH_TEST_KUBERNETES") or "1.34"
if MINOR not in RELEASES:
    raise SystemExit(
        f"There is no control plane of Kubernetes {MINOR!r}. Set KUBERNETES to one of {', '.join(RELEASES)}."
    )
KUBERNETES_VERSION = RELEASES[MINOR]
NAMES = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")


def cache() -> Path:
    """Return the directory in which the programs of this release are built and kept."""
    named = os.environ.get("BERTH_CONTROLPLANE_CACHE")
    folder = Path(named).expanduser().resolve() if named else Path.home() / ".cache" / "berth" / "controlplane"
    return folder / KUBERNETES_VERSION


def find() -> dict[str, Path]:
    """Return the path of each program that is there; complete when it has all of NAMES."""
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    folders = [*([Path(assets)] if assets else []), cache()]
    found = {}
    for name in NAMES:
        path = next((folder / name for folder in folders if os.access(folder / name, os.X_OK)), None)
        if path is not None:
            found[name] = path
    return found


def missing() -> list[str]:
    """Return the names of the programs that are not there."""
    found = find()
    return [name for name in NAMES if name not in found]


def check_versions(found: dict[str, Path]) -> None:
    """Raise RuntimeError when a Kubernetes program is not of the release that is asked for."""
    for name, path in found.items():
        if name == "etcd":
            continue
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        if said != KUBERNETES_VERSION:
            raise RuntimeError(
                f"{path} is {said}, but {KUBERNETES_VERSION} is asked for. "
                "Unset KUBEBUILDER_ASSETS to use what `make controlplane` builds."
            )
