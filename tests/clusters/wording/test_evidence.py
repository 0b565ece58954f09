"""Evidence in words: every type has them, amounts come with their units, and what is missing is said in brief."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from clusters.engine.evidence import (
    Comparison,
    CountedPod,
    Evidence,
    NodeRequirement,
    NodeTerm,
    Normalisation,
    ScorePart,
    UnreadableVolumes,
)
from clusters.engine.objects import HostPort
from clusters.engine.plugins.inter_pod_affinity import PodTerm, TermComparison, TermSource
from clusters.engine.plugins.node_affinity import RequirementComparison, SelectorComparison, TermsComparison
from clusters.engine.plugins.node_name import NodeNameComparison
from clusters.engine.plugins.node_ports import PortComparison
from clusters.engine.plugins.node_resources_fit import (
    NominatedRequest,
    RequestedToCapacityRatio,
    ResourceComparison,
    ResourceScore,
    ScoredUtilisation,
)
from clusters.engine.plugins.node_unschedulable import CordonComparison
from clusters.engine.plugins.node_volume_limits import DriverComparison
from clusters.engine.plugins.pod_topology_spread import DomainComparison
from clusters.engine.plugins.taint_toleration import TaintComparison
from clusters.engine.plugins.volume_binding import BoundClaimComparison, ProvisioningComparison, SelectedNodeComparison
from clusters.engine.plugins.volume_restrictions import DiskComparison, ExclusiveClaimComparison
from clusters.engine.plugins.volume_zone import ZoneComparison
from clusters.engine.selectors import LabelSelector, Operator, Requirement
from clusters.engine.taints import Taint
from clusters.wording.evidence import comparison_view, missing, score_view, worded_types
from tests.engine.builders import ZONE

if TYPE_CHECKING:
    from collections.abc import Iterator

GIB = 1024**3
HOLDERS = (CountedPod("shop/a"), CountedPod("shop/b", nominated=True))
WEB = PodTerm(ZONE, LabelSelector((Requirement("app", Operator.IN, ("web",)),)), ("shop",), None)


def stated_types(base: type[Evidence] = Evidence) -> Iterator[type[Evidence]]:
    """All types of evidence that plugins state."""
    for each in base.__subclasses__():
        # A class with slots is made anew; the one before it may still be there.
        is_current = getattr(sys.modules[each.__module__], each.__name__, None) is each
        if is_current and each not in (Comparison, ScorePart, Normalisation):
            yield each
        yield from stated_types(each)


def test_every_type_of_evidence_has_words_and_a_kind_of_its_own() -> None:
    types = set(stated_types())

    assert len(types) > 20
    assert types <= worded_types(), "a module of clusters/wording/plugins words each type"
    kinds = [each.kind for each in types]
    assert len(set(kinds)) == len(kinds)
    assert all(kind == kind.lower() and " " not in kind for kind in kinds)


@pytest.mark.parametrize(
    ("compared", "said"),
    [
        (ResourceComparison("cpu", 1500, 4000, 3250), "insufficient cpu: 0.75 CPU missing"),
        (
            ResourceComparison("memory", 2 * GIB, 4 * GIB, GIB, (NominatedRequest("shop/high", 2 * GIB),)),
            "insufficient memory: 1 GiB missing (2 GiB requested by shop/high, nominated here)",
        ),
        (ResourceComparison("pods", 1, 110, 110), "node pod limit of 110 reached"),
        (NodeNameComparison("oak", "elm"), "the pod names the node oak"),
        (CordonComparison(unschedulable=True, tolerated=False), "the node is unschedulable (cordoned)"),
        (
            PortComparison(HostPort("10.0.0.1", "TCP", 80), HOLDERS),
            "host port 10.0.0.1:80/TCP is held by shop/a and shop/b",
        ),
        (TaintComparison(Taint("gpu", "", "NoSchedule"), tolerated=False), "untolerated taint gpu:NoSchedule"),
        (SelectorComparison("disk", "ssd", None), "disk=ssd is required; the node has no label disk"),
        (
            RequirementComparison(NodeRequirement("disk", Operator.IN, ("ssd",), "hdd", matches=False)),
            "disk=ssd is required; the node has hdd",
        ),
        (
            TermsComparison(added_by_profile=False, terms=(NodeTerm((), matches=False),) * 2),
            "none of the 2 terms of the node affinity matches",
        ),
        (
            TermComparison(TermSource.AFFINITY, WEB, "a", 0, (), first_of_group=False),
            f"no pod in {ZONE}=a matches the affinity app=web",
        ),
        (
            TermComparison(TermSource.ANTI_AFFINITY, WEB, "a", 2, HOLDERS, first_of_group=False),
            f"2 pods in {ZONE}=a match the anti-affinity app=web",
        ),
        (
            TermComparison(TermSource.ANTI_AFFINITY_OF_PODS, WEB, "a", 1, HOLDERS[:1], first_of_group=False),
            f"the anti-affinity of 1 pod in {ZONE}=a excludes this pod",
        ),
        (
            TermComparison(TermSource.AFFINITY, WEB, None, 0, (), first_of_group=True),
            f"the node has no label {ZONE}",
        ),
        (
            DomainComparison(ZONE, 1, 1, "a", 3, (), True, 0, 4, True, 2),
            f"{ZONE}: skew 4 exceeds maxSkew 1",
        ),
        (
            DomainComparison(ZONE, 1, 1, None, 0, (), True, 0, None, False, 2),
            f"the node has no label {ZONE}",
        ),
        (UnreadableVolumes("shop/web", ("gone", "lost")), "gone; lost"),
        (DriverComparison("csi.example", 8, 1, 8), "8 of at most 8 volumes of csi.example are attached"),
        (
            DiskComparison("gcePersistentDisk", "one", HOLDERS[:1]),
            "the disk one (gcePersistentDisk) is mounted by shop/a",
        ),
        (ExclusiveClaimComparison("data", HOLDERS[:1]), "the claim data (ReadWriteOncePod) is used by shop/a"),
        (
            ZoneComparison("data", "pv", ZONE, ("a", "b"), "c", zoned=True),
            f"the volume pv is in a and b ({ZONE}), the node is not",
        ),
        (BoundClaimComparison("data", "pv", exists=False, terms=None), "the volume pv does not exist"),
        (
            BoundClaimComparison("data", "pv", exists=True, terms=()),
            "the volume pv cannot be reached from this node",
        ),
        (
            SelectedNodeComparison("data", GIB, "oak", "elm"),
            "claim data is being provisioned for node oak",
        ),
        (
            ProvisioningComparison(
                "data", GIB, "slow", "", provisions=False, topologies=(), largest_bytes=None, has_capacity=True
            ),
            "no volume suits claim data; class slow provisions none",
        ),
        (
            ProvisioningComparison(
                "data",
                GIB,
                "fast",
                "csi",
                provisions=True,
                topologies=(NodeTerm((), matches=False),),
                largest_bytes=None,
                has_capacity=True,
            ),
            "the class fast does not allow this node",
        ),
        (
            ProvisioningComparison(
                "data", 2 * GIB, "fast", "csi", provisions=True, topologies=(), largest_bytes=GIB, has_capacity=False
            ),
            "claim data requests 2 GiB; at most 1 GiB can be provisioned here",
        ),
    ],
)
def test_what_does_not_hold_is_said_in_brief(compared: Comparison, said: str) -> None:
    assert not compared.holds
    assert comparison_view(compared).missing == said
    assert missing([compared, compared]) == f"{said}; {said}"


def test_a_shape_is_shown_with_its_points() -> None:
    shape = RequestedToCapacityRatio((ScoredUtilisation(0, 0), ScoredUtilisation(80, 100)))
    view = score_view((ResourceScore("cpu", shape, 1000, 4000, 31, 1),), 31)

    (part,) = view.parts
    assert ("shape", "0 % → 0, 80 % → 100") in [(fact.name, fact.value) for fact in part.facts]
    assert part.worked == "shape(⌊100 × 1 CPU ÷ 4 CPU⌋) = shape(25) = 31"
    assert view.lines == ("round(31 × 1 ÷ 1) = 31",)
