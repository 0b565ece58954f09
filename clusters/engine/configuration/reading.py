"""Reading a configuration file as strictly as kube-scheduler does, and the errors of what cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, Protocol

from clusters.engine.configuration.problems import NoScheduler
from clusters.engine.problems import (
    InvalidValue,
    NotABoolean,
    NotAList,
    NotAMap,
    NotAnInteger,
    NotAText,
    OutOfRange,
    PlacedError,
    UnknownField,
    shown,
)

# The version of a configuration file's API.

# The only version that kube-scheduler v1.34 to v1.37 serve (apis/config/scheme); ``legacy`` translates earlier ones.
API_VERSION: Final = "kubescheduler.config.k8s.io/v1"

# What can be wrong with a configuration, or with asking it for a profile.


class ConfigurationError(PlacedError):
    """A configuration that no kube-scheduler, or no kubelet, starts with: the field's path, and what is wrong."""


class UnknownScheduler(KeyError):  # noqa: N818 - it reads as the answer that it is
    """A pod names a scheduler that is no profile of the configuration."""

    def __init__(self, scheduler_name: str, known: Iterable[str]) -> None:
        self.scheduler_name = scheduler_name
        self.known = tuple(known)
        self.problem = NoScheduler(repr(scheduler_name), self.known)
        super().__init__(scheduler_name)

    def __str__(self) -> str:
        return repr(self.problem)


# Read a decoded JSON or YAML mapping as strictly as kube-scheduler does: known fields only, each of its own type.
#
# A field that is null counts as absent.

_DURATION_PART: Final = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)")
_SECONDS: Final = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "µs": Fraction(1, 10**6),
    "μs": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "m": Fraction(60),
    "h": Fraction(3600),
}
_MAX_DURATION: Final = Fraction(2**63 - 1, 10**9)


class Check(Protocol):
    """Reads one kind of field of ``fields`` and raises if it is of another type."""

    def __call__(self, fields: ConfigurationFields, name: str, /) -> object:
        """Read the field ``name``."""


class ConfigurationFields:
    """The fields of one mapping at ``path``."""

    def __init__(self, data: object, path: str, known: Iterable[str]) -> None:
        known = tuple(known)
        if data is None:
            data = {}
        if not isinstance(data, Mapping):
            raise ConfigurationError(path, NotAMap(_shown(data), known))
        self.path = path
        self._data: Mapping[str, Any] = data
        for name in data:
            if name not in known:
                raise ConfigurationError(self.at(str(name)), UnknownField(shown(name), known, _meant(str(name), known)))

    def at(self, name: str) -> str:
        """Return the path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._data.get(name) is not None

    def raw(self, name: str) -> Any:
        """Return the field as it is, None if absent."""
        return self._data.get(name)

    def text(self, name: str, default: str = "") -> str:
        """Return a text field."""
        value = self._data.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise ConfigurationError(self.at(name), NotAText(_shown(value)))
        return value

    def boolean(self, name: str) -> bool:
        """Return a field that is true or false; absent means false."""
        value = self._data.get(name)
        if value is not None and not isinstance(value, bool):
            raise ConfigurationError(self.at(name), NotABoolean(_shown(value)))
        return bool(value)

    def integer(self, name: str, default: int | None = None, *, bits: int = 32) -> int | None:
        """Return a signed integer field of so many bits."""
        value = self._data.get(name)
        if value is None:
            return default
        if type(value) is not int:
            raise ConfigurationError(self.at(name), NotAnInteger(_shown(value), bits))
        least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        if not least <= value <= most:
            raise ConfigurationError(self.at(name), OutOfRange(_shown(value), least, most))
        return value

    def number(self, name: str, default: int) -> int:
        """Return a signed 32 bit field that has a default."""
        value = self.integer(name)
        return default if value is None else value

    def real(self, name: str) -> float | None:
        """Return a number field, None if absent."""
        value = self._data.get(name)
        if value is not None and type(value) not in (int, float):
            raise ConfigurationError(self.at(name), InvalidValue(_shown(value), ("1", "0.5")))
        return value

    def seconds(self, name: str) -> Fraction | None:
        """Return a duration such as ``1m30s`` or ``100ms`` in seconds, None if absent."""
        text = self.text(name) if self.has(name) else None
        if text is None:
            return None
        seconds = _parsed_duration(text)
        if seconds is None:
            raise ConfigurationError(self.at(name), InvalidValue(shown(text), ("10s", "1m30s")))
        return seconds

    def listed(self, name: str) -> list[tuple[str, Any]]:
        """Return the (path, item) pairs of a list field; absent means empty."""
        items = self._data.get(name)
        if items is None:
            return []
        if not isinstance(items, list | tuple):
            raise ConfigurationError(self.at(name), NotAList(_shown(items)))
        return [(f"{self.at(name)}[{position}]", item) for position, item in enumerate(items)]

    def each(self, name: str, known: Iterable[str]) -> Iterator[ConfigurationFields]:
        """Yield the mappings of a list field."""
        known = tuple(known)
        for path, item in self.listed(name):
            yield ConfigurationFields(item, path, known)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; absent means empty."""
        items = self.listed(name)
        for path, item in items:
            if not isinstance(item, str):
                raise ConfigurationError(path, NotAText(_shown(item)))
        return tuple(item for _, item in items)

    def child(self, name: str, known: Iterable[str]) -> ConfigurationFields:
        """Return the fields of a mapping field; absent means empty."""
        return ConfigurationFields(self._data.get(name), self.at(name), known)

    def check(self, checks: Mapping[str, Check]) -> None:
        """Read fields only to see that they are of their type."""
        for name, check in checks.items():
            check(self, name)


def _shown(value: object) -> str:
    """Return a value as a problem quotes it: truth values and null as YAML writes them."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return shown(value)


def _meant(name: str, known: tuple[str, ...]) -> str:
    """Return the field that was probably meant, if it is written alike but for case, dashes and underscores."""
    plain = name.replace("_", "").replace("-", "").lower()
    return next((candidate for candidate in known if candidate.lower() == plain), "")


def _parsed_duration(text: str) -> Fraction | None:
    """Return the seconds of a Go duration, None if it is none."""
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if len(text) > 64:
        return None
    if unsigned == "0":
        return Fraction(0)
    parts = _DURATION_PART.findall(unsigned)
    if not parts or "".join(number + unit for number, unit in parts) != unsigned:
        return None
    seconds = sum(
        (Fraction(number if number[0] != "." else f"0{number}") * _SECONDS[unit] for number, unit in parts), Fraction(0)
    )
    if seconds > _MAX_DURATION:
        return None
    return -seconds if text[0] == "-" else seconds
