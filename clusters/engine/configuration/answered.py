"""Which Kubernetes release the answers are those of, and whether a cluster runs another one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from clusters.engine.configuration.releases import LATEST

# What plugins, scores and messages were read from and are compared with.
ANSWERED_AS: Final = f"v{LATEST.minor}.1"

_MINOR: Final = re.compile(r"v?([0-9]{1,3})\.([0-9]{1,3})(?![0-9])")


@dataclass(frozen=True, slots=True)
class OtherRelease:
    """A cluster's Kubernetes minor, as in ``1.36``, that is not the one of the answers."""

    minor: str


def other_release(version: str) -> OtherRelease | None:
    """The minor of a version as components report it, such as ``v1.36.2+k3s1``, where it is not that of the answers.

    None where it is, and where the version is not known.
    """
    found = _MINOR.match(version)
    if found is None:
        return None
    minor = f"{int(found[1])}.{int(found[2])}"
    return None if minor == LATEST.minor else OtherRelease(minor)
