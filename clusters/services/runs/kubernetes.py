"""Which Kubernetes a run is simulated as: the version and the feature gates of its request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.bad_input import shown
from clusters.engine.problems import NotAText, NotOneOf
from clusters.engine.versions import RELEASES, GateError, match_release, read_feature_gates
from clusters.services.runs.errors import SpecError

if TYPE_CHECKING:
    from clusters.engine.versions import GateSettings

_LONGEST_VERSION: Final = 64


def read_version(value: Any) -> str:
    """Return a version as components report it; empty where nobody said. Raises SpecError."""
    if type(value) is not str or len(value) > _LONGEST_VERSION:
        raise SpecError("kubernetes", NotAText(shown(value)))
    if value and not match_release(value).minor:
        raise SpecError("kubernetes", NotOneOf(shown(value), tuple(f"v{minor}" for minor in RELEASES)))
    return value


def read_gates(value: Any, version: str) -> GateSettings | None:
    """Return the gates that are set, None where nobody said. Raises SpecError.

    Without a version any gate is taken that some minor has: the cluster's version decides later.
    """
    if value is None:
        return None
    try:
        return read_feature_gates(value, match_release(version).release if version else None)
    except GateError as error:
        raise SpecError("featureGates", error.problem) from None
