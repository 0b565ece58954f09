"""What a picture of numbers shows, in plain values: lines, bars, counts, timelines, scales. `drawing.py` draws them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

# How an area is filled: three that differ without colour too.
Fill = Literal["solid", "hatch", "light"]


class Series(Struct, frozen=True):
    """Values over the trend's times, None where unknown; `colour`: a token; `end`: its words if not label and value."""

    label: str
    colour: str
    values: tuple[float | None, ...]
    is_dashed: bool = False
    end: str = ""


class TrendSpec(Struct, frozen=True):
    """Lines over time, or over the steps of a simulation; values in `unit`.

    Times ascend and are seconds since 1970; where `labels` say in words what each is, they may count anything. A line
    that `is_stepped` keeps its value until the next one.
    """

    unit: str
    times: tuple[float, ...]
    series: tuple[Series, ...]
    labels: tuple[str, ...] = ()
    is_stepped: bool = False


class BarPart(Struct, frozen=True):
    """A stretch of a stacked bar; `text` is its value in words."""

    label: str
    colour: str
    value: float
    text: str
    fill: Fill = "solid"


class StackRow(Struct, frozen=True):
    """One stacked bar; its parts lie in `whole`, which is the bar's full length."""

    label: str
    parts: tuple[BarPart, ...]
    whole: float
    whole_text: str


class StackSpec(Struct, frozen=True):
    """Stacked bars below each other, each as long as the others: shares of different wholes."""

    rows: tuple[StackRow, ...]


class FittingPods(NamedTuple):
    """How many more pods fit; ``is_whole``: not at least as many."""

    pods: int
    is_whole: bool


class HeadroomRow(Struct, frozen=True):
    """How many more of a shape fit: now, without its worst node, without its worst zone; None where it is not known."""

    label: str
    now: FittingPods
    after_node: FittingPods | None = None
    after_zone: FittingPods | None = None


class HeadroomSpec(Struct, frozen=True):
    """Bars of counts; each shape has a scale of its own, because a small one fits a hundred times as often."""

    rows: tuple[HeadroomRow, ...]


class Key(Struct, frozen=True):
    """A part that every bar or column has: its label, its colour's token and a sign that stands for its pattern."""

    label: str
    colour: str
    pattern: str = ""


class BarRow(Struct, frozen=True):
    """One bar: a value of each key, and its whole in words."""

    label: str
    values: tuple[int, ...]
    text: str


class BarsSpec(Struct, frozen=True):
    """Bars of one scale below each other, made of the same parts."""

    keys: tuple[Key, ...]
    rows: tuple[BarRow, ...]


class ColumnsSpec(Struct, frozen=True):
    """Columns beside each other, one for each stretch of time, made of the same parts; values by key, then by column.

    Starts are as ISO 8601 writes them, to the day or to the minute.
    """

    keys: tuple[Key, ...]
    starts: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]


class Stretch(Struct, frozen=True):
    """A stretch of time in a row: the number of its key, and where it begins and ends; no end: it goes on."""

    key: int
    start: float
    end: float | None


class TimelineRow(Struct, frozen=True):
    """Stretches one after the other, and in words how the row ends."""

    label: str
    stretches: tuple[Stretch, ...]
    text: str


class TimelineSpec(Struct, frozen=True):
    """Rows of stretches over one scale, which begins at 0; `unit` is that of the scale."""

    unit: str
    keys: tuple[Key, ...]
    rows: tuple[TimelineRow, ...]


class ScaleZone(Struct, frozen=True):
    """What holds from one fullness to another: the number of its key."""

    key: int
    start: float
    end: float


class ScaleMark(Struct, frozen=True):
    """Where something begins, and what, in few words."""

    at: float
    text: str


class ScaleRow(Struct, frozen=True):
    """One bar from empty to `whole`; zones lie beside each other from left to right."""

    label: str
    zones: tuple[ScaleZone, ...]
    marks: tuple[ScaleMark, ...]
    whole: float
    whole_text: str


class ScaleSpec(Struct, frozen=True):
    """Bars of how full things are, each of a whole of its own, with the same zones."""

    keys: tuple[Key, ...]
    rows: tuple[ScaleRow, ...]


class SearchStretch(Struct, frozen=True):
    """Nodes that stand beside each other in the order of a search: their mean chance, and how many of them fit."""

    percent: float
    nodes: int
    feasible: int
    text: str


class SearchStripSpec(Struct, frozen=True):
    """The whole order of a search in stretches; ``keys`` are those of nodes that fit and of others, ends in words."""

    axis: str
    keys: tuple[Key, Key]
    stretches: tuple[SearchStretch, ...]
    first: str
    last: str


class DomainColumn(Struct, frozen=True):
    """One topology domain: its pods, whether it counts, and whether the next pod keeps within the ceiling in it."""

    label: str
    pods: int
    counts: bool
    is_open: bool
    text: str


class DomainsSpec(Struct, frozen=True):
    """Domains as columns of pods; ``keys`` are those of pods up to the ceiling, above it and in domains aside.

    A fourth key is that of the place of the next pod.
    """

    keys: tuple[Key, ...]
    columns: tuple[DomainColumn, ...]
    floor: int
    ceiling: int
    floor_text: str
    ceiling_text: str


class DomainBin(Struct, frozen=True):
    """How many domains have so many pods, by key."""

    label: str
    domains: tuple[int, ...]
    text: str


class DomainHistogramSpec(Struct, frozen=True):
    """Domains counted by their pods; the lines stand between bins, so many from the left, None where outside of all."""

    axis: str
    keys: tuple[Key, ...]
    bins: tuple[DomainBin, ...]
    floor_at: float | None
    ceiling_at: float | None
    floor_text: str
    ceiling_text: str


class SlotPart(Struct, frozen=True):
    """Slots beside each other that mean the same: the number of their key, and how many; ``text``: that in words."""

    key: int
    slots: int
    text: str


class SlotsSpec(Struct, frozen=True):
    """A row of slots for pods, filled or empty by their keys, with a line across if it has text; ``empty``: of keys."""

    keys: tuple[Key, ...]
    parts: tuple[SlotPart, ...]
    line_at: int
    line_text: str
    empty: frozenset[int] = frozenset()


class PodShare(Struct, frozen=True):
    """What a pod takes of a node, in the row's unit, and uses of it, None where that is not known."""

    label: str
    value: float
    text: str
    used: float | None = None


class NodeShareRow(Struct, frozen=True):
    """One resource of a node: pods beside each other, the largest first, and what is free."""

    label: str
    pods: tuple[PodShare, ...]
    whole: float
    whole_text: str
    free_text: str


class NodeSharesSpec(Struct, frozen=True):
    """Resources of a node drawn to scale; ``keys``: a pod's request, free, used, and used beyond the request."""

    keys: tuple[Key, Key, Key, Key]
    rows: tuple[NodeShareRow, ...]


class LinkedMark(Struct, frozen=True):
    """Something that happened from `at` on for `width`, both shares of the picture's width, as much as `size` says.

    ``size`` is a share of the most that any mark stands for; `address` is where it opens to, empty where nothing is.
    """

    at: float
    width: float
    size: float
    title: str
    address: str


class MarkRow(Struct, frozen=True):
    """What happened of one kind; `colour` is a token's name, `text` how much in all."""

    label: str
    colour: str
    text: str
    marks: tuple[LinkedMark, ...]


class MarksTick(Struct, frozen=True):
    """A moment of the scale, a share of its width; `address` is where it zooms in to, empty where it does not."""

    at: float
    label: str
    title: str
    address: str


class MarksSpec(Struct, frozen=True):
    """Rows of marks over one scale of time, each of which opens to what it stands for."""

    rows: tuple[MarkRow, ...]
    ticks: tuple[MarksTick, ...]


class RelatedObject(Struct, frozen=True):
    """An object beside another one; `address` is its page, empty where it has none."""

    kind: str
    name: str
    address: str = ""


class RelationsSpec(Struct, frozen=True):
    """An object in the middle, what it belongs to before it, and what it uses behind it.

    Each chain ends at the object in the middle: its first entry is next to it.
    """

    subject: RelatedObject
    before: tuple[tuple[RelatedObject, ...], ...]
    behind: tuple[tuple[RelatedObject, ...], ...]


Spec = (
    TrendSpec
    | StackSpec
    | HeadroomSpec
    | BarsSpec
    | ColumnsSpec
    | TimelineSpec
    | ScaleSpec
    | SearchStripSpec
    | DomainsSpec
    | DomainHistogramSpec
    | SlotsSpec
    | NodeSharesSpec
    | MarksSpec
    | RelationsSpec
)
