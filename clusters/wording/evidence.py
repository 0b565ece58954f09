"""What plugins compared and scored, in words: labels, values with units, arithmetic with the numbers filled in.

The words of each plugin's values are in the modules of `clusters.wording.plugins`, which enter them here."""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from django.utils.translation import gettext as _
from msgspec import Struct

from clusters.engine.evidence import (
    ByMaximum,
    Comparison,
    CountedPod,
    NodeTerm,
    Normalisation,
    ScorePart,
    UnreadableVolumes,
)
from clusters.wording.amounts import BINARY_UNITS, Unit, cpu, exactly, grouped, quantity, resource_unit, size
from clusters.wording.lists import listed
from clusters.wording.resources import requirement_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class FactView(Struct, frozen=True):
    """One named value with its unit; ``exact`` is given where the value is rounded."""

    name: str
    value: str
    exact: str = ""


class EvidenceView(Struct, frozen=True):
    """One comparison, one part of a raw score, or one normalisation.

    ``holds`` is None for scores. ``formula`` is the rule and ``worked`` the same with numbers, both empty without one.
    ``missing`` says in brief what does not hold; empty where all does.
    """

    label: str
    facts: tuple[FactView, ...] = ()
    holds: bool | None = None
    formula: str = ""
    worked: str = ""
    missing: str = ""


class ScoreView(Struct, frozen=True):
    """What a raw score was made from, and the lines that lead from the parts to it."""

    parts: tuple[EvidenceView, ...] = ()
    lines: tuple[str, ...] = ()


Part = TypeVar("Part", bound=ScorePart)


_scores: dict[type[ScorePart], Callable[[Sequence[Any], int], ScoreView]] = {}


@singledispatch
def comparison_view(compared: Comparison) -> EvidenceView:
    """Word what a filter compared. Raises TypeError for a type that no module words."""
    raise TypeError(f"{type(compared).__name__} has no wording")


@singledispatch
def normalisation_view(how: Normalisation) -> EvidenceView:
    """Word how a raw score came to 0..100. Raises TypeError for a type that no module words."""
    raise TypeError(f"{type(how).__name__} has no wording")


def words_score(kind: type[Part]) -> Callable[[Callable[[Sequence[Part], int], ScoreView]], None]:
    """Enter the function that words the parts of a raw score that are of one type, and the raw score."""

    def enter(word: Callable[[Sequence[Part], int], ScoreView]) -> None:
        _scores[kind] = word

    return enter


def score_view(parts: Sequence[ScorePart], raw: int) -> ScoreView:
    """Word what a raw score was made from. Raises KeyError for a type that no module words."""
    return _scores[type(parts[0])](parts, raw) if parts else ScoreView()


def worded_types() -> frozenset[type]:
    """All types of evidence that have a wording."""
    return frozenset({*comparison_view.registry, *normalisation_view.registry, *_scores} - {object})


def missing(comparisons: Iterable[Comparison]) -> str:
    """Say in one line what does not hold."""
    return "; ".join(comparison_view(each).missing for each in comparisons if not each.holds)


def resource_fact(name: str, resource: str, value: int) -> FactView:
    """Show an amount of a resource."""
    if resource_unit(resource) is Unit.BYTES:
        return bytes_fact(name, value)
    return FactView(name, quantity(resource, value))


def bytes_fact(name: str, value: int) -> FactView:
    """Show bytes, to the byte too where they are rounded."""
    text = size(value)
    return FactView(name, text, exactly(value) if "." in text else "")


def count_fact(name: str, value: int) -> FactView:
    """Show a whole number."""
    return FactView(name, grouped(value))


def yes_no(value: bool) -> str:
    """Word a fact that is so or not."""
    return _("yes") if value else _("no")


def node_value(value: str | None) -> str:
    """Word the value of a node's label; None is a label that the node lacks."""
    return _("no such label") if value is None else value or _("empty")


def pod_name(pod: CountedPod) -> str:
    """Name a pod that counts on a node."""
    return _("%(pod)s, nominated for this node") % {"pod": pod.key} if pod.nominated else pod.key


def pod_facts(name: str, pods: Iterable[CountedPod]) -> tuple[FactView, ...]:
    """Show pods one by one under one name."""
    return tuple(FactView(name, pod_name(pod)) for pod in pods)


def pod_list(pods: Iterable[CountedPod]) -> str:
    """Name pods in a list."""
    return listed([pod.key for pod in pods])


def requirements(term: NodeTerm) -> str:
    """Write all requirements of a term; one without any that can be read matches no node."""
    return ", ".join(map(requirement_text, term.requirements)) or _("matches no node")


_FEW, _MOST = 3, 15


def precision(is_enough: Callable[[int], bool]) -> int:
    """Return the fewest decimals with which a line leads to its number."""
    return next((decimals for decimals in range(_FEW, _MOST) if is_enough(decimals)), _MOST)


def rounded(value: Fraction, decimals: int) -> Fraction:
    """Round to so many decimals."""
    return Fraction(round(value * 10**decimals), 10**decimals)


def decimal(value: Fraction, decimals: int) -> str:
    """Write a number with at most so many decimals."""
    text = f"{float(rounded(value, decimals)):.{decimals}f}"
    return text.rstrip("0").rstrip(".")


def resource_amounts(
    resource: str, values: Sequence[int], is_enough: Callable[[Sequence[Fraction]], bool]
) -> tuple[str, ...]:
    """Write amounts in one unit, with as many decimals as the number that is made of them needs."""
    unit = resource_unit(resource)
    if unit is Unit.MILLI_CPU:
        return tuple(cpu(value) for value in values)
    if unit is not Unit.BYTES:
        return tuple(grouped(value) for value in values)
    power = max(0, (max(values).bit_length() - 1) // 10)
    scaled = [Fraction(value, 1024**power) for value in values]
    decimals = precision(lambda some: is_enough([rounded(value, some) for value in scaled]))
    return tuple(f"{decimal(value, decimals)} {BINARY_UNITS[power]}" for value in scaled)


def minus(number: int) -> str:
    """Write a whole number with a real minus sign."""
    return f"−{-number}" if number < 0 else f"{number}"


def term(number: int) -> str:
    """Write a whole number as a term of a sum: a negative one in parentheses."""
    return f"(−{-number})" if number < 0 else f"{number}"


def sum_line(numbers: Sequence[int], total: int) -> tuple[str, ...]:
    """Return the line that adds up several parts; a single one stands for itself."""
    if len(numbers) < 2:
        return ()
    return (f"{' + '.join(term(number) for number in numbers)} = {minus(total)}",)


@normalisation_view.register(ByMaximum)
def by_maximum(how: ByMaximum) -> EvidenceView:
    """Word how a score was scaled by the highest one."""
    facts = (count_fact(_("raw"), how.raw), count_fact(_("highest"), how.highest))
    label = _("over the feasible nodes")
    if how.highest <= 0:
        return EvidenceView(label, facts, formula=_("100 for every node") if how.reverse else _("0 for every node"))
    if how.reverse:
        formula = _("100 − ⌊100 × raw ÷ highest⌋")
        return EvidenceView(
            label, facts, formula=formula, worked=f"100 − ⌊100 × {how.raw} ÷ {how.highest}⌋ = {how.normalised}"
        )
    formula = _("⌊100 × raw ÷ highest⌋")
    return EvidenceView(label, facts, formula=formula, worked=f"⌊100 × {how.raw} ÷ {how.highest}⌋ = {how.normalised}")


@comparison_view.register(UnreadableVolumes)
def unreadable_volumes(compared: UnreadableVolumes) -> EvidenceView:
    """Quote what the scheduler says of volumes that it cannot read."""
    return EvidenceView(
        label=_("volumes of %(pod)s") % {"pod": compared.pod},
        facts=tuple(FactView(_("message"), message) for message in compared.messages),
        holds=False,
        missing="; ".join(compared.messages),
    )


import_module("clusters.wording.plugins")
