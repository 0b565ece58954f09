"""Which scheduler extenders may be asked: only those whose host the administrator lists."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from django.conf import settings


def listed_address(address: str) -> str:
    """Return an extender's address without user, password, query and fragment; empty unless its host is listed.

    An entry of the setting is a host, whose every port is meant, or a host with a port.
    """
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    implied = port or {"http": 80, "https": 443}[parts.scheme]
    name = f"[{host}]" if ":" in host else host
    entries = {entry.lower() for entry in settings.BERTH_EXTENDER_HOSTS}
    if not {host, name, f"{name}:{implied}"} & entries:
        return ""
    place = name if port is None else f"{name}:{port}"
    return urlunsplit((parts.scheme, place, parts.path, "", ""))
