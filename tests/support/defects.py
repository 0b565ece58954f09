"""A defect of the engine, as far as no input is known to cause one: a plugin of the real engine that raises for a pod.

Everything around it is Berth's own code. The plugin takes the place of NodeAffinity in the registry for one test, and
is NodeAffinity for every other pod. Where real input is found on which the engine fails, the engine is mended, so that
no such input can stand in for it for long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.plugin import NOTHING_LIFTED, PreFilter
from clusters.engine.plugins.node_affinity import NodeAffinity
from clusters.engine.registry import PLUGINS
from clusters.services.decisions.explain import forget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.status import FilterAnswer
    from clusters.engine.world import World

# Images, as they tell pods apart in everything that scheduling reads.
AT_ONCE, LATER = "defect.example/at-once:1", "defect.example/later:1"
ERROR = "OverflowError: int too big to convert"


def broken(document: dict[str, Any], image: str = AT_ONCE) -> dict[str, Any]:
    """Return a pod that cannot be explained; or, with LATER, of which it cannot be told what would make it fit."""
    spec = document["spec"]
    containers = [{**container, "image": image} for container in spec["containers"]]
    return {**document, "spec": {**spec, "containers": containers}}


class _Defective(NodeAffinity):
    """NodeAffinity, but for pods with an image of the two."""

    def pre_filter(self) -> PreFilter:
        self._raise_for(AT_ONCE)
        return super().pre_filter()

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        self._raise_for(AT_ONCE)
        return super().filter(world, lifted)

    def constraints(self) -> Any:
        self._raise_for(LATER)
        return super().constraints()

    def _raise_for(self, image: str) -> None:
        if any(container.get("image") == image for container in self.pod.document["spec"]["containers"]):
            raise OverflowError(ERROR.partition(": ")[2])


@pytest.fixture
def defect(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the engine fail for `broken` pods."""
    forget()
    monkeypatch.setitem(PLUGINS, "NodeAffinity", _Defective)
    yield
    forget()
