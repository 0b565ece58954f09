"""The lines that are shown behind a score lead to it: each is worked out again from what stands there."""

from __future__ import annotations

import re
from fractions import Fraction
from math import floor, sqrt
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from clusters.demo import demo_objects
from clusters.engine import SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from dashboard.presenters.decisions.nodes import arithmetic
from tests.engine.builders import ZONE, Document, a_node, a_pod, explanation_of, with_arguments
from tests.engine.oracle import some_cases
from tests.engine.strategies import nodes, pods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation
    from dashboard.presenters.decisions.nodes import Arithmetic

_UNITS = re.compile(r"\s*\b(CPU|B|KiB|MiB|GiB|TiB|PiB)\b|\u202f")
_EXPRESSION = re.compile(r"[\d.\s+*/()]+|-|floor|rounded|root|abs|\*\*")


def rounded(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def root(value: Fraction) -> Fraction:
    return Fraction(sqrt(value))


def value_of(shown: str) -> Fraction:
    """Work out one side of a line, exactly."""
    text = _UNITS.sub("", shown).replace("round(", "rounded(")
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", text)
    for sign, code in (("⌊", "floor("), ("⌋", ")"), ("×", "*"), ("÷", "/"), ("−", "-"), ("√", "root"), ("²", "**2")):
        text = text.replace(sign, code)
    assert not _EXPRESSION.sub("", text), shown
    text = re.sub(r"\d+(?:\.\d+)?", lambda match: f"Fraction('{match.group()}')", text)
    names = {"Fraction": Fraction, "floor": floor, "rounded": rounded, "root": root, "abs": abs}
    # The text has nothing but digits, signs and these names.
    return Fraction(eval(text, {"__builtins__": {}}, names))  # noqa: S307


def assert_holds(line: str) -> None:
    """Both sides of an equation agree, to the decimals that are shown."""
    sides = line.split(" = ")
    values = [value_of(side) for side in sides if not side.startswith("shape(")]
    for shown, value in zip(sides[1:], values[1:], strict=False):
        decimals = len(_UNITS.sub("", shown).partition(".")[2])
        terms = line.count("+") + 2
        slack = Fraction(terms, 10**decimals) if "." in line and "⌊" not in line and "round" not in line else 0
        assert abs(values[0] - value) <= slack, line


def assert_leads_to_its_number(shown: Arithmetic, raw: int, normalised: int, weighted: int) -> None:
    lines = [part.worked for part in shown.parts if " = " in part.worked]
    lines += [line for line in shown.joined if " = " in line]
    for line in [*lines, shown.product]:
        assert_holds(line)
    last = shown.joined[-1] if shown.joined else shown.parts[-1].worked if shown.parts else "0"
    if not last.endswith("."):
        assert value_of(last.rpartition(" = ")[2]) == raw, last
    if shown.normalisation is not None and " = " in shown.normalisation.worked:
        if "⌊" in shown.normalisation.worked.partition(" = ")[2]:
            assert shown.normalisation.worked.endswith(f"= {normalised}")
        else:
            assert_holds(shown.normalisation.worked)
            assert value_of(shown.normalisation.worked.rpartition(" = ")[2]) == normalised
    assert value_of(shown.product.rpartition(" = ")[2]) == weighted


def demo_explanations() -> Iterator[Explanation]:
    objects = demo_objects()
    snapshot, configuration = Snapshot.from_objects(objects), SchedulerConfiguration.default()
    pods = [each for each in objects if each["kind"] == "Pod"]
    waiting = [pod for pod in pods if not pod["spec"].get("nodeName")]
    for pod in [*waiting, *pods[::90]]:
        try:
            yield explain(snapshot, pod, configuration.profile_for(pod))
        except UnknownScheduler:
            continue


def corpus_explanations() -> Iterator[Explanation]:
    for case in some_cases("general", every=8).values():
        config = case.get("config")
        configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
        pod = case["pods"][0]
        yield explain(Snapshot.from_objects(case["objects"]), pod, configuration.profile_for(pod))


@pytest.mark.parametrize("explanations", [demo_explanations, corpus_explanations], ids=["demo", "corpus"])
def test_every_number_follows_from_the_terms_that_are_shown(explanations: object) -> None:
    assert callable(explanations)
    plugins: set[str] = set()
    for explanation in explanations():
        for row in explanation.ranking()[:12].tolist():
            for cell in explanation.cells_of(row):
                shown = arithmetic(explanation, row, cell.plugin)
                assert_leads_to_its_number(shown, cell.raw, cell.normalised, cell.weighted)
                plugins.add(cell.plugin)

    assert plugins >= {
        "ImageLocality",
        "NodeResourcesBalancedAllocation",
        "NodeResourcesFit",
        "PodTopologySpread",
        "TaintToleration",
    }


def assert_every_cell_leads_to_its_number(explanation: Explanation) -> None:
    for row in explanation.ranking().tolist():
        for cell in explanation.cells_of(row):
            shown = arithmetic(explanation, row, cell.plugin)
            assert_leads_to_its_number(shown, cell.raw, cell.normalised, cell.weighted)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(nodes(), min_size=1, max_size=4, unique_by=lambda node: node["metadata"]["name"]),
    st.lists(pods(placed=True), max_size=8, unique_by=lambda pod: pod["metadata"]["name"]),
    pods(placed=False),
    st.lists(st.tuples(st.integers(1, 100), st.sampled_from(("a", "b"))), max_size=3),
)
def test_every_line_of_a_random_cluster_leads_to_its_number(
    nodes: list[Document], placed: list[Document], pod: Document, preferences: list[tuple[int, str]]
) -> None:
    preferred = [
        {"weight": weight, "preference": {"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}}
        for weight, zone in preferences
    ]
    affinity = pod["spec"]["affinity"]
    affinity["nodeAffinity"] = {
        **affinity.get("nodeAffinity", {}),
        "preferredDuringSchedulingIgnoredDuringExecution": preferred,
    }

    assert_every_cell_leads_to_its_number(explanation_of(pod, *nodes, *placed))


SHAPES = st.lists(
    st.tuples(st.integers(0, 100), st.integers(0, 10)), min_size=1, max_size=4, unique_by=lambda point: point[0]
)
STRATEGIES = st.one_of(
    st.sampled_from(({"type": "LeastAllocated"}, {"type": "MostAllocated"})),
    SHAPES.map(
        lambda points: {
            "type": "RequestedToCapacityRatio",
            "requestedToCapacityRatio": {
                "shape": [{"utilization": use, "score": score} for use, score in sorted(points)]
            },
        }
    ),
)


@settings(deadline=None, max_examples=25)
@given(
    STRATEGIES,
    st.integers(1, 64_000),
    st.integers(1, 2**40),
    st.tuples(st.integers(0, 64_000), st.integers(0, 2**40)),
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
)
def test_every_strategy_leads_to_its_number_to_the_byte(
    strategy: Document, cpu: int, memory: int, used: tuple[int, int], weights: tuple[int, int]
) -> None:
    """Also where a node is overcommitted, and where a whole number is missed by a byte."""
    resources = [{"name": name, "weight": weight} for name, weight in zip(("cpu", "memory"), weights, strict=True)]
    arguments = with_arguments("NodeResourcesFit", scoringStrategy={**strategy, "resources": resources})
    node = a_node("n", allocatable={"cpu": f"{cpu}m", "memory": f"{memory}", "pods": "9"})
    placed = a_pod("p", node="n", requests={"cpu": f"{used[0]}m", "memory": f"{used[1]}"})

    assert_every_cell_leads_to_its_number(explanation_of(a_pod(), node, placed, **arguments))
