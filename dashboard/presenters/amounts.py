"""Numbers with their units; a number is formatted here and nowhere else."""

from __future__ import annotations

_BINARY_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_THIN_SPACE = "\u202f"


def grouped(number: int) -> str:
    """Write a whole number with a thin space between thousands."""
    return f"{number:,}".replace(",", _THIN_SPACE)


def cpu(milli: int) -> str:
    """Write milli-CPU as CPUs, exactly: 1500 is `1.5 CPU`."""
    sign, whole, rest = "-" if milli < 0 else "", *divmod(abs(milli), 1000)
    decimals = f".{rest:03d}".rstrip("0") if rest else ""
    return f"{sign}{grouped(whole)}{decimals} CPU"


def size(count: int) -> str:
    """Write bytes in the largest binary unit that leaves at least one, with at most one decimal."""
    unit = _unit(count)
    text = f"{count / 1024**unit:.1f}".removesuffix(".0")
    return f"{text} {_BINARY_UNITS[unit]}"


def at_most(count: int) -> str:
    """Write bytes as `size` does, but rounded down: an amount that somebody may ask for."""
    unit = _unit(count)
    whole, tenths = divmod(count * 10 // 1024**unit, 10)
    return f"{whole}.{tenths} {_BINARY_UNITS[unit]}" if tenths else f"{whole} {_BINARY_UNITS[unit]}"


def _unit(count: int) -> int:
    unit = 0
    while abs(count) >= 1024 ** (unit + 1) and unit < len(_BINARY_UNITS) - 1:
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


def counted(number: int, one: str, many: str) -> str:
    """Write a number with its noun: `1 pod`, `2 pods`."""
    return f"{grouped(number)} {one if number == 1 else many}"


def exactly(count: int) -> str:
    """Write bytes to the byte, for where the rounded amount would hide a difference."""
    return f"{grouped(count)} B"


def decimal(value: float) -> str:
    """Write a ratio with at most four decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".")
