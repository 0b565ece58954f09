"""The pods of a node that exceed a limit for ephemeral storage, as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.kubelet import storage_excesses
from clusters.wording.amounts import size
from clusters.wording.nodes import disks as words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.kubelet import FilesystemLayout
    from clusters.engine.objects import Document
    from clusters.services.usage.history import DiskSample


@dataclass(frozen=True, slots=True)
class ExcessRow:
    """A pod that exceeds a limit; `holder` is what of it does, `outcome` what the kubelet does."""

    namespace: str
    name: str
    holder: str
    used: str
    limit: str
    outcome: str


@dataclass(frozen=True, slots=True)
class ExcessesView:
    """Whom the kubelet evicts for what they have on disks, as far as that is known."""

    sentence: str
    rows: tuple[ExcessRow, ...]


def excesses_view(
    node: str, pods: Iterable[Document], sample: DiskSample | None, layout: FilesystemLayout
) -> ExcessesView:
    """Present the pods above their limits; without a sample say what is needed to know them."""
    if sample is None:
        return ExcessesView(words.GIVE_SUMMARY(node=node), ())
    found = storage_excesses(pods, sample.disks, layout)
    rows = []
    for each in found:
        namespace, _, name = each.pod.partition("/")
        outcome = words.SPARED if each.is_spared else words.EVICTED
        rows.append(ExcessRow(namespace, name, words.holder(each), size(each.used), size(each.limit), str(outcome)))
    return ExcessesView(words.excesses(len(found), sum(each.is_spared for each in found)), tuple(rows))
