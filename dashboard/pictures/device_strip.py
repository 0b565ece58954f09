"""Devices as tiles, one for each, shaped and coloured by state; too many for tiles are a bar of shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from clusters.engine.devices import DeviceState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_TILES: Final = 32
_IN_A_ROW: Final = 16
_SIDE, _GAP = 14, 3
_BAR_WIDTH: Final = _IN_A_ROW * (_SIDE + _GAP) - _GAP
# What is drawn upon a tile, beside its colour, within its 14 units; a free one is empty.
_MARKS: Final = {
    DeviceState.HELD: "M3 3h8v8h-8z",
    DeviceState.SHARED: "M3 7h8v4h-8z",
    DeviceState.TAINTED: "M3 3l8 8M11 3l-8 8",
    DeviceState.COUNTERS_USED: "M3 11l8 -8v8z",
}
_ORDER: Final = (
    DeviceState.FREE,
    DeviceState.SHARED,
    DeviceState.HELD,
    DeviceState.TAINTED,
    DeviceState.COUNTERS_USED,
)


class DeviceTile(Struct, frozen=True):
    """One device at x, y: its state as a class of style sheets, its mark as an SVG path, and its words."""

    x: int
    y: int
    state: str
    mark: str
    title: str


class SharePart(Struct, frozen=True):
    """The part of a bar that devices in one state take."""

    x: float
    width: float
    state: str


class DeviceStrip(Struct, frozen=True):
    """A picture of devices, tiles or parts of a bar; ``label`` says the same in words."""

    width: int
    height: int
    label: str
    tiles: tuple[DeviceTile, ...] = ()
    parts: tuple[SharePart, ...] = ()


def device_strip(devices: Sequence[tuple[DeviceState, str]], label: str) -> DeviceStrip:
    """Draw devices, each with its state and its words, in their order."""
    if len(devices) > MOST_TILES:
        counts = dict.fromkeys(_ORDER, 0)
        for state, _ in devices:
            counts[state] += 1
        return share_bar(counts, label)
    tiles = tuple(
        DeviceTile(
            x=place % _IN_A_ROW * (_SIDE + _GAP),
            y=place // _IN_A_ROW * (_SIDE + _GAP),
            state=state.value,
            mark=_MARKS.get(state, ""),
            title=title,
        )
        for place, (state, title) in enumerate(devices)
    )
    columns = min(len(devices), _IN_A_ROW)
    rows = -(-len(devices) // _IN_A_ROW)
    return DeviceStrip(
        max(columns * (_SIDE + _GAP) - _GAP, 0), max(rows * (_SIDE + _GAP) - _GAP, 0), label, tiles=tiles
    )


def share_bar(counts: Mapping[DeviceState, int], label: str) -> DeviceStrip:
    """Draw how many devices are in each state as parts of one bar."""
    whole = sum(counts.values())
    parts: list[SharePart] = []
    left = 0.0
    for state in _ORDER:
        width = _BAR_WIDTH * counts.get(state, 0) / whole if whole else 0.0
        if width:
            parts.append(SharePart(round(left, 2), round(width, 2), state.value))
        left += width
    return DeviceStrip(_BAR_WIDTH, _SIDE, label, parts=tuple(parts))


def legend_tile(state: DeviceState) -> DeviceTile:
    """The tile that a legend shows for a state."""
    return DeviceTile(0, 0, state.value, _MARKS.get(state, ""), "")
