"""Numbers with their units; a number that people read is formatted here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import pgettext, pgettext_lazy

# Whoever writes amounts asks for their units here as well.
from clusters.engine.resources import Unit as Unit, resource_unit as resource_unit

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta

BINARY_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_BINARY_SUFFIXES = ("", "Ki", "Mi", "Gi", "Ti", "Pi")
# A unit, as those of bytes are: the same in every language.
_CPU = "CPU"


def quantity(resource: str, number: int) -> str:
    """Write an amount of a resource, which is in base units, with its unit: `1.5 CPU`, `2 GiB`, `3`."""
    match resource_unit(resource):
        case Unit.MILLI_CPU:
            return cpu(number)
        case Unit.BYTES:
            return size(number)
        case Unit.COUNT:
            return grouped(number)


def as_in_manifests(resource: str, number: int) -> str:
    """Write an amount of a resource as manifests do, in the largest unit that leaves it whole: `500m`, `2Gi`."""
    unit = resource_unit(resource)
    if unit is Unit.MILLI_CPU:
        return f"{number}m" if number % 1000 else f"{number // 1000}"
    if unit is Unit.COUNT:
        return f"{number}"
    power = 0
    while number and number % 1024 == 0 and power < len(_BINARY_SUFFIXES) - 1:
        number, power = number // 1024, power + 1
    return f"{number}{_BINARY_SUFFIXES[power]}"


_MINUS: Final = "\N{MINUS SIGN}"


def grouped(number: int) -> str:
    """Write a whole number with a minus sign, and a thin space between thousands, or what the language has there."""
    text = f"{_MINUS}{-number:,}" if number < 0 else f"{number:,}"
    # Most numbers are small, and pages have thousands of them.
    return text.replace(",", pgettext("between thousands", "\u202f")) if "," in text else text


def signed(number: int) -> str:
    """Write a whole number with its sign: `+64`, `−12`, `±0`."""
    return grouped(number) if number < 0 else f"{'+' if number else '±'}{grouped(number)}"


DECIMAL_MARK: Final = pgettext_lazy("before decimals", ".")


def localised(text: str) -> str:
    """Return a number that has a point before its decimals with the language's decimal mark."""
    return text.replace(".", str(DECIMAL_MARK)) if "." in text else text


def cpu(milli: int) -> str:
    """Write milli-CPU as CPUs, exactly: 1500 is `1.5 CPU`."""
    sign, whole, rest = "-" if milli < 0 else "", *divmod(abs(milli), 1000)
    decimals = f"{DECIMAL_MARK!s}{rest:03d}".rstrip("0") if rest else ""
    return f"{sign}{grouped(whole)}{decimals} {_CPU}"


def size(count: int) -> str:
    """Write bytes in the largest binary unit that leaves at least one, with at most one decimal."""
    unit = _unit(count)
    text = f"{count / 1024**unit:.1f}".removesuffix(".0")
    return f"{localised(text)} {BINARY_UNITS[unit]}"


def at_most(resource: str, number: int) -> str:
    """Write an amount as `quantity` does, but never rounded up: what is free, or what somebody may request."""
    return _towards(resource, number, lambda count, unit: count * 10 // unit)


def at_least(resource: str, number: int) -> str:
    """Write an amount as `quantity` does, but never rounded down: what is missing, or what somebody has to add."""
    return _towards(resource, number, lambda count, unit: -(-count * 10 // unit))


def _towards(resource: str, number: int, tenths_of: Callable[[int, int], int]) -> str:
    if resource_unit(resource) is not Unit.BYTES:
        return quantity(resource, number)
    unit = _unit(number)
    return size(tenths_of(number, 1024**unit) * 1024**unit // 10) if unit else size(number)


def _unit(count: int) -> int:
    unit = 0
    while abs(count) >= 1024 ** (unit + 1) and unit < len(BINARY_UNITS) - 1:
        unit += 1
    return unit


def percent(part: int, whole: int) -> str:
    """Write part of whole in percent; a whole of zero has no percentage."""
    if whole <= 0:
        return "–"
    share = 100 * part / whole
    if 0 < share < 1:
        return "< 1 %"
    return f"{share:.0f} %"


def rate(part: int, whole: int) -> str:
    """Write part of whole in percent with two decimals, rounded down: only all of it is `100 %`."""
    if whole <= 0:
        return "–"
    if part == whole:
        return "100 %"
    percents, hundredths = divmod(10_000 * part // whole, 100)
    return f"{percents}{DECIMAL_MARK!s}{hundredths:02d} %"


def age(span: timedelta) -> str:
    """Write how old something is as kubectl does: `45s`, `12m`, `257d`, and two units where one says too little."""
    seconds = max(0, int(span.total_seconds()))
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    for most, text in (
        (120, f"{seconds}s"),
        (10 * 60, _two(minutes, "m", seconds % 60, "s")),
        (3 * 3600, f"{minutes}m"),
        (8 * 3600, _two(hours, "h", minutes % 60, "m")),
        (48 * 3600, f"{hours}h"),
        (8 * 86400, _two(days, "d", hours % 24, "h")),
        (2 * 365 * 86400, f"{days}d"),
        (8 * 365 * 86400, _two(days // 365, "y", days % 365, "d")),
    ):
        if seconds < most:
            return text
    return f"{days // 365}y"


def moment(at: datetime | None) -> str:
    """Write a moment of UTC for files, as Kubernetes does, with as much of the second as is known; nothing of none."""
    return at.replace(tzinfo=None).isoformat() + "Z" if at is not None else ""


def _two(large: int, large_unit: str, small: int, small_unit: str) -> str:
    return f"{large}{large_unit}{small}{small_unit}" if small else f"{large}{large_unit}"


def exactly(count: int) -> str:
    """Write bytes to the byte, for where the rounded amount would hide a difference."""
    return f"{grouped(count)} B"


def decimal(value: float) -> str:
    """Write a ratio with at most four decimals."""
    return localised(f"{value:.4f}".rstrip("0").rstrip("."))
