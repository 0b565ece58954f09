"""Edits as text, as an address holds them: made and read here alone.

``kind`` or ``kind:content``; the content is what the edit concerns: a label, a taint, a digest of an entry of a list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from clusters.engine.matching.taints import Taint
from clusters.engine.objects import HostPort
from clusters.engine.relaxing.edits import (
    AdjustSpread,
    EntryEdit,
    RemoveGates,
    RemoveHostPort,
    RemoveHostPorts,
    RemoveNodeAffinity,
    RemoveNodeName,
    RemoveNodeRequirement,
    RemoveNodeSelector,
    RemovePodAffinity,
    RemovePodAntiAffinity,
    RemoveSelectorLabel,
    RemoveSpread,
    SetPriorityClass,
    Tolerate,
    TolerateEverything,
)
from clusters.engine.relaxing.request_edits import DoubleRequests, HalveRequests, LowerRequest
from clusters.engine.resources.requests import CPU

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.engine.relaxing.edits import Edit

_LABEL_NAME: Final = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_DOMAIN: Final = r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?"
_KEY: Final = rf"(?:{_DOMAIN}/)?{_LABEL_NAME}"
_DIGEST: Final = r"(?P<entry>[0-9a-f]{12})"

_WHOLE: Final[dict[str, type[Edit]]] = {
    each.kind: each
    for each in (
        DoubleRequests,
        HalveRequests,
        RemoveGates,
        RemoveHostPorts,
        RemoveNodeAffinity,
        RemoveNodeName,
        RemoveNodeSelector,
        RemovePodAffinity,
        RemovePodAntiAffinity,
        RemoveSpread,
        TolerateEverything,
    )
}
"""The edits that need no content: there is one of each, or they concern all of a list."""


def _lower_request(match: re.Match[str]) -> Edit | None:
    """Read an amount in base units, of CPU in CPUs or thousandths of one."""
    resource, amount, milli = match["resource"], int(match["amount"]), bool(match["milli"])
    if resource == CPU:
        return LowerRequest(resource, amount if milli else amount * 1000)
    return None if milli else LowerRequest(resource, amount)


def _adjust_spread(match: re.Match[str]) -> Edit:
    if match["field"]:
        return AdjustSpread(match["entry"], match["field"], int(match["number"]))
    return AdjustSpread(match["entry"], match["policy"], "Honor")


_OF_CONTENT: Final[dict[str, tuple[str, Callable[[re.Match[str]], Edit | None]]]] = {
    LowerRequest.kind: (
        rf"(?P<resource>{_KEY})=(?P<amount>[0-9]{{1,25}})(?P<milli>m?)",
        _lower_request,
    ),
    AdjustSpread.kind: (
        rf"{_DIGEST}/(?:(?P<policy>node(?:Taints|Affinity)Policy)=Honor|(?P<field>maxSkew|minDomains)=(?P<number>[1-9][0-9]{{0,9}}))",
        _adjust_spread,
    ),
    RemoveHostPort.kind: (
        r"(?P<ip>[0-9A-Fa-f.:]{2,45}):(?P<port>[0-9]{1,5})/(?P<protocol>[A-Z]{1,8})",
        lambda match: RemoveHostPort(HostPort(match["ip"], match["protocol"], int(match["port"]))),
    ),
    RemoveNodeRequirement.kind: (_DIGEST, lambda match: RemoveNodeRequirement(match["entry"])),
    RemovePodAffinity.kind: (_DIGEST, lambda match: RemovePodAffinity(match["entry"])),
    RemovePodAntiAffinity.kind: (_DIGEST, lambda match: RemovePodAntiAffinity(match["entry"])),
    RemoveSelectorLabel.kind: (
        rf"(?P<key>{_KEY})=(?P<value>(?:{_LABEL_NAME})?)",
        lambda match: RemoveSelectorLabel(match["key"], match["value"]),
    ),
    RemoveSpread.kind: (_DIGEST, lambda match: RemoveSpread(match["entry"])),
    SetPriorityClass.kind: (rf"(?P<name>{_DOMAIN})", lambda match: SetPriorityClass(match["name"])),
    Tolerate.kind: (
        rf"(?P<key>{_KEY})(?:=(?P<value>{_LABEL_NAME}))?:(?P<effect>NoSchedule|NoExecute|PreferNoSchedule)",
        lambda match: Tolerate(Taint(match["key"], match["value"] or "", match["effect"])),
    ),
}
"""By kind what may stand after the colon, and the edit that it means."""


def text_of(edit: Edit) -> str:
    """Return what stands for an edit in an address."""
    content = _content(edit)
    return f"{edit.kind}:{content}" if content else edit.kind


def _content(edit: Edit) -> str:
    match edit:
        case AdjustSpread():
            return f"{edit.entry}/{edit.field}={edit.value}"
        case EntryEdit():
            return edit.entry or ""
        case LowerRequest():
            return f"{edit.resource}={edit.amount}{'m' if edit.resource == CPU else ''}"
        case RemoveHostPort():
            return str(edit.port)
        case RemoveSelectorLabel():
            return f"{edit.key}={edit.value}"
        case SetPriorityClass():
            return edit.name
        case Tolerate():
            return str(edit.taint)
        case _:
            return ""


def edit_of(text: str) -> Edit | None:
    """Return the edit that a text stands for; None where it stands for none."""
    kind, colon, content = text.partition(":")
    if not colon:
        return _WHOLE[kind]() if kind in _WHOLE else None
    pattern, edit = _OF_CONTENT.get(kind, ("", None))
    match = re.fullmatch(pattern, content)
    return None if match is None or edit is None else edit(match)
