"""However much a pod or a cluster names: answers are those of a rule written plainly for one node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings, strategies as st

from clusters.engine.plugins.node_resources_fit import Insufficient
from clusters.engine.status import Status, unresolvable, unschedulable
from tests.engine.builders import a_node, a_pod, explanation_of

if TYPE_CHECKING:
    from clusters.engine import Explanation

MANY = 200


def resource(number: int) -> str:
    return f"example.com/r{number:03}"


def insufficient(asked: dict[str, int], there: dict[str, int], used: dict[str, int]) -> Status | None:
    """What NodeResourcesFit says of one node with room for pods."""
    short = [name for name in sorted(asked) if asked[name] > there.get(name, 0) - used.get(name, 0)]
    if not short:
        return None
    hopeless = any(asked[name] > there.get(name, 0) for name in short)
    return (unresolvable if hopeless else unschedulable)(*map(Insufficient, short))


def rejections(explanation: Explanation, plugin: str) -> list[Status | None]:
    return [explanation.rejections_of(row).get(plugin) for row in range(explanation.node_count)]


amounts = st.dictionaries(st.integers(0, MANY - 1).map(resource), st.integers(1, 3), max_size=MANY)


@settings(max_examples=25, deadline=None)
@given(asked=amounts, nodes=st.lists(st.tuples(amounts, amounts), min_size=1, max_size=6))
def test_any_number_of_resources(asked: dict[str, int], nodes: list[tuple[dict[str, int], dict[str, int]]]) -> None:
    def written(each: dict[str, int]) -> dict[str, str]:
        return {name: str(amount) for name, amount in each.items()}

    objects: list[Any] = []
    for number, (there, used) in enumerate(nodes):
        objects.append(a_node(f"n{number}", allocatable=written(there)))
        objects.append(a_pod(f"p{number}", node=f"n{number}", requests=written(used)))
    explanation = explanation_of(a_pod(requests=written(asked)), *objects)

    assert rejections(explanation, "NodeResourcesFit") == [insufficient(asked, *node) for node in nodes]
