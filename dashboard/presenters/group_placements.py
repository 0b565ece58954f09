"""Where the pods of a group run and would go, as a map of nodes, and the topology domains that it was tried in."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from clusters.engine.group_states import PodGroupState
from clusters.engine.scheduling import GroupAttempt, GroupVerdict, PlacementAttempt, domains_of
from clusters.wording import counts, pod_groups as words
from clusters.wording.amounts import grouped
from clusters.wording.decisions.nodes import summary
from clusters.wording.drains import figure
from clusters.wording.lists import first_of
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.pictures.verdict_map.layout import MOST_NAMED
from dashboard.pictures.verdict_map.spec import MapKey, MapPool, VerdictMap
from dashboard.presenters.shared.maps import map_pools

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.batch_groups import AnyGroupState
    from clusters.engine.status import Index

# Of domains so many are drawn, the best first.
MOST_DOMAINS: Final = 12
# So many victims are named.
MOST_VICTIMS: Final = 50


class TriedDomains(NamedTuple):
    """Domains of which the same came: how many pods were ``wanted``, and whether it is the one that the group goes to.

    ``found``: how many have or find a node in each of them; where pods are removed there, once they are.
    """

    placements: Sequence[PlacementAttempt]
    found: int
    wanted: int
    is_chosen: bool

    @property
    def first(self) -> PlacementAttempt:
        """What came of each of them."""
        return self.placements[0]

    @property
    def name(self) -> str:
        """The first of the domains, and how many others there are."""
        return first_of([each.domain for each in self.placements])


class GroupPlacements(NamedTuple):
    """What was tried: the topology ``key`` whose domains they are, and those of which the same came as ``rows``.

    ``attempt`` says what is chance of them.
    """

    key: str
    rows: Sequence[TriedDomains]
    attempt: GroupAttempt

    @property
    def has_scores(self) -> bool:
        """Whether several took the group, so that they were compared."""
        return any(row.first.score is not None for row in self.rows)

    @property
    def has_messages(self) -> bool:
        """Whether any did not take it."""
        return any(row.first.message for row in self.rows)


class RemovedPod(NamedTuple):
    """A pod that is removed, as ``namespace/name``, and the node that it runs on."""

    key: str
    node: str

    @property
    def namespace(self) -> str:
        """Where it is."""
        return self.key.partition("/")[0]

    @property
    def name(self) -> str:
        """Its own name."""
        return self.key.partition("/")[2]


def group_placements(state: AnyGroupState, attempt: GroupAttempt | None, snapshot: Snapshot) -> GroupPlacements | None:
    """Return the domains that a group was tried in, the best first; None where it asks for none."""
    if attempt is None or not attempt.placements:
        return None
    key, nominated = _topology(state), nominations(state, attempt)
    chosen = _chosen(key, attempt, nominated, snapshot)
    rows = [
        TriedDomains(tuple(alike), found, _wanted(attempt), is_chosen)
        for (is_chosen, found, *_), alike in groupby(
            _best_first(attempt, chosen),
            key=lambda each: (
                each.domain == chosen,
                attempt.scheduled + len(nominated) if nominated and each.domain == chosen else each.found,
                each.is_feasible,
                each.score,
                each.message,
            ),
        )
    ]
    return GroupPlacements(key, rows, attempt)


def placements_context(
    state: AnyGroupState, attempt: GroupAttempt | None, snapshot: Snapshot, node_address: str
) -> dict[str, Any]:
    """Return where the pods of a group run and would go, and the pods that go for them, the most important first.

    ``node_address``: where more about a node is, its name yet to be added. Of an attempt that is uncertain nothing is
    told.
    """
    if attempt is not None and attempt.is_open:
        attempt = None
    drawn, victims = group_map(state, attempt, snapshot), attempt.victims if attempt else ()
    return {
        "map": None if drawn is None else DrawnMap("placements", drawn, node_address=node_address),
        "placements": group_placements(state, attempt, snapshot),
        "victims": [RemovedPod(key, _node_of(snapshot, key)) for key in victims[:MOST_VICTIMS]],
        "more_victims": max(0, len(victims) - MOST_VICTIMS),
    }


def _node_of(snapshot: Snapshot, pod: str) -> str:
    return snapshot.nodes.names[int(snapshot.pods.node[snapshot.pods.slot_of[pod]])]


def _topology(state: AnyGroupState) -> str:
    """The label whose domains a group is tried in; empty where it asks for none."""
    keys = state.terms.topology_keys if isinstance(state, PodGroupState) and state.terms is not None else ()
    return next(iter(keys), "")


def nominations(state: AnyGroupState, attempt: GroupAttempt) -> Mapping[str, str]:
    """Return the node that each pod of a group takes once pods are removed, without those of groups tried with it."""
    return {pod: node for pod, node in attempt.nominations.items() if node and pod in state.members}


def _chosen(key: str, attempt: GroupAttempt, nominated: Mapping[str, str], snapshot: Snapshot) -> str | None:
    """The domain that the pods of the group go to; None where they go to none."""
    if attempt.verdict is GroupVerdict.SCHEDULED:
        return attempt.domain
    nodes = [snapshot.nodes.index[name] for name in nominated.values() if name in snapshot.nodes.index]
    return snapshot.nodes.nodes[nodes[0]].labels.get(key) if nodes else None


def _best_first(attempt: GroupAttempt, chosen: str | None) -> list[PlacementAttempt]:
    return sorted(
        attempt.placements,
        key=lambda each: (each.domain != chosen, not each.is_feasible, -(each.score or 0), -each.found, each.message),
    )


def _wanted(attempt: GroupAttempt) -> int:
    return attempt.existing if attempt.least is None else attempt.least


# -- The map ----------------------------------------------------------------------------------------------------------


_TAKES, _MAKES_ROOM, _FOUND, _RUNS, _OTHER = range(5)
_LOOKS: Final = (
    (words.TAKES, "verdict-fits-solid", "star"),
    (words.MAKES_ROOM, "verdict-preemptible-solid", "bar"),
    (words.FOUND_ON, "verdict-unknown-solid", "question"),
    (words.RUNS, "verdict-chosen-solid", "square"),
    (words.NONE_THERE, "line-strong", ""),
)


def group_map(state: AnyGroupState, attempt: GroupAttempt | None, snapshot: Snapshot) -> VerdictMap | None:
    """Present the nodes by what pods of a group are there, come and go; None where nothing of that is anywhere.

    Of a group that asks for one topology domain the best of those that were tried stand apart, of any other all pools.
    """
    running, arriving, leaving = _traffic(state, attempt, snapshot)
    tried = group_placements(state, attempt, snapshot)
    if not (running or arriving or leaving or tried):
        return None
    pools, rows, notes = _nodes(tried, snapshot)
    names = tuple(snapshot.nodes.names[row] for row in rows.tolist())
    is_told = attempt is not None and attempt.verdict in (GroupVerdict.SCHEDULED, GroupVerdict.PREEMPTS)
    key_of = tuple(
        _MAKES_ROOM if name in leaving
        else (_TAKES if is_told else _FOUND) if name in arriving
        else _RUNS if name in running
        else _OTHER
        for name in names
    )  # fmt: skip
    counted, pods = Counter(key_of), Counter[int]()
    for name, key in zip(names, key_of, strict=True):
        pods[key] += len((running if key == _RUNS else leaving if key == _MAKES_ROOM else arriving).get(name, ()))
    keys = tuple(
        MapKey(
            str(label), "", colour, mark, counted[number],
            together=counts.PODS(number=pods[number]) if pods[number] else "", is_faint=number == _OTHER,
        )
        for number, (label, colour, mark) in enumerate(_LOOKS)
    )  # fmt: skip
    return VerdictMap(
        sentence=summary(len(names), ((key.nodes, key.label, "") for key in keys if key.nodes)),
        keys=keys,
        pools=pools,
        names=names,
        key_of=key_of,
        shade_of=(0,) * len(names),
        figures=tuple(_figure(*(len(pods.get(name, ())) for pods in (running, arriving, leaving))) for name in names),
        lines=tuple(_line(arriving.get(name, ()), leaving.get(name, ())) for name in names)
        if len(names) <= MOST_NAMED
        else (),
        notes=notes,
    )


def _traffic(
    state: AnyGroupState, attempt: GroupAttempt | None, snapshot: Snapshot
) -> tuple[Mapping[str, Sequence[str]], ...]:
    """By node: the pods of the group that run there, those that come, and the pods that go for them."""
    running, arriving, leaving = (defaultdict[str, list[str]](list) for _ in range(3))
    for key, member in state.members.items():
        if member.node:
            running[member.node].append(key)
    if attempt is not None:
        found = {each.pod: each.node for each in attempt.members if each.node}
        for key, node in (nominations(state, attempt) or found).items():
            arriving[node].append(key)
        for key in attempt.victims:
            leaving[_node_of(snapshot, key)].append(key)
    return running, arriving, leaving


def _nodes(tried: GroupPlacements | None, snapshot: Snapshot) -> tuple[tuple[MapPool, ...], Index, tuple[str, ...]]:
    """The domains that are drawn as pools, or all pools, their nodes, and what is to be known of the picture."""
    if tried is None:
        return (*map_pools(snapshot.nodes), ())
    rows_of = domains_of(snapshot, tried.key)
    domains = [(row, each.domain) for row in tried.rows for each in row.placements]
    pools: list[MapPool] = []
    rows: list[Index] = []
    for row, domain in domains[:MOST_DOMAINS]:
        name = words.DOMAIN(domain=domain, found=row.found, wanted=row.wanted)
        first, nodes = sum(pool.nodes for pool in pools), rows_of[domain]
        pools.append(MapPool(f"✓ {name}" if row.is_chosen else name, 0, "", first, len(nodes)))
        rows.append(nodes)
    hidden = len(tried.attempt.placements) - len(pools)
    return tuple(pools), np.concatenate(rows), (words.MORE_DOMAINS(domains=hidden),) if hidden else ()


def _figure(running: int, arriving: int, leaving: int) -> str:
    return f"{grouped(running) if running else ''} {figure(leaving=leaving, arriving=arriving)}".strip()


def _line(arriving: Sequence[str], leaving: Sequence[str]) -> str:
    said = (
        words.REMOVED(pods=first_of(leaving)) if leaving else "",
        words.COME(pods=first_of(arriving)) if arriving else "",
    )
    return " ".join(filter(None, said))
