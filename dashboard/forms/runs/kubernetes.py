"""The choice of a Kubernetes minor whose scheduler a simulation has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.versions import RELEASES, Release, match_release
from clusters.wording.runs import building as words

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


KUBERNETES_CHOICES: Final[tuple[tuple[str, _StrOrPromise], ...]] = (
    ("", words.OWN_KUBERNETES),
    *((f"v{minor}", minor) for minor in RELEASES),
)


def chosen_release(choice: str | None, own: Release) -> Release:
    """Return the release that a choice stands for, a cluster's own where none was made."""
    return match_release(choice).release if choice else own


def offered_version(version: str) -> str:
    """Return the choice that stands for a version as components report it; empty for none of them."""
    minor = match_release(version).minor
    return f"v{minor}" if minor in RELEASES else ""
