"""Typed reading of environment variables; every error names the variable, what it holds and what would be right.

An empty variable counts as unset, because that is what `NAME=` in an env file means to the person who wrote it.
"""

from __future__ import annotations

import ipaddress
import os
import re
import zoneinfo
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
_DATABASES = frozenset({"sqlite", "postgres", "postgresql"})


class SettingError(ImproperlyConfigured):
    """A setting cannot be used; the message is for the person who set it."""


def text(name: str, default: str = "") -> str:
    """Return the variable without surrounding blanks, or the default."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    """Return the variable as a truth value."""
    value = text(name).lower()
    if not value:
        return default
    if value in _TRUE or value in _FALSE:
        return value in _TRUE
    raise SettingError(f"{name} is {value!r}, which is neither yes nor no. Set it to 1 or 0, or unset it.")


def whole(name: str, default: int, *, least: int, most: int) -> int:
    """Return the variable as a whole number within [least, most]."""
    value = text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        number = None
    if number is None or not least <= number <= most:
        raise SettingError(
            f"{name} is {value!r}. Set it to a whole number from {least} to {most}, or unset it for {default}."
        )
    return number


def words(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Return the variable's comma-separated entries."""
    return [word.strip() for word in text(name).split(",") if word.strip()] or list(default)


def hosts(name: str, default: tuple[str, ...]) -> list[str]:
    """Return the variable's comma-separated host names; one that stands for every name is refused."""
    found = words(name, default)
    if "*" in found:
        raise SettingError(
            f"{name} holds '*', under which any page could make a browser ask for what is Berth's. "
            "Name the hosts: berth.example.org, or .example.org for all below it."
        )
    return found


def choice(name: str, default: str, *, among: tuple[str, ...]) -> str:
    """Return the variable as one of the given words, whatever its case."""
    value = text(name, default).upper()
    if value not in among:
        raise SettingError(f"{name} is {value!r}. Set it to one of {', '.join(among)}, or unset it.")
    return value


def folder(name: str, default: Path) -> Path:
    """Return the variable as an absolute path; `~` is the home directory."""
    value = text(name)
    path = Path(value).expanduser() if value else default
    if path.exists() and not path.is_dir():
        raise SettingError(f"{name} is {str(path)!r}, which is a file. Set it to a directory, or unset it.")
    return path.resolve()


def places(name: str, default: tuple[str, ...]) -> list[Path]:
    """Return the variable's comma-separated entries as absolute paths; `~` is the home directory."""
    return [Path(word).expanduser().absolute() for word in words(name, default)]


def is_loopback(host: str) -> bool:
    """Tell whether a name or address leads to this machine alone."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def origin(name: str) -> str:
    """Return the variable as `scheme://host[:port]` without a path, or an empty string."""
    value = text(name).rstrip("/")
    if value and not _is_origin(value):
        raise SettingError(
            f"{name} is {value!r}. Set it to the address people open, without a path: https://berth.example.org"
        )
    return value


def _is_origin(value: str) -> bool:
    scheme = value.partition("://")[0]
    try:
        parts = urlsplit(value)
        is_bare = value == f"{scheme}://{parts.netloc}" and "@" not in parts.netloc
        return scheme in {"http", "https"} and is_bare and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def issuer(name: str) -> str:
    """Return the variable as an identity provider's issuer, exactly as it is written: tokens are compared with it."""
    value = text(name)
    parts = urlsplit(value) if _is_address(value) else None
    if value and (parts is None or not (parts.scheme == "https" or is_loopback(parts.hostname or ""))):
        raise SettingError(
            f"{name} cannot be used. Set it to the provider's issuer, which begins with https://, as its "
            "/.well-known/openid-configuration has it: https://login.example.org/realms/staff"
        )
    return value


def together(*names: str) -> None:
    """Refuse variables of which some are set and others are not."""
    missing = [name for name in names if not text(name)]
    if missing and len(missing) < len(names):
        given = next(name for name in names if name not in missing)
        raise SettingError(f"{given} is set, and {' and '.join(missing)} not. Set all of them, or none.")


def header(name: str) -> str:
    """Return the variable as the name of an HTTP header; one with an underscore could be taken for another."""
    value = text(name)
    if not re.fullmatch(r"[A-Za-z0-9-]*", value):
        raise SettingError(f"{name} is {value!r}. Set it to the name of a header, such as X-Forwarded-User.")
    return value


def networks(name: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Return the variable's comma-separated entries as networks; an address is a network of one."""
    try:
        found = [ipaddress.ip_network(word) for word in words(name)]
    except ValueError as error:
        raise SettingError(
            f"{name} has an entry that cannot be used: {error}. Set it to addresses and networks: 10.0.0.7,10.1.0.0/16"
        ) from None
    if any(network.prefixlen == 0 for network in found):
        raise SettingError(f"{name} holds a network of all addresses, from which anybody could send the header.")
    return found


def path(name: str) -> str:
    """Return the variable as the path of an address of this host, or an empty string."""
    value = text(name)
    if value and not re.fullmatch(r"/([^/\\\s][^\\\s]*)?", value):
        raise SettingError(f"{name} is {value!r}. Set it to a path, such as /oauth2/sign_out.")
    return value


def check_sign_in(*, issuer: str, scopes: list[str], is_limited: bool, has_other_way: bool) -> None:
    """Refuse settings by which nobody could sign in, or everybody in the world."""
    if issuer and "openid" not in scopes:
        raise SettingError("BERTH_OIDC_SCOPES has no openid, without which nobody could sign in. Add it.")
    if issuer == "https://accounts.google.com" and not is_limited:
        raise SettingError(
            "BERTH_OIDC_ISSUER would let everybody in who has a Google account. "
            "Set BERTH_OIDC_ALLOWED_DOMAINS to those of yours."
        )
    if not issuer and not has_other_way:
        raise SettingError(
            "BERTH_SIGNIN_LINKS and BERTH_SIGNIN_PASSWORDS are off, and nobody could sign in. "
            "Turn one on, or set BERTH_OIDC_ISSUER or BERTH_PROXY_USER_HEADER."
        )


def addresses(name: str) -> dict[str, str]:
    """Return the variable's comma-separated entries, each the name of a cluster, `=` and an address without a query."""
    found = {}
    for entry in words(name):
        cluster, _, address = entry.partition("=")
        if not cluster.strip() or not _is_address(address.strip()):
            raise SettingError(
                f"{name} has an entry that cannot be used, for {cluster.strip()[:63]!r}. Write the name of a cluster, "
                "= and an address, several separated by commas: "
                "prod=http://prometheus.monitoring:9090"
            )
        found[cluster.strip()] = address.strip().rstrip("/")
    return found


def _is_address(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return (
            parts.scheme in {"http", "https"}
            and bool(parts.hostname)
            and parts.port != 0
            and "@" not in parts.netloc
            and not parts.query
            and not parts.fragment
        )
    except ValueError:
        return False


def time_zone(name: str, default: str) -> str:
    """Return the variable as the name of a time zone that this machine knows."""
    value = text(name, default)
    try:
        zoneinfo.ZoneInfo(value)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        raise SettingError(
            f"{name} is {value!r}, which is no time zone. Set it to one such as Europe/Berlin, or unset it."
        ) from None
    return value


def database(name: str, default: str, **options: Any) -> dict[str, Any]:
    """Return the variable's database address as Django takes it; an error does not repeat it, for its password."""
    value = text(name, default)
    try:
        if value.partition("://")[0] not in _DATABASES:
            raise ValueError
        return dict(dj_database_url.parse(value, **options))
    except ValueError:
        raise SettingError(
            f"{name} is no address of a database that Berth knows. Set it to "
            "postgres://user:password@host:port/name with special characters percent-encoded, or unset it for SQLite."
        ) from None


def redis(name: str, default: str) -> str:
    """Return the variable as the address of a Redis; an error does not repeat it, for its password."""
    value = text(name)
    if not value:
        return default
    # The client takes a tenth of a second to load, and most commands ask nothing of Redis.
    from redis.connection import parse_url

    try:
        parse_url(value)  # type: ignore[no-untyped-call]
    except ValueError:
        raise SettingError(
            f"{name} is no address of a Redis. Set it to redis://host:port/0, rediss://host:port/0 or "
            "unix:///path/to/socket, or unset it for a private one."
        ) from None
    return value
