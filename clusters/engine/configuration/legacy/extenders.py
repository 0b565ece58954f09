"""Extenders as a Policy writes them: field names in any case, and a timeout in nanoseconds.

Upstream: LegacyExtender in ``k8s.io/kube-scheduler/config/v1`` (``types.go``), v0.22.17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clusters.engine.configuration.extenders import EXTENDER_FIELDS, TLS_FIELDS
from clusters.engine.configuration.legacy.translation import LegacyNote

_TLS: Final = "tlsConfig"
_TIMEOUT: Final = "httpTimeout"
_IN_LOWER_CASE: Final = {name.lower(): name for name in (*EXTENDER_FIELDS, *TLS_FIELDS)}


def today_s_extender(extender: object) -> tuple[Any, tuple[LegacyNote, ...]]:
    """Return an extender of a Policy as v1 writes it; what is not of its form is left for the reader to refuse."""
    if not isinstance(extender, Mapping):
        return extender, ()
    named = _named(extender)
    if isinstance(named.get(_TLS), Mapping):
        named[_TLS] = _named(named[_TLS])
    timeout = named.get(_TIMEOUT)
    if type(timeout) is not int:
        return named, ()
    named[_TIMEOUT] = f"{timeout}ns" if timeout % 10**6 else f"{timeout // 10**6}ms"
    return named, (LegacyNote.NANOSECONDS,)


def _named(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {_IN_LOWER_CASE.get(str(name).lower(), str(name)): value for name, value in fields.items()}
