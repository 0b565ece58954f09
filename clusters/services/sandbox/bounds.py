"""How much a sandbox may hold."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import orjson

from clusters.engine.lessons.errors import SituationError
from clusters.problems.sandbox import LargeSandbox, ManyInSandbox
from clusters.services.lessons.situations import MOST_NODES, MOST_PODS

if TYPE_CHECKING:
    from clusters.engine.sandbox.objects import Objects

# A pod has about a thousand; as many again for everything else.
MOST_CHARACTERS: Final = 1_000_000
_BOUNDS: Final = {"Node": MOST_NODES, "Pod": MOST_PODS}


def hold_within_bounds(objects: Objects) -> None:
    """Raise SituationError where there are too many nodes or pods, or too much text."""
    counts = Counter(name.kind for name in objects)
    for kind, most in _BOUNDS.items():
        if counts[kind] > most:
            raise SituationError(ManyInSandbox(kind, counts[kind], most))
    size = len(orjson.dumps(list(objects.values())))
    if size > MOST_CHARACTERS:
        raise SituationError(LargeSandbox(size, MOST_CHARACTERS))
