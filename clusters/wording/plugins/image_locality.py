"""How Berth speaks of ImageLocality."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.image_locality import ImageSize
from clusters.wording.amounts import BINARY_UNITS
from clusters.wording.evidence.exact import decimal, precision, rounded
from clusters.wording.evidence.registry import words_score
from clusters.wording.evidence.values import bytes_fact, count_fact
from clusters.wording.evidence.views import EvidenceView, ScoreView
from clusters.wording.plugins.plugin_wording import PluginWording

if TYPE_CHECKING:
    from collections.abc import Sequence


class Wording(PluginWording):
    """Words for ImageLocality."""

    def decides(self) -> str:
        return _("prefers nodes that have the pod's images")


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
