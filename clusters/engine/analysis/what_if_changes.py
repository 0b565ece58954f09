"""Changes to a pod that need no YAML: what an address may name, and which of them a page offers.

Each is an edit of the manifest and is named by the content that it concerns; an address holds that name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.relaxing.edits import EDITS, Edit, digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation

_MOST_CLASSES: Final = 3
_MOST_TAINTS: Final = 4
_LABEL_NAME: Final = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_DOMAIN: Final = r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?"
_KEY: Final = rf"(?:{_DOMAIN}/)?{_LABEL_NAME}"
_DIGEST: Final = "[0-9a-f]{12}"
# What may stand after the colon; a change that is not here is of the one thing of its kind and has nothing there.
_ABOUT: Final = {
    "ask": rf"{_KEY}=[0-9]{{1,25}}m?",
    "no-host-port": r"[0-9A-Fa-f.:]{2,45}:[0-9]{1,5}/[A-Z]{1,8}",
    "no-node-requirement": _DIGEST,
    "no-pod-affinity": f"(?:{_DIGEST})?",
    "no-pod-anti-affinity": f"(?:{_DIGEST})?",
    "no-selector": rf"{_KEY}=(?:{_LABEL_NAME})?",
    "no-spread": f"(?:{_DIGEST})?",
    "priority": _DOMAIN,
    "tolerate": rf"{_KEY}(?:={_LABEL_NAME})?:(?:NoSchedule|NoExecute|PreferNoSchedule)",
}


def name_of(edit: Edit) -> str:
    """Return what stands for a change in an address."""
    return f"{edit.kind}:{edit.about}" if edit.about else edit.kind


def change_named(name: str) -> Edit | None:
    """Return the change of a name; None where there is none such, or none of what it names."""
    kind, _, about = name.partition(":")
    if kind not in EDITS or re.fullmatch(_ABOUT.get(kind, ""), about) is None:
        return None
    return Edit(kind, about)


def offered(document: dict[str, Any], explanation: Explanation) -> Iterator[Edit]:
    """Yield the changes that would change something about a pod as the explanation found it, the gentlest first."""
    spec = document.get("spec") or {}
    for change in _by_field(spec):
        if change.apply(document) != document:
            yield change
    classes = sorted(
        (int(each.get("value") or 0), str((each.get("metadata") or {}).get("name")))
        for each in explanation.snapshot.objects("PriorityClass")
    )
    higher = [name for value, name in classes if value > explanation.pod.priority and not name.startswith("system-")]
    yield from (Edit("priority", name) for name in higher[-_MOST_CLASSES:])
    yield from _tolerations(explanation)


def _by_field(spec: dict[str, Any]) -> Iterator[Edit]:
    yield Edit("no-gates")
    yield Edit("no-node-selector")
    yield Edit("no-node-affinity")
    names = dict.fromkeys(digest(each) for each in spec.get("topologySpreadConstraints") or ())
    yield from (Edit("no-spread", name) for name in names)
    yield Edit("no-pod-affinity")
    yield Edit("no-pod-anti-affinity")
    yield Edit("no-host-ports")
    yield Edit("halve-requests")
    yield Edit("double-requests")


def _tolerations(explanation: Explanation) -> list[Edit]:
    plugin = explanation.cycle.plugins.get("TaintToleration")
    if plugin is None or "TaintToleration" not in explanation.cycle.filters:
        return []
    edits = [constraint.edit for constraint in plugin.constraints()[:_MOST_TAINTS]]
    return [edit for edit in edits if edit is not None]
