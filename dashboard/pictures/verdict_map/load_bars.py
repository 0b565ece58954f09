"""What fills the nodes of a map: a bar of its pods on each tile, to scale, and what one pod requests beside them."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dashboard.pictures.verdict_map.spec import NodeLoad

# By how much a request that does not fit reaches beyond its bar.
_OVERHANG = 6.0
# Pods thinner than this are drawn as one: the least of these with which a map has so few lines between pods.
_THINNEST, _MOST_LINES = (2.5, 4.0, 6.0, 9.0, 14.0, 22.0, 40.0), 300
# Shares are quotients of whole numbers.
_EXACT = 1e-9
# In the order in which they cover each other. What has no outline is a thick stroke, half as long to write as a box.
_PARTS, _STROKES = ("track", "used", "leaving", "asked", "short", "gaps"), ("used", "leaving")


class LoadBars:
    """The bars of the nodes of a map, all parts of one sort as one path; a bar is so long and so deep."""

    def __init__(self, long: float, deep: float) -> None:
        self.long = long
        self._deep = deep
        self._parts: dict[str, list[str]] = {name: [] for name in _PARTS}
        self._ends: list[tuple[float, float, list[float]]] = []

    def add(self, load: NodeLoad, left: float, top: float) -> None:
        """Draw a node's bar: what stays, what preemption removes, and what the pod requests beside it."""
        staying = len(load.pods) - load.leaving
        stays, whole = (min(1.0, sum(load.pods[:number])) for number in (staying, len(load.pods)))
        self._box("track", left, top, 1)
        self._stroke("used", left, top, stays)
        self._stroke("leaving", left + self.long * stays, top, whole - stays)
        ends = [self.long * end for end in accumulate(load.pods) if end <= 1]
        self._ends.append((left, top, ends))
        if load.asked:
            begin = stays if load.leaving else whole
            room = 1 - begin + _OVERHANG / self.long
            # What does not fit reaches beyond the bar.
            name = "short" if whole + load.asked > 1 + _EXACT and not load.leaving else "asked"
            self._box(name, left + self.long * begin, top, max(min(load.asked, room), 2 / self.long))

    def paths(self) -> Iterator[str]:
        """Yield what was added."""
        self._parts["gaps"] = self._separators()
        for name, parts in self._parts.items():
            thick = f' stroke-width="{self._deep:g}"' if name in _STROKES else ""
            if parts:
                yield f'<path class="map-{name}"{thick} d="{"".join(parts)}"/>'

    def _stroke(self, name: str, left: float, top: float, share: float) -> None:
        if share > 0:
            self._parts[name].append(f"M{left:.1f} {top + self._deep / 2:g}h{self.long * share:.1f}")

    def _box(self, name: str, left: float, top: float, share: float) -> None:
        long = self.long * share
        self._parts[name].append(f"M{left:.1f} {top:g}h{long:.1f}v{self._deep:g}h-{long:.1f}z")

    def _separators(self) -> list[str]:
        """Draw a line behind each pod, but for those too thin to be told apart: down, and up again, and so on."""
        drawn: list[list[float]] = []
        for thinnest in _THINNEST:
            drawn = [_apart(ends, thinnest) for _, _, ends in self._ends]
            if sum(map(len, drawn)) <= _MOST_LINES:
                break
        return [self._lines(left, top, ends) for (left, top, _), ends in zip(self._ends, drawn, strict=True) if ends]

    def _lines(self, left: float, top: float, ends: Sequence[float]) -> str:
        path, before, down = f"M{left + ends[0]:.1f} {top:g}v{self._deep:g}", ends[0], self._deep
        for end in ends[1:]:
            down = -down
            path += f"m{end - before:.3g} 0v{down:g}"
            before = end
        return path


def _apart(ends: Sequence[float], thinnest: float) -> list[float]:
    """Return the ends of pods that are so far from the one that is drawn before."""
    drawn: list[float] = []
    for end in ends:
        # A line is told from the one before, whose place was rounded as well.
        if end - (drawn[-1] if drawn else 0.0) >= thinnest:
            drawn.append(round(end, 1))
    return drawn
