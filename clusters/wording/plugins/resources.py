"""What plugins compared and scored of resources and images."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.evidence import Rounding
from clusters.engine.plugins.image_locality import ImageSize
from clusters.engine.plugins.node_resources_balanced_allocation import ResourceFraction
from clusters.engine.plugins.node_resources_fit import (
    PODS,
    LeastAllocated,
    MostAllocated,
    RequestedToCapacityRatio,
    ResourceComparison,
    ResourceScore,
    Strategy,
)
from clusters.wording.amounts import BINARY_UNITS, at_least, decimal as ratio, percent, quantity
from clusters.wording.evidence import (
    EvidenceView,
    FactView,
    ScoreView,
    bytes_fact,
    comparison_view,
    count_fact,
    decimal,
    precision,
    resource_amounts,
    resource_fact,
    rounded,
    words_score,
)
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Sequence


@comparison_view.register(ResourceComparison)
def resource(compared: ResourceComparison) -> EvidenceView:
    """Word what is requested of a resource and what there is of it."""
    name = compared.resource
    facts = [
        resource_fact(_("request"), name, compared.requested),
        resource_fact(_("allocatable"), name, compared.allocatable),
        resource_fact(_("requested"), name, compared.used),
    ]
    terms = [compared.requested, compared.allocatable, compared.used]
    formula = _("request ≤ allocatable − requested")
    if compared.nominated:
        facts.append(resource_fact(_("requested by nominated pods"), name, compared.reserved))
        facts += [FactView(_("nominated for this node"), each.pod) for each in compared.nominated]
        terms.append(compared.reserved)
        formula = _("request ≤ allocatable − requested − requested by nominated pods")
    if compared.holds:
        facts.append(resource_fact(_("left"), name, compared.free - compared.requested))
    else:
        facts.append(resource_fact(_("missing"), name, compared.missing))
    request, *others = (quantity(name, number) for number in terms)
    return EvidenceView(
        label=name,
        facts=tuple(facts),
        holds=compared.holds,
        formula=formula,
        worked=f"{request} ≤ {' − '.join(others)}",
        missing="" if compared.holds else _insufficient(compared),
    )


def _insufficient(compared: ResourceComparison) -> str:
    name = compared.resource
    if name == PODS:
        return _("node pod limit of %(limit)s reached") % {"limit": quantity(name, compared.allocatable)}
    missing = at_least(name, compared.missing)
    if not compared.nominated:
        return _("insufficient %(resource)s: %(missing)s missing") % {"resource": name, "missing": missing}
    return _("insufficient %(resource)s: %(missing)s missing (%(reserved)s requested by %(pods)s, nominated here)") % {
        "resource": name,
        "missing": missing,
        "reserved": quantity(name, compared.reserved),
        "pods": listed([each.pod for each in compared.nominated]),
    }


@words_score(ResourceScore)
def resource_scores(parts: Sequence[ResourceScore], raw: int) -> ScoreView:
    """Word how full a node would be, resource by resource, and their mean."""
    views = tuple(
        EvidenceView(
            label=part.resource,
            facts=(
                resource_fact(_("requested with this pod"), part.resource, part.requested),
                resource_fact(_("allocatable"), part.resource, part.allocatable),
                *_shape(part.strategy),
                count_fact(_("resource score"), part.score),
                count_fact(_("weight"), part.weight),
            ),
            formula=_formula(part.strategy),
            worked=_worked(part),
        )
        for part in parts
    )
    return ScoreView(views, (_mean(parts, raw),))


def _formula(strategy: Strategy) -> str:
    match strategy:
        case LeastAllocated():
            return _("⌊100 × (allocatable − requested with this pod) ÷ allocatable⌋")
        case MostAllocated():
            return _("⌊100 × requested with this pod ÷ allocatable⌋")
        case RequestedToCapacityRatio():
            return _("shape(⌊100 × requested with this pod ÷ allocatable⌋)")


def _shape(strategy: Strategy) -> tuple[FactView, ...]:
    """Show the points of a shape."""
    if not isinstance(strategy, RequestedToCapacityRatio):
        return ()
    points = ", ".join(f"{percent(point.utilisation, 100)} → {point.score}" for point in strategy.shape)
    return (FactView(_("shape"), points),)


def _worked(part: ResourceScore) -> str:
    requested, allocatable, score = part.requested, part.allocatable, part.score
    is_overcommitted = requested > allocatable
    match part.strategy:
        case RequestedToCapacityRatio() if is_overcommitted:
            return _("shape(100) = %(score)s") % {"score": score}
        case RequestedToCapacityRatio():
            use = 100 * requested // allocatable
            some, all_of_it = resource_amounts(
                part.resource, (requested, allocatable), lambda both: floor(100 * both[0] / both[1]) == use
            )
            return _("shape(⌊100 × %(requested)s ÷ %(allocatable)s⌋) = shape(%(use)s) = %(score)s") % {
                "requested": some,
                "allocatable": all_of_it,
                "use": use,
                "score": score,
            }
        case _ if is_overcommitted:
            # The most counts as full, the least as nothing.
            return f"{score}"
        case MostAllocated():
            some, all_of_it = resource_amounts(
                part.resource, (requested, allocatable), lambda both: floor(100 * both[0] / both[1]) == score
            )
            return f"⌊100 × {some} ÷ {all_of_it}⌋ = {score}"
        case LeastAllocated():
            some, all_of_it = resource_amounts(
                part.resource,
                (requested, allocatable),
                lambda both: floor(100 * (both[1] - both[0]) / both[1]) == score,
            )
            return f"⌊100 × ({all_of_it} − {some}) ÷ {all_of_it}⌋ = {score}"


def _mean(parts: Sequence[ResourceScore], raw: int) -> str:
    """Write the mean of the resources that count; a shape leaves out those that score 0."""
    strategy = parts[0].strategy
    counted = [part for part in parts if part.score > 0 or not isinstance(strategy, RequestedToCapacityRatio)]
    if not counted:
        return f"0 = {raw}"
    total = " + ".join(f"{part.score} × {part.weight}" for part in counted)
    weights = " + ".join(f"{part.weight}" for part in counted)
    mean = f"({total}) ÷ ({weights})" if len(counted) > 1 else f"{total} ÷ {weights}"
    return f"round({mean}) = {raw}" if strategy.rounding is Rounding.NEAREST else f"⌊{mean}⌋ = {raw}"


@words_score(ResourceFraction)
def resource_fractions(parts: Sequence[ResourceFraction], raw: int) -> ScoreView:
    """Word how far apart the fractions of the resources are that would be requested, and that are requested now."""
    exact = [min(Fraction(1), Fraction(part.requested, part.allocatable)) for part in parts]
    change = parts[0].change
    target = raw if change is None else change.balance
    decimals = precision(lambda some: floor(100 * (1 - _deviation(exact, some)[0])) == target)
    deviation, lines = _deviation(exact, decimals)
    views = tuple(
        EvidenceView(
            label=part.resource,
            facts=(
                resource_fact(_("requested with this pod"), part.resource, part.requested),
                *(() if part.change is None else (resource_fact(_("requested now"), part.resource, part.change.used),)),
                resource_fact(_("allocatable"), part.resource, part.allocatable),
                FactView(_("fraction"), ratio(part.fraction)),
            ),
            formula=_("requested with this pod ÷ allocatable"),
            worked=_share(part, rounded(value, decimals), decimals),
        )
        for part, value in zip(parts, exact, strict=True)
    )
    told = f"⌊100 × (1 − {decimal(deviation, decimals + 1)})⌋ = {target}"
    if change is None:
        return ScoreView(views, (*lines, told))
    both = _("balance with this pod %(with)s, without %(without)s") % {
        "with": change.balance,
        "without": change.balance_before,
    }
    worked = f"50 + ⌊(50 + {change.balance} − {change.balance_before}) ÷ 2⌋ = {raw}"
    return ScoreView(views, (*lines, told, both, worked))


def _share(part: ResourceFraction, value: Fraction, decimals: int) -> str:
    if part.requested > part.allocatable:
        return _("%(fraction)s, as requests exceed allocatable") % {"fraction": decimal(value, decimals)}
    some, all_of_it = resource_amounts(
        part.resource,
        (part.requested, part.allocatable),
        lambda both: rounded(both[0] / both[1], decimals) == value,
    )
    return f"{some} ÷ {all_of_it} = {decimal(value, decimals)}"


def _deviation(exact: Sequence[Fraction], decimals: int) -> tuple[Fraction, tuple[str, ...]]:
    """The standard deviation as it is written down, and the lines that lead to it."""
    if len(exact) < 2:
        return Fraction(0), ()
    fractions = [rounded(value, decimals) for value in exact]
    texts = [decimal(value, decimals) for value in exact]
    if len(exact) == 2:
        deviation = abs(fractions[0] - fractions[1]) / 2
        return deviation, (f"|{texts[0]} − {texts[1]}| ÷ 2 = {decimal(deviation, decimals + 1)}",)
    mean = rounded(Fraction(sum(fractions)) / len(exact), decimals)
    variance = Fraction(sum((value - mean) ** 2 for value in fractions)) / len(exact)
    deviation = rounded(Fraction(float(variance) ** 0.5), decimals)
    squares = " + ".join(f"({text} − {decimal(mean, decimals)})²" for text in texts)
    return deviation, (
        f"({' + '.join(texts)}) ÷ {len(exact)} = {decimal(mean, decimals)}",
        f"√(({squares}) ÷ {len(exact)}) = {decimal(deviation, decimals)}",
    )


_MEBI = 2


@words_score(ImageSize)
def image_sizes(parts: Sequence[ImageSize], raw: int) -> ScoreView:
    """Word the images that a node has: the sum of their sizes, between two thresholds."""
    least, most = parts[0].minimum_bytes, parts[0].maximum_bytes
    counted = [part.counted_bytes for part in parts]
    total, span = sum(counted), Fraction(most - least, 1024**_MEBI)
    within = min(max(total, least), most)
    decimals = precision(lambda some: floor(100 * rounded(Fraction(within - least, 1024**_MEBI), some) / span) == raw)
    low, high, between = (_mebibytes(count, decimals) for count in (least, most, within))
    lines = []
    if len(parts) > 1:
        lines.append(f"{' + '.join(_mebibytes(each, decimals) for each in counted)} = {_mebibytes(total, decimals)}")
    if total < least:
        lines.append(_("Less than %(least)s counts as %(least)s.") % {"least": low})
    if total > most:
        lines.append(_("More than %(most)s counts as %(most)s.") % {"most": high})
    lines.append(f"⌊100 × ({between} − {low}) ÷ ({high} − {low})⌋ = {raw}")
    return ScoreView(tuple(_image(part, decimals) for part in parts), tuple(lines))


def _image(part: ImageSize, decimals: int) -> EvidenceView:
    size, counted = _mebibytes(part.size_bytes, decimals), _mebibytes(part.counted_bytes, decimals)
    return EvidenceView(
        label=part.image,
        facts=(
            bytes_fact(_("size on this node"), part.size_bytes),
            count_fact(_("nodes with it"), part.nodes_with_image),
            count_fact(_("nodes"), part.nodes),
            bytes_fact(_("counts as"), part.counted_bytes),
        ),
        formula=_("size on this node × nodes with it ÷ nodes"),
        worked=f"{size} × {part.nodes_with_image} ÷ {part.nodes} = {counted}",
    )


def _mebibytes(count: int, decimals: int) -> str:
    return f"{decimal(Fraction(count, 1024**_MEBI), decimals)} {BINARY_UNITS[_MEBI]}"
