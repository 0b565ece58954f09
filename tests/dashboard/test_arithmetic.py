"""The lines that are shown behind a score lead to it: each is worked out again from what stands there."""

from __future__ import annotations

import re
from fractions import Fraction
from math import floor, sqrt
from typing import TYPE_CHECKING

import pytest

from clusters.demo import demo_objects
from clusters.engine import SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from dashboard.presenters.decisions.arithmetic import arithmetic
from tests.engine.oracle import cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation
    from dashboard.presenters.decisions.arithmetic import Arithmetic

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
    for case in list(cases("general").values())[::8]:
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
