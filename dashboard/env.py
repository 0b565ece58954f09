"""Typed reading of environment variables; every error names the variable, what it holds and what would be right.

An empty variable counts as unset, because that is what `NAME=` in an env file means to the person who wrote it.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})


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
    raise ImproperlyConfigured(f"{name} is {value!r}, which is neither yes nor no. Set it to 1 or 0, or unset it.")


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
        raise ImproperlyConfigured(
            f"{name} is {value!r}. Set it to a whole number from {least} to {most}, or unset it for {default}."
        )
    return number


def words(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Return the variable's comma-separated entries."""
    return [word.strip() for word in text(name).split(",") if word.strip()] or list(default)


def choice(name: str, default: str, *, among: tuple[str, ...]) -> str:
    """Return the variable as one of the given words, whatever its case."""
    value = text(name, default).upper()
    if value not in among:
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to one of {', '.join(among)}, or unset it.")
    return value


def folder(name: str, default: Path) -> Path:
    """Return the variable as an absolute path; `~` is the home directory."""
    value = text(name)
    path = Path(value).expanduser() if value else default
    if path.exists() and not path.is_dir():
        raise ImproperlyConfigured(f"{name} is {str(path)!r}, which is a file. Set it to a directory, or unset it.")
    return path.resolve()


def places(name: str, default: tuple[str, ...]) -> list[Path]:
    """Return the variable's comma-separated entries as absolute paths; `~` is the home directory."""
    return [Path(word).expanduser().absolute() for word in words(name, default)]


def origin(name: str) -> str:
    """Return the variable as `scheme://host[:port]` without a path, or an empty string."""
    value = text(name).rstrip("/")
    scheme, _, rest = value.partition("://")
    if value and (scheme not in {"http", "https"} or not rest or "/" in rest or "@" in rest):
        raise ImproperlyConfigured(
            f"{name} is {value!r}. Set it to the address people open, without a path: https://berth.example.org"
        )
    return value
