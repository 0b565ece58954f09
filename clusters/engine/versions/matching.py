"""From the version that a cluster reports to the release that it is answered as."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from clusters.engine.versions.minors import ASSUMED, NEWEST, RELEASES

if TYPE_CHECKING:
    from clusters.engine.versions.release import Release

_VERSION: Final = re.compile(r"v?([0-9]{1,3})\.([0-9]{1,3})(?![0-9])(?:\.([0-9]{1,3}))?")


class Known(StrEnum):
    """How well a cluster's minor is known to Berth."""

    EXACT = "exact"
    NEWER = "newer"
    """Newer than any that Berth knows: answered as the newest."""
    OLDER = "older"
    """Older than any that Berth knows: answered as the oldest."""
    UNTOLD = "untold"
    """The cluster does not say which it runs."""


@dataclass(frozen=True, slots=True)
class ReleaseMatch:
    """The release that a cluster is answered as, and its own minor, as in ``1.36``; empty where it is not told."""

    release: Release
    minor: str
    known: Known

    @property
    def named_minor(self) -> str:
        """The cluster's own minor, or that of the answers where it is not told."""
        return self.minor or self.release.minor

    @property
    def is_exact(self) -> bool:
        """Whether verdicts, scores and messages are those of the cluster's own minor, as far as is known."""
        return self.known in (Known.EXACT, Known.UNTOLD)


def match_release(version: str) -> ReleaseMatch:
    """Return what a version stands for as components report it, such as ``v1.36.2+k3s1``; empty: nobody said.

    One without a patch is answered as the patch with whose answers the minor's are compared.
    """
    found = _VERSION.match(version)
    if found is None:
        return ReleaseMatch(ASSUMED, "", Known.UNTOLD)
    number = int(found[1]), int(found[2])
    minor = f"{number[0]}.{number[1]}"
    if minor in RELEASES:
        return ReleaseMatch(RELEASES[minor].patched(int(found[3] or 0)), minor, Known.EXACT)
    if number > _number(NEWEST):
        return ReleaseMatch(NEWEST, minor, Known.NEWER)
    return ReleaseMatch(min(RELEASES.values(), key=_number), minor, Known.OLDER)


def _number(release: Release) -> tuple[int, int]:
    major, minor = release.minor.split(".")
    return int(major), int(minor)
