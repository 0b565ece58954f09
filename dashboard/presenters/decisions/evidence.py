"""Evidence of the engine as words: each fact in its unit, each formula with the numbers filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.evidence import Unit
from clusters.engine.plugins.node_resources_fit import KEPT, NOMINATED
from clusters.wording import amounts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.evidence import Evidence, Fact

_YES_NO = {"True": "yes", "False": "no", "": "none"}


@dataclass(frozen=True, slots=True)
class FactView:
    """One value with its unit; `exact` is given where the value is rounded."""

    name: str
    value: str
    exact: str


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """What was compared for one requirement, or one part of a score.

    `holds` is None for scores; `formula` is the rule and `worked` the same with numbers, both empty without one.
    """

    about: str
    facts: tuple[FactView, ...]
    holds: bool | None
    formula: str
    worked: str


def amount(value: float | str, unit: Unit) -> str:
    """Write a value of the engine in its unit."""
    match unit:
        case Unit.MILLI_CPU:
            return amounts.cpu(int(value))
        case Unit.BYTES:
            return amounts.size(int(value))
        case Unit.COUNT | Unit.SCORE:
            return amounts.grouped(int(value))
        case Unit.RATIO:
            return amounts.decimal(float(value))
        case Unit.TEXT:
            return _YES_NO.get(str(value), str(value))


def _fact(fact: Fact) -> FactView:
    value = amount(fact.value, fact.unit)
    exact = amounts.exactly(int(fact.value)) if fact.unit is Unit.BYTES and "." in value else ""
    return FactView(fact.name, value, exact)


def _term(fact: Fact) -> str:
    """Write a value as a term of a sum: a negative one in parentheses."""
    text = amount(fact.value, fact.unit)
    return f"(−{text[1:]})" if text.startswith("-") else text


def _worked(evidence: Evidence) -> str:
    """Fill the facts into the formula, the longest names first, so that a name within a name stays whole."""
    values = {fact.name: _term(fact) for fact in evidence.facts if fact.unit is not Unit.TEXT}
    if not evidence.formula or not values or evidence.formula in values:
        return ""
    names = sorted(values, key=len, reverse=True)
    pattern = rf"\b({'|'.join(map(re.escape, names))})\b"
    worked = re.sub(pattern, lambda match: values[match.group()], evidence.formula)
    return worked if worked != evidence.formula else ""


def evidence_view(evidence: Evidence) -> EvidenceView:
    """Present one piece of evidence."""
    names = {fact.name for fact in evidence.facts}
    return EvidenceView(
        about=evidence.about,
        facts=tuple(_fact(fact) for fact in evidence.facts),
        holds=evidence.holds,
        formula="" if evidence.formula in names else evidence.formula,
        worked=_worked(evidence),
    )


def brief(evidence: Iterable[Evidence]) -> str:
    """Say in one line what does not hold."""
    return "; ".join(_brief(each) for each in evidence if each.holds is False)


def _brief(evidence: Evidence) -> str:
    short = next((fact for fact in evidence.facts if fact.name == "short by"), None)
    if short is not None:
        return f"{evidence.about} short by {amount(short.value, short.unit)}{_kept(evidence)}"
    if worked := _worked(evidence):
        return f"{evidence.about}: {worked} does not hold"
    facts = ", ".join(f"{fact.name} {amount(fact.value, fact.unit)}" for fact in evidence.facts)
    return f"{evidence.about} ({facts})" if facts else evidence.about


def _kept(evidence: Evidence) -> str:
    """Say how much of a resource waits for which nominated pods."""
    kept = next((fact for fact in evidence.facts if fact.name == KEPT), None)
    if kept is None:
        return ""
    names = ", ".join(str(fact.value) for fact in evidence.facts if fact.name == NOMINATED)
    return f" ({amount(kept.value, kept.unit)} kept for {names}, nominated here)"
