"""A spread group as a picture: its domains as columns of pods, or, where they are many, counted by their pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.wording import columns as heads
from clusters.wording.amounts import grouped
from clusters.wording.spread import domains as domain_words
from clusters.wording.spread import picture as words
from clusters.wording.spread.keys import counted_domains, domain_name, domains_name
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import DomainBin, DomainColumn, DomainHistogramSpec, DomainsSpec, Key
from dashboard.presenters.spread import groups

if TYPE_CHECKING:
    from clusters.engine.spreading import DomainCount, SpreadGroup
    from clusters.engine.status import Mask

# More domains than these are counted by their pods, in so many columns at most.
MOST_COLUMNS = 8
MOST_BINS = 12


def is_of_bins(group: SpreadGroup) -> bool:
    """Tell whether a group has too many domains for a column each."""
    return int(_drawn(group).sum()) > MOST_COLUMNS


def _drawn(group: SpreadGroup) -> Mask:
    """Tell which domains are drawn: of many those that do not count are left out, unless pods are in them."""
    every = np.ones(len(group.values), np.bool_)
    return every if len(every) <= MOST_COLUMNS else group.eligibility.exists | (group.counts > 0)


def figure(group: SpreadGroup, *, name: str, with_numbers: bool) -> Figure | None:
    """Draw a group; ``name`` is unique on its page. A group without any domain to draw has no picture."""
    drawn, key = _drawn(group), group.constraint.topology_key
    if not drawn.any():
        return None
    spec: DomainsSpec | DomainHistogramSpec
    of_bins = is_of_bins(group)
    spec, rows = _histogram(group, drawn) if of_bins else _columns(group, drawn)
    first = words.AXIS(domain=domain_name(key)) if of_bins else domain_name(key)
    second = domains_name(key) if of_bins else str(heads.PODS)
    said = [domain_words.scale(minimum=group.minimum, max_skew=group.constraint.max_skew)]
    if hidden := len(drawn) - int(drawn.sum()):
        said.append(words.NOT_DRAWN(domains=counted_domains(key, hidden), number=hidden))
    return Figure(
        id=name,
        title=f"{groups.group_name(group)}: {words.TITLE}",
        summary=" ".join(said),
        spec=spec,
        columns=(first, second, str(words.NEXT_POD)) if with_numbers else (),
        rows=rows if with_numbers else (),
    )


def _columns(group: SpreadGroup, drawn: Mask) -> tuple[DomainsSpec, list[tuple[str, str, str]]]:
    # Zones stay in the order of their names on every page, whatever they hold.
    shown = {value for value, is_drawn in zip(group.values, drawn.tolist(), strict=True) if is_drawn}
    domains = sorted((each for each in group.domains() if each.value in shown), key=lambda each: each.value)
    within = dict(zip(group.values, group.within.tolist(), strict=True))
    said = [_next_pod(group, each.is_eligible, within[each.value]) for each in domains]
    spec = DomainsSpec(
        keys=(
            Key(str(words.PODS), "verdict-chosen-solid"),
            Key(str(words.OVER), "verdict-rejected-solid", "x"),
            Key(str(words.NOT_COUNTED), "verdict-unknown-solid", "/"),
            Key(str(words.NEXT_ALLOWED if group.blocks else words.NEXT_WITHIN), "verdict-fits-surface"),
        ),
        columns=tuple(
            DomainColumn(
                label=_value(each),
                pods=each.pods,
                counts=each.is_eligible,
                is_open=within[each.value],
                text=words.COLUMN(domain=_value(each), pods=each.pods, next_pod=next_pod),
            )
            for each, next_pod in zip(domains, said, strict=True)
        ),
        floor=group.minimum,
        ceiling=group.minimum + group.constraint.max_skew,
        floor_text=words.FLOOR(pods=group.minimum),
        ceiling_text=words.CEILING(pods=group.minimum + group.constraint.max_skew),
    )
    return spec, [(_value(each), grouped(each.pods), next_pod) for each, next_pod in zip(domains, said, strict=True)]


def _value(domain: DomainCount) -> str:
    return domain.value or str(domain_words.EMPTY_VALUE)


def _next_pod(group: SpreadGroup, is_eligible: bool, is_within: bool) -> str:
    if not is_eligible:
        return str(words.DOMAIN_NOT_COUNTED)
    allowed, rejected = (
        (words.NEXT_ALLOWED, words.DOMAIN_NOT_ALLOWED) if group.blocks else (words.NEXT_WITHIN, words.DOMAIN_EXCEEDS)
    )
    return str(allowed if is_within else rejected)


def _histogram(group: SpreadGroup, drawn: Mask) -> tuple[DomainHistogramSpec, list[tuple[str, str, str]]]:
    key, counts = group.constraint.topology_key, group.counts
    exists, within = group.eligibility.exists, group.within
    step = int(counts.max(initial=0)) // MOST_BINS + 1
    size = int(counts.max(initial=0)) // step + 1
    kinds = [np.bincount(counts[mask] // step, minlength=size) for mask in (within, exists & ~within, drawn & ~exists)]
    words_of = [
        _next_pod(group, exists_, within_) for exists_, within_ in ((True, True), (True, False), (False, False))
    ]
    bins, rows = [], []
    for place in range(size):
        held = tuple(int(each[place]) for each in kinds)
        label = words.pods_range(place * step, place * step + step - 1)
        text = words.SOME_DOMAINS(pods=label, domains=counted_domains(key, sum(held)))
        bins.append(DomainBin(label, held, text))
        rows += [(label, grouped(each), said) for each, said in zip(held, words_of, strict=True) if each]
    floor, ceiling = group.minimum, group.minimum + group.constraint.max_skew
    return DomainHistogramSpec(
        axis=words.BINS_AXIS(domain=domain_name(key), domains=domains_name(key)),
        keys=(
            Key(words_of[0], "verdict-fits-solid"),
            Key(words_of[1], "verdict-rejected-solid", "x"),
            Key(words_of[2], "verdict-unknown-solid", "/"),
        ),
        bins=tuple(bins),
        floor_at=floor / step,
        # Up to the ceiling a domain is within maxSkew, so the line stands behind its column.
        ceiling_at=(ceiling + 1) / step if ceiling < size * step else None,
        floor_text=words.FLOOR(pods=floor),
        ceiling_text=words.CEILING(pods=ceiling),
    ), rows
