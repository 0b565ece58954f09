"""The cluster before and after a simulation, or after two of them, as rows: what changed, for better or worse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from clusters.services.runs.results import PendingAfter, pending_after
from clusters.wording import amounts
from clusters.wording.amounts import Unit, grouped, percent, resource_unit
from clusters.wording.runs import summary as words

if TYPE_CHECKING:
    from collections.abc import Mapping

    Summary = Mapping[str, Any]

_Amount = TypeVar("_Amount")

_FIRST = ("cpu", "memory", "pods", "ephemeral-storage")


def written(resource: str, number: int) -> str:
    """Write an amount of a resource in its unit."""
    unit = resource_unit(resource)
    if unit is Unit.BYTES:
        return amounts.size(number)
    return amounts.grouped(number) if resource == "pods" else amounts.quantity(resource, number)


def in_order(amounts: Mapping[str, _Amount]) -> list[tuple[str, _Amount]]:
    """Return amounts by resource in one order wherever they come from: PostgreSQL keeps the keys of JSON in its own."""
    return sorted(
        amounts.items(), key=lambda each: (_FIRST.index(each[0]) if each[0] in _FIRST else len(_FIRST), each[0])
    )


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """One thing that changed: what it was, what it is, and whether that is better (good), worse (bad) or neither."""

    name: str
    before: str
    after: str
    change: str
    kind: str


def before_after(summary: Summary) -> list[BeforeAfter]:
    """Compare the cluster before and after."""
    old, pending = summary["before"], pending_after(summary["origins"])
    before = PendingAfter(0, old["cluster"]["pending"])
    return compared(old, summary["after"], before, pending)


def compared(old: Summary, new: Summary, before: PendingAfter, after: PendingAfter) -> list[BeforeAfter]:
    """Compare two clusters, each with its pending pods."""
    rows = [
        _numbers(str(words.NODES), old["cluster"]["nodes"], new["cluster"]["nodes"]),
        _numbers(str(words.OPEN_NODES), old["cluster"]["usable"], new["cluster"]["usable"], better=1),
        _numbers(str(words.EMPTY_NODES), old["cluster"]["empty"], new["cluster"]["empty"]),
        _numbers(str(words.PODS_ON_NODES), old["cluster"]["pods"], new["cluster"]["pods"]),
        _numbers(str(words.PENDING_BEFORE), before.before, after.before, better=-1),
        _numbers(str(words.NEWLY_PENDING_PODS), before.newly, after.newly, better=-1),
    ]
    rows += [_open(resource, old, new) for resource in ("cpu", "memory")]
    for resource, each in in_order(new["cluster"]["amounts"]):
        was = old["cluster"]["amounts"].get(resource, {"requested": 0, "allocatable": 0})
        if resource != "pods" and (each["allocatable"] or was["allocatable"]):
            rows.append(_share(words.requested(resource), was, each))
    rows += [
        _numbers(str(words.VIOLATED), _violated(old), _violated(new), better=-1),
        _numbers(str(words.LARGEST_SKEW), old["spread"]["widest"], new["spread"]["widest"], better=-1),
        _numbers(str(words.ALLOWED), old["budgets"]["granted"], new["budgets"]["granted"], better=1),
        _numbers(str(words.ALLOW_NONE), len(old["budgets"]["blocked"]), len(new["budgets"]["blocked"]), better=-1),
    ]
    return rows


def _open(resource: str, old: Summary, new: Summary) -> BeforeAfter:
    """Compare what is allocatable on the nodes that accept pods."""
    before, after = (each["cluster"]["open"].get(resource, 0) for each in (old, new))
    sign, kind = ("+", "good") if after > before else ("−", "bad")
    change = f"{sign}{written(resource, abs(after - before))}" if after != before else ""
    name = words.open_capacity(resource)
    return BeforeAfter(name, written(resource, before), written(resource, after), change, kind if change else "")


def _violated(measured: Summary) -> int:
    number: int = measured["spread"]["hard_violated"] + measured["spread"]["soft_violated"]
    return number


def _numbers(name: str, before: int, after: int, better: int = 0) -> BeforeAfter:
    """Compare two numbers; ``better`` is 1 where more is better, -1 where less is, 0 where nobody can say."""
    difference = after - before
    kind = "" if not difference or not better else "good" if difference * better > 0 else "bad"
    return BeforeAfter(name, grouped(before), grouped(after), signed(difference), kind)


def signed(number: int) -> str:
    """Write a difference with its sign; nothing of none."""
    if not number:
        return ""
    return f"{'+' if number > 0 else '−'}{grouped(abs(number))}"


def _share(name: str, before: Mapping[str, int], after: Mapping[str, int]) -> BeforeAfter:
    shares = [100 * each["requested"] / each["allocatable"] if each["allocatable"] else 0.0 for each in (before, after)]
    difference = shares[1] - shares[0]
    change = (
        ""
        if abs(difference) < 0.05
        else words.POINTS(difference=f"{'+' if difference > 0 else '−'}{abs(difference):.1f}")
    )
    texts = [f"{percent(each['requested'], each['allocatable'])}" for each in (before, after)]
    return BeforeAfter(name, texts[0], texts[1], change, "")
