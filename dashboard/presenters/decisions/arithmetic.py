"""The arithmetic behind one score, line by line down to the number, with as many decimals as the number needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from clusters.engine.evidence import Unit
from clusters.wording.amounts import cpu, grouped
from clusters.wording.plugins import wording_of
from dashboard.presenters.decisions.evidence import EvidenceView, evidence_view

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.evidence import Evidence

    Lines = tuple[list[str], list[str]]

_BINARY_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_MIB = 2
_ASKED, _THERE, _SCORE, _WEIGHT = "requested with this pod", "allocatable", "resource score", "weight"
_FEW, _MOST = 3, 15


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """How one cell came about: each part with its line, the lines that join them, normalised, times the weight."""

    plugin: str
    node: str
    question: str
    raw: str
    parts: tuple[EvidenceView, ...]
    joined: tuple[str, ...]
    normalisation: EvidenceView | None
    normalised: str
    product: str


def arithmetic(explanation: Explanation, row: int, plugin: str) -> Arithmetic:
    """Present how a cell came about. Raises LookupError for a node or a plugin without a score."""
    cell = {each.plugin: each for each in explanation.cells_of(row)}[plugin]
    weight = next(score.weight for score in explanation.scores if score.plugin == plugin)
    found = [each for each in explanation.score_evidence(row, plugin) if each.about != "sum"]
    lines, joined = _lines(plugin, explanation.score_evidence(row, plugin), cell.raw)
    return Arithmetic(
        plugin=plugin,
        node=explanation.snapshot.nodes.names[row],
        question=wording_of(plugin).decides(),
        raw=grouped(cell.raw),
        parts=tuple(replace(evidence_view(each), worked=line) for each, line in zip(found, lines, strict=True)),
        joined=tuple(joined),
        normalisation=_normalisation(explanation.normalisation(row, plugin), cell.normalised),
        normalised=grouped(cell.normalised),
        product=f"{grouped(cell.normalised)} × {grouped(weight)} = {grouped(cell.weighted)}",
    )


def _normalisation(evidence: Evidence | None, normalised: int) -> EvidenceView | None:
    if evidence is None:
        return None
    view = evidence_view(evidence)
    if not view.worked:
        return view
    facts = {fact.name: int(fact.value) for fact in evidence.facts}
    if "((" in evidence.formula:
        share = Fraction(facts["raw"] - facts["lowest"], facts["highest"] - facts["lowest"])
        if floor(100 * share) != normalised:
            # A 64-bit float falls short of the whole number.
            return replace(view, worked=f"{view.worked} = ⌊{100.0 * float(share)!r}⌋ = {normalised}")
    return replace(view, worked=f"{view.worked} = {grouped(normalised)}")


def _lines(plugin: str, found: Sequence[Evidence], raw: int) -> Lines:
    """One line for each part, and those that join them to the raw score."""
    match plugin:
        case "NodeResourcesFit":
            return _fit(found, raw)
        case "NodeResourcesBalancedAllocation":
            return _balanced(found, raw)
        case "PodTopologySpread":
            return _spread(found, raw)
        case "ImageLocality":
            return _images(found, raw)
        case "InterPodAffinity":
            products = [(_int(each, "matching pods"), _int(each, _WEIGHT)) for each in found]
            return (
                [f"{count} × {_signed(weight)} = {_minus(count * weight)}" for count, weight in products],
                _sum([count * weight for count, weight in products], raw),
            )
        case "NodeAffinity":
            weights = [_int(each, _WEIGHT) if _fact(each, "matches") == "True" else 0 for each in found]
            return [f"{weight}" for weight in weights], _sum(weights, raw)
        case "TaintToleration":
            return [f"{_int(each, 'count')}" for each in found], []
        case _:
            return ["" for _ in found], []


# -- fullness ----------------------------------------------------------------------------------------------------------


def _fit(found: Sequence[Evidence], raw: int) -> Lines:
    lines = [_fullness(each) for each in found]
    pairs = [(_int(each, _SCORE), _int(each, _WEIGHT)) for each in found]
    is_shape = any(each.formula.startswith("shape") for each in found)
    counted = [(score, weight) for score, weight in pairs if score > 0] if is_shape else pairs
    if not counted:
        return lines, [f"0 = {raw}"]
    total = " + ".join(f"{score} × {weight}" for score, weight in counted)
    weights = " + ".join(f"{weight}" for _, weight in counted)
    mean = f"({total}) ÷ ({weights})" if len(counted) > 1 else f"{total} ÷ {weights}"
    return lines, [f"round({mean}) = {raw}" if is_shape else f"⌊{mean}⌋ = {raw}"]


def _fullness(each: Evidence) -> str:
    asked, there, score = _int(each, _ASKED), _int(each, _THERE), _int(each, _SCORE)
    unit = each.facts[0].unit
    if each.formula.startswith("shape"):
        use = 100 if asked > there else 100 * asked // there
        if asked > there:
            return f"shape(100) = {score}"
        used, whole = _amounts((asked, there), unit, lambda some: floor(100 * some[0] / some[1]) == use)
        return f"shape(⌊100 × {used} ÷ {whole}⌋) = shape({use}) = {score}"
    is_most = each.formula.startswith("⌊100 × requested")
    if asked > there:
        # Overcommitted: the most counts as full, the least as nothing.
        return f"{score}"
    if is_most:
        used, whole = _amounts((asked, there), unit, lambda some: floor(100 * some[0] / some[1]) == score)
        return f"⌊100 × {used} ÷ {whole}⌋ = {score}"
    used, whole = _amounts((asked, there), unit, lambda some: floor(100 * (some[1] - some[0]) / some[1]) == score)
    return f"⌊100 × ({whole} − {used}) ÷ {whole}⌋ = {score}"


def _balanced(found: Sequence[Evidence], raw: int) -> Lines:
    exact = [min(Fraction(1), Fraction(_int(each, _ASKED), _int(each, _THERE))) for each in found]
    decimals = _precision(lambda some: floor(100 * (1 - _deviation(exact, some)[0])) == raw)
    deviation, sums = _deviation(exact, decimals)
    lines = [_share(each, _rounded(value, decimals), decimals) for each, value in zip(found, exact, strict=True)]
    return lines, [*sums, f"⌊100 × (1 − {_decimal(deviation, decimals + 1)})⌋ = {raw}"]


def _share(each: Evidence, value: Fraction, decimals: int) -> str:
    asked, there = _int(each, _ASKED), _int(each, _THERE)
    if asked > there:
        return f"{_decimal(value, decimals)}, as more is requested than there is"
    used, whole = _amounts(
        (asked, there), each.facts[0].unit, lambda some: _rounded(some[0] / some[1], decimals) == value
    )
    return f"{used} ÷ {whole} = {_decimal(value, decimals)}"


def _deviation(exact: Sequence[Fraction], decimals: int) -> tuple[Fraction, list[str]]:
    """The standard deviation as it is written down, and the lines that lead to it."""
    if len(exact) < 2:
        return Fraction(0), []
    fractions = [_rounded(value, decimals) for value in exact]
    texts = [_decimal(value, decimals) for value in exact]
    if len(exact) == 2:
        deviation = abs(fractions[0] - fractions[1]) / 2
        return deviation, [f"|{texts[0]} − {texts[1]}| ÷ 2 = {_decimal(deviation, decimals + 1)}"]
    mean = _rounded(Fraction(sum(fractions)) / len(exact), decimals)
    variance = Fraction(sum((value - mean) ** 2 for value in fractions)) / len(exact)
    deviation = _rounded(Fraction(float(variance) ** 0.5), decimals)
    squares = " + ".join(f"({text} − {_decimal(mean, decimals)})²" for text in texts)
    return deviation, [
        f"({' + '.join(texts)}) ÷ {len(exact)} = {_decimal(mean, decimals)}",
        f"√(({squares}) ÷ {len(exact)}) = {_decimal(deviation, decimals)}",
    ]


# -- neighbours --------------------------------------------------------------------------------------------------------


def _spread(found: Sequence[Evidence], raw: int) -> Lines:
    present = [each for each in found if _fact(each, "domain") != "no such label"]
    if not raw and len(present) < len(found):
        return ["" for _ in found], ["Without the topology label of each constraint a node scores 0."]
    decimals = _precision(lambda some: floor(sum(_crowd(each, some) for each in present) + Fraction(1, 2)) == raw)
    lines = [
        f"{_int(each, 'matching pods')} × {_decimal(_spread_weight(each), decimals)} + {_int(each, 'maxSkew')} − 1 "
        f"= {_decimal(_crowd(each, decimals), decimals)}"
        if each in present
        else ""
        for each in found
    ]
    total = " + ".join(_decimal(_crowd(each, decimals), decimals) for each in present)
    return lines, [f"round({total or '0'}) = {raw}"]


def _crowd(each: Evidence, decimals: int) -> Fraction:
    """What one constraint adds, with its weight as it is written down."""
    weight = _rounded(_spread_weight(each), decimals)
    return _int(each, "matching pods") * weight + _int(each, "maxSkew") - 1


def _spread_weight(each: Evidence) -> Fraction:
    return Fraction(float(_fact(each, _WEIGHT)))


# -- images ------------------------------------------------------------------------------------------------------------


def _images(found: Sequence[Evidence], raw: int) -> Lines:
    *images, bounds = found
    least, most = _int(bounds, "least"), _int(bounds, "most")
    weighed = [_int(each, "counts as") for each in images]
    total, span = sum(weighed), Fraction(most - least, 1024**_MIB)
    within = min(max(total, least), most)
    decimals = _precision(lambda some: floor(100 * _rounded(Fraction(within - least, 1024**_MIB), some) / span) == raw)
    low, high, counted = (_mebibytes(count, decimals) for count in (least, most, within))
    return (
        [_image(each, decimals) for each in images],
        [
            *(
                [f"{' + '.join(_mebibytes(part, decimals) for part in weighed)} = {_mebibytes(total, decimals)}"]
                if len(weighed) > 1
                else []
            ),
            *([f"Less than {low} counts as {low}."] if total < least else []),
            *([f"More than {high} counts as {high}."] if total > most else []),
            f"⌊100 × ({counted} − {low}) ÷ ({high} − {low})⌋ = {raw}",
        ],
    )


def _image(each: Evidence, decimals: int) -> str:
    size, holding, nodes = _int(each, "size here"), _int(each, "nodes with it"), _int(each, "nodes")
    return f"{_mebibytes(size, decimals)} × {holding} ÷ {nodes} = {_mebibytes(_int(each, 'counts as'), decimals)}"


def _mebibytes(count: int, decimals: int) -> str:
    return f"{_decimal(Fraction(count, 1024**_MIB), decimals)} {_BINARY_UNITS[_MIB]}"


# -- numbers -----------------------------------------------------------------------------------------------------------


def _fact(evidence: Evidence, name: str) -> int | float | str:
    return next(fact.value for fact in evidence.facts if fact.name == name)


def _int(evidence: Evidence, name: str) -> int:
    return int(_fact(evidence, name))


def _precision(is_enough: Callable[[int], bool]) -> int:
    """The fewest decimals with which a line leads to its number."""
    return next((decimals for decimals in range(_FEW, _MOST) if is_enough(decimals)), _MOST)


def _amounts(values: Sequence[int], unit: Unit, is_enough: Callable[[Sequence[Fraction]], bool]) -> tuple[str, ...]:
    """Write amounts in one unit, with as many decimals as the number that is made of them needs."""
    if unit is Unit.MILLI_CPU:
        return tuple(cpu(value) for value in values)
    if unit is not Unit.BYTES:
        return tuple(grouped(value) for value in values)
    binary = max(0, (max(values).bit_length() - 1) // 10)
    scaled = [Fraction(value, 1024**binary) for value in values]
    decimals = _precision(lambda some: is_enough([_rounded(value, some) for value in scaled]))
    return tuple(f"{_decimal(value, decimals)} {_BINARY_UNITS[binary]}" for value in scaled)


def _rounded(value: Fraction, decimals: int) -> Fraction:
    return Fraction(round(value * 10**decimals), 10**decimals)


def _decimal(value: Fraction, decimals: int) -> str:
    text = f"{float(_rounded(value, decimals)):.{decimals}f}"
    return text.rstrip("0").rstrip(".")


def _minus(number: int) -> str:
    return f"−{-number}" if number < 0 else f"{number}"


def _signed(number: int) -> str:
    return f"(−{-number})" if number < 0 else f"{number}"


def _sum(numbers: Sequence[int], total: int) -> list[str]:
    """The line that adds up several parts; a single one stands for itself."""
    if len(numbers) < 2:
        return []
    return [f"{' + '.join(_signed(number) for number in numbers)} = {_minus(total)}"]
