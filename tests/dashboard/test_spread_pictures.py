"""The pictures of spread groups: their numbers, what is lit, and what is said of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.spreading.groups import SpreadGroup, spreading_of
from dashboard.pictures.figure import drawing
from dashboard.pictures.specs import DomainHistogramSpec, DomainsSpec
from dashboard.presenters.spread import MOST_BINS, MOST_COLUMNS, figure
from tests.dashboard.test_spread import spread, zones
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod
from tests.support.answers import known
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

PROFILES = SchedulerConfiguration.default().profiles
WEB = {"matchLabels": {"app": "web"}}


def group_of(places: dict[str, int], nodes: list[Document], **fields: Any) -> SpreadGroup:
    constraint = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": WEB}
    pods = [
        a_pod(f"web-{on}-{number}", node=on, labels={"app": "web"}, topologySpreadConstraints=[constraint | fields])
        for on, count in places.items()
        for number in range(count)
    ]
    (group,) = spreading_of(Snapshot.from_objects([*nodes, *pods]), PROFILES).groups
    return group


def by_host(counts: list[int], **fields: Any) -> SpreadGroup:
    nodes = [a_node(f"n{number:02}", labels={HOSTNAME: f"n{number:02}"}) for number in range(len(counts))]
    places = {f"n{number:02}": count for number, count in enumerate(counts)}
    return group_of(places, nodes, topologyKey=HOSTNAME, **fields)


def drawn(group: SpreadGroup) -> Any:
    return known(figure(group, name="spread", with_numbers=True))


THREE = [a_node("a1", zone="a"), a_node("b1", zone="b"), a_node("c1", zone="c")]


def test_columns_have_the_pods_and_the_next_pod_is_lit_where_it_may_go() -> None:
    found = drawn(group_of({"a1": 5, "b1": 3, "c1": 2}, THREE, maxSkew=2))

    assert isinstance(found.spec, DomainsSpec)
    assert [(each.label, each.pods, each.is_open) for each in found.spec.columns] == [
        ("a", 5, False),
        ("b", 3, True),
        ("c", 2, True),
    ]
    assert (found.spec.floor, found.spec.ceiling) == (2, 4)
    assert found.rows == [
        ("a", "5", "The next pod is not allowed"),
        ("b", "3", "The next pod is allowed"),
        ("c", "2", "The next pod is allowed"),
    ]


def test_the_drawing_says_by_shapes_what_colours_say() -> None:
    svg = str(drawn(group_of({"a1": 4, "b1": 1, "c1": 1}, THREE)).wide)

    # A square for each pod; those above maxSkew are hatched, and a plus stands where the next one may go.
    assert len(re.findall(r"<rect[^>]*fill=\"var\(--verdict-chosen-solid\)\" stroke=\"var\(--surface-card\)", svg)) == 4
    assert (
        len(re.findall(r"<rect[^>]*fill=\"url\(#spread-760-verdict-rejected-solid\)\" stroke=\"var\(--surf", svg)) == 2
    )
    assert len(re.findall(r"<line[^>]*var\(--verdict-fits-solid\)", svg)) == 2 * 2
    assert "a: 4 pods. The next pod is not allowed." in svg


@pytest.mark.parametrize("counts", [[3] * 10 + [5] * 2, [0] * 40 + [70] * 20])
def test_many_domains_are_counted_by_their_pods(counts: list[int]) -> None:
    found = drawn(by_host(counts))

    assert isinstance(found.spec, DomainHistogramSpec)
    assert len(found.spec.bins) <= MOST_BINS + 1
    assert sum(sum(each.domains) for each in found.spec.bins) == len(counts)
    assert (found.spec.floor_at or 0) < len(found.spec.bins)


def test_the_line_of_the_ceiling_parts_what_is_within_from_what_is_over() -> None:
    found = drawn(by_host([1] * 9 + [2] * 4 + [3]))

    assert isinstance(found.spec, DomainHistogramSpec)
    # 0, 1, 2 and 3 pods: the minimum is 1, maxSkew 1 allows 2, and one node has 3.
    assert [each.domains for each in found.spec.bins] == [(0, 0, 0), (9, 0, 0), (0, 4, 0), (0, 1, 0)]
    assert (found.spec.floor_at, found.spec.ceiling_at) == (1, 3)
    assert "3 pods: 1 node" in str(found.narrow)


def test_of_many_domains_those_that_do_not_count_are_left_out_and_said() -> None:
    nodes = [a_node(f"n{number:02}", labels={HOSTNAME: f"n{number:02}", "pool": "x"}) for number in range(4)]
    nodes += [a_node(f"other{number}", labels={HOSTNAME: f"other{number}"}) for number in range(9)]
    pod = a_pod(
        "web",
        node="n00",
        labels={"app": "web"},
        nodeSelector={"pool": "x"},
        topologySpreadConstraints=[
            {"maxSkew": 1, "topologyKey": HOSTNAME, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": WEB}
        ],
    )
    (group,) = spreading_of(Snapshot.from_objects([*nodes, pod]), PROFILES).groups
    found = drawn(group)

    assert [each.label for each in found.spec.columns] == ["n00", "n01", "n02", "n03"]
    assert "Not drawn: 9 nodes that do not count." in found.summary


@settings(max_examples=25, deadline=None)
@given(
    counts=st.lists(st.integers(0, 30), min_size=1, max_size=24),
    skew=st.integers(1, 4),
    action=st.sampled_from(["DoNotSchedule", "ScheduleAnyway"]),
)
def test_columns_sum_to_the_pods(counts: list[int], skew: int, action: str) -> None:
    if not any(counts):
        return
    group = by_host(counts, maxSkew=skew, whenUnsatisfiable=action)
    spec = drawn(group).spec
    open_domains = int(group.within.sum())

    if len(counts) <= MOST_COLUMNS:
        assert sum(each.pods for each in spec.columns) == sum(counts)
        assert sum(each.is_open for each in spec.columns) == open_domains
    else:
        assert sum(sum(each.domains) for each in spec.bins) == len(counts)
        assert sum(each.domains[0] for each in spec.bins) == open_domains
    for width in (760, 340):
        svg = drawing(spec, name="x", words="w", width=width)
        rights = [float(x) + float(w) for x, w in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', svg)]
        assert max(rights) <= width
        assert min(map(float, re.findall(r'\by="(-?[\d.]+)"', svg))) >= 0


@pytest.mark.django_db
def test_most_of_its_pods_in_one_zone_come_first_on_the_page_of_spread(
    tmp_path: Path, signed_in_client: Client
) -> None:
    lax = spread("kafka", {"a1": 3, "b1": 2}, maxSkew=5, whenUnsatisfiable="ScheduleAnyway")
    uneven = spread("inference", {"a1": 3, "b1": 2, "c1": 2}, topologyKey="kubernetes.io/hostname")
    load(tmp_path, "shop", [*zones(), *uneven, *lax])

    listed = text(signed_in_client, "/clusters/shop/spread/")
    overview = text(signed_in_client, "/clusters/shop/?lens=spread")

    assert "Sorted by the largest share of pods in one zone." in listed
    assert listed.index("shop/kafka is spread 3–2–0") < listed.index("shop/inference")
    assert "3 of 5 pods in eu-central-1a" in overview
