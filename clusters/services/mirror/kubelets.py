"""Kubelets' configurations that a dump brought along, for a node by name or for all nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.adapters.bad_input import BadInput
from clusters.adapters.prune import EVERY_NODE
from clusters.engine import ConfigurationError
from clusters.engine.kubelet.settings import KIND, KubeletSettings, SettingsOrigin
from clusters.models import KubeObject

if TYPE_CHECKING:
    from clusters.models import Cluster


def mirrored_kubelet(
    *, cluster: Cluster, node: str, is_windows: bool = False
) -> tuple[KubeletSettings, SettingsOrigin] | None:
    """Return what the kubelet of a node does by a mirrored configuration; None where there is none.

    One that names the node goes before one for all nodes. Raises BadInput where a kubelet would not start with it.
    """
    rows = KubeObject.objects.filter(cluster=cluster, kind=KIND, name__in=(node, EVERY_NODE))
    found = dict(rows.values_list("name", "object"))
    for name, origin in ((node, SettingsOrigin.NODE), (EVERY_NODE, SettingsOrigin.EVERY_NODE)):
        if name in found:
            given = {field: value for field, value in found[name].items() if field != "metadata"}
            try:
                return KubeletSettings.from_dict(given, is_windows=is_windows), origin
            except ConfigurationError as error:
                raise BadInput(error.problem, field=error.path) from None
    return None
