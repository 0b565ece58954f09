"""To which minors a cluster can be upgraded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.adapters.bad_input import BadInput, shown
from clusters.engine.versions import RELEASES
from clusters.problems.upgrades import NoLaterMinor, UnknownMinor

if TYPE_CHECKING:
    from clusters.engine.versions import Release


def later_releases(release: Release) -> tuple[Release, ...]:
    """Return the known releases after one, in their order."""
    known = list(RELEASES.values())
    return tuple(known[[each.minor for each in known].index(release.minor) + 1 :])


def chosen_release(release: Release, minor: str) -> Release:
    """Return the release that somebody names by its minor, such as ``1.37`` or ``v1.37``. Raises BadInput."""
    found = RELEASES.get(minor.strip().removeprefix("v"))
    if found is None:
        raise BadInput(UnknownMinor(shown(minor), tuple(RELEASES)), field="to")
    later = later_releases(release)
    if found not in later:
        raise BadInput(NoLaterMinor(found.minor, release.minor, tuple(each.minor for each in later)), field="to")
    return found
