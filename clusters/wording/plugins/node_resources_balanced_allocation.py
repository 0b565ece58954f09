"""How Berth speaks of NodeResourcesBalancedAllocation."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_resources_balanced_allocation import ResourceFraction
from clusters.wording.amounts import decimal as ratio
from clusters.wording.evidence.exact import decimal, precision, resource_amounts, rounded
from clusters.wording.evidence.registry import words_score
from clusters.wording.evidence.values import resource_fact
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView
from clusters.wording.plugins.plugin_wording import PluginWording

if TYPE_CHECKING:
    from collections.abc import Sequence


class Wording(PluginWording):
    """Words for NodeResourcesBalancedAllocation."""

    def decides(self) -> str:
        return _("prefers nodes whose resources would be used evenly")

    def nothing_to_score(self) -> str:
        return _("Does not score: the pod requests none of the resources that are balanced.")

    def argument(self, field: str) -> str:
        return _("resources that should be used evenly") if field == "resources" else ""


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
    both = _("balance with this pod %(with)s, without it %(without)s") % {
        "with": change.balance,
        "without": change.balance_before,
    }
    worked = f"50 + ⌊(50 + {change.balance} − {change.balance_before}) ÷ 2⌋ = {raw}"
    return ScoreView(views, (*lines, told, both, worked))


def _share(part: ResourceFraction, value: Fraction, decimals: int) -> str:
    if part.requested > part.allocatable:
        return _("%(fraction)s, as more is requested than is allocatable") % {"fraction": decimal(value, decimals)}
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
