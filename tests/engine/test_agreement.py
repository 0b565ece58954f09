"""Which decisions of a scheduler an explanation allows."""

from __future__ import annotations

import random
from typing import Any

import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.journal import Agreement, distance_of_refusal, judge_nomination, judge_placement, judge_refusal
from clusters.engine.scheduling import run_cycle
from clusters.engine.versions import RELEASES
from tests.engine.builders import a_node, a_pod
from tests.support.answers import known

PROFILE = SchedulerConfiguration.default().profiles[0]


def explained(objects: list[dict[str, Any]], pod: dict[str, Any]) -> Explanation:
    return explain(Snapshot.from_objects(objects), pod, PROFILE)


def bound(name: str, node: str, cpu: str, **more: Any) -> dict[str, Any]:
    return a_pod(name, node=node, requests={"cpu": cpu}, **more)


def test_a_node_that_does_not_fit_or_is_not_there() -> None:
    explanation = explained([a_node("a"), a_node("b", unschedulable=True)], a_pod("p"))

    assert judge_placement(explanation, "b") is Agreement.INFEASIBLE
    assert judge_placement(explanation, "gone") is Agreement.INFEASIBLE


def test_a_nominated_node_that_fits_is_taken_without_a_look_at_the_others() -> None:
    objects = [a_node("a"), a_node("b"), bound("x", "b", "4")]
    pod = {**a_pod("p"), "status": {"nominatedNodeName": "b"}}

    assert judge_placement(explained(objects, pod), "b") is Agreement.AGREES
    assert judge_placement(explained(objects, pod), "a") is Agreement.LOWER_SCORE
    objects[1]["spec"]["unschedulable"] = True
    assert judge_placement(explained(objects, pod), "a") is Agreement.AGREES


def a_large_cluster(*, nodes: int, chance: random.Random) -> list[dict[str, Any]]:
    objects = [
        a_node(
            f"n{number:03}",
            zone=f"z{number % 3}",
            taints=[{"key": "slow", "effect": "PreferNoSchedule"}] * (number % 7 == 0),
        )
        for number in range(nodes)
    ]
    return objects + [
        bound(f"x{number}", f"n{chance.randrange(nodes):03}", f"{chance.randrange(100, 900)}m", labels={"app": "web"})
        for number in range(5 * nodes)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_sampled_search_chooses_agrees(seed: int) -> None:
    """The search is played: it starts somewhere and ends at the wanted number of feasible nodes."""
    chance = random.Random(seed)
    constraint = {
        "maxSkew": 1,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    pod = a_pod("p", labels={"app": "web"}, requests={"cpu": "500m"})
    pod["spec"]["topologySpreadConstraints"] = [constraint]
    explanation = explained(a_large_cluster(nodes=180, chance=chance), pod)
    wanted = explanation.sampling.wanted
    assert wanted < len(explanation.feasible)
    found = set()
    for start in range(0, 180, 6):
        order = [row for row in (*range(start, 180), *range(start)) if explanation.total_of(row) is not None]
        sample = explanation.cycle.feasible[[list(explanation.cycle.feasible).index(row) for row in order[:wanted]]]
        for row in run_cycle(explanation.snapshot, explanation.pod, PROFILE, among=sample).best:
            found.add(judge_placement(explanation, explanation.snapshot.nodes.names[row]))

    assert found == {Agreement.AGREES, Agreement.SAMPLED}


def test_a_node_that_no_sample_leads_to_has_a_lower_score() -> None:
    """All but 50 of 180 nodes are better, and a search ends at 100."""
    objects = [a_node(f"n{number:03}") for number in range(180)]
    objects += [bound(f"x{number}", f"n{number:03}", "4") for number in range(50)]
    explanation = explained(objects, a_pod("p", requests={"cpu": "1"}))

    assert judge_placement(explanation, "n000") is Agreement.LOWER_SCORE
    assert judge_placement(explanation, "n100") is Agreement.AGREES


def test_a_node_that_loses_in_every_sample_that_is_tried_has_a_lower_score() -> None:
    """Of 180 nodes with other totals the worst loses in sample after sample, and enough are left for a next one."""
    objects = [a_node(f"n{number:03}") for number in range(180)]
    objects += [bound(f"x{number}", f"n{number:03}", f"{40 * number}m") for number in range(180)]

    assert judge_placement(explained(objects, a_pod("p", requests={"cpu": "100m"})), "n179") is Agreement.LOWER_SCORE


def test_a_refusal_agrees_to_the_letter() -> None:
    explanation = explained([a_node("a", unschedulable=True)], a_pod("p"))
    said = (
        "0/1 nodes are available: 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/1 nodes are "
        "available: 1 Preemption is not helpful for scheduling."
    )

    assert judge_refusal(explanation, said) is Agreement.AGREES
    assert judge_refusal(explanation, said.replace("0/1", "0/2")) is Agreement.OTHER_MESSAGE
    assert judge_refusal(explained([a_node("a")], a_pod("p")), said) is Agreement.FITS


def test_a_nomination_agrees_with_the_selected_candidate() -> None:
    objects = [a_node("a"), a_node("b"), bound("x", "a", "7"), bound("y", "b", "7", priority=5)]
    pod = a_pod("p", requests={"cpu": "4"}, priority=10)
    explanation = explained(objects, pod)

    assert judge_nomination(explanation, "a") is Agreement.AGREES
    assert judge_nomination(explanation, "b") is Agreement.LOWER_SCORE
    assert judge_nomination(explanation, "c") is Agreement.INFEASIBLE
    assert judge_nomination(explained([a_node("a")], pod), "a") is Agreement.FITS


def test_a_pod_that_fits_is_nominated_while_its_volumes_are_bound_from_1_35_on() -> None:
    objects = [a_node("a"), a_node("b"), a_node("c"), bound("x", "c", "4")]

    def judged(minor: str, node: str) -> Agreement:
        return judge_nomination(explain(Snapshot.from_objects(objects, RELEASES[minor]), a_pod("p"), PROFILE), node)

    assert [judged("1.35", node) for node in "abc"] == [Agreement.AGREES, Agreement.AGREES, Agreement.LOWER_SCORE]
    assert judged("1.34", "a") is Agreement.FITS


def test_1_37_says_where_preemption_makes_room() -> None:
    pod = a_pod("p", priority=10, requests={"cpu": "4"})
    # The victim of b is the more important one.
    victims = [bound("x", "a", "7", priority=1), bound("y", "b", "7", priority=2)]
    objects = [a_node("a"), a_node("b"), *victims]
    explanation = explain(Snapshot.from_objects(objects, RELEASES["1.37"]), pod, PROFILE)
    said = "0/2 nodes are available: 2 Insufficient cpu."

    message = f"{said} preemption: found a potential placement for pod on node a, preempting 1 victims"
    assert explanation.message == message
    assert judge_refusal(explanation, message) is Agreement.AGREES
    assert distance_of_refusal(explanation, message) == 0
    for other in (said, message.replace("node a", "node b"), message.replace("1 victims", "2 victims")):
        assert judge_refusal(explanation, other) is Agreement.OTHER_MESSAGE
    assert explain(Snapshot.from_objects(objects, RELEASES["1.36"]), pod, PROFILE).message == said


def test_any_candidate_of_a_large_cluster_may_be_named_by_a_refusal_of_1_37() -> None:
    objects = [a_node(f"n{number:03}") for number in range(120)]
    objects += [bound(f"x{number:03}", f"n{number:03}", "7", priority=1) for number in range(120)]
    pod = a_pod("p", priority=10, requests={"cpu": "4"})
    explanation = explain(Snapshot.from_objects(objects, RELEASES["1.37"]), pod, PROFILE)
    preemption = known(explanation.preemption)
    assert preemption.selected is not None
    assert explanation.message is not None
    other = preemption.candidates[-1].node

    named = explanation.message.replace(f"node {preemption.selected.node},", f"node {other},")
    assert judge_refusal(explanation, named) is Agreement.SAMPLED
    assert judge_refusal(explanation, named.replace(other, "gone")) is Agreement.OTHER_MESSAGE


def test_a_nomination_where_preemption_selects_no_node_is_infeasible() -> None:
    explanation = explained([a_node("a", allocatable={"cpu": "1"})], a_pod("p", requests={"cpu": "4"}, priority=10))

    assert judge_nomination(explanation, "a") is Agreement.INFEASIBLE


def test_any_candidate_of_a_large_cluster_may_be_nominated() -> None:
    """Only some candidates are looked for there, and nobody outside knows which."""
    nodes = [a_node(f"n{number:03}") for number in range(180)]
    full = [bound(f"x{number}", f"n{number:03}", "7", priority=number % 2) for number in range(180)]
    explanation = explained([*nodes, *full], a_pod("p", requests={"cpu": "4"}, priority=10))
    assert explanation.preemption is not None
    selected = known(explanation.preemption.selected).node
    others = [each.node for each in explanation.preemption.candidates if each.node != selected]

    assert judge_nomination(explanation, selected) is Agreement.AGREES
    assert {judge_nomination(explanation, node) for node in others} == {Agreement.SAMPLED}


def test_a_search_that_leaves_out_the_one_better_node_is_a_sample() -> None:
    """101 of 180 nodes fit, and a search ends at 100."""
    objects = [a_node(f"n{number:03}", unschedulable=number > 100) for number in range(180)]
    objects += [bound(f"x{number}", f"n{number:03}", "4") for number in range(100)]
    explanation = explained(objects, a_pod("p", requests={"cpu": "1"}))

    assert judge_placement(explanation, "n100") is Agreement.AGREES
    assert judge_placement(explanation, "n000") is Agreement.SAMPLED


def test_a_node_that_wins_without_those_that_win_over_it_is_a_sample() -> None:
    """Among few nodes the label that one of them has counts for more: who wins by it is left out of the next sample."""
    likes = a_node("likes", labels={"liked": "little"}), bound("y", "likes", "4")
    others = [a_node(f"n{number:03}") for number in range(99)]
    objects = [a_node("liked", labels={"liked": "much"}), a_node("judged"), *likes, *others]
    objects += [bound(f"x{number}", f"n{number:03}", "2") for number in range(99)]
    preferences = [
        {"weight": weight, "preference": {"matchExpressions": [{"key": "liked", "operator": "In", "values": [value]}]}}
        for weight, value in ((100, "much"), (1, "little"))
    ]
    affinity = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferences}}
    explanation = explained(objects, a_pod("p", requests={"cpu": "1"}, affinity=affinity))

    assert judge_placement(explanation, "liked") is Agreement.AGREES
    assert judge_placement(explanation, "judged") is Agreement.SAMPLED
    assert judge_placement(explanation, "n000") is Agreement.LOWER_SCORE


def test_a_refusal_tells_how_many_nodes_it_puts_differently() -> None:
    nodes = [a_node(f"n{number}", allocatable={"cpu": "1"}) for number in range(3)]
    objects = [*nodes, a_node("cordoned", unschedulable=True)]
    explanation = explained(objects, a_pod("p", requests={"cpu": "2"}))
    same = known(explanation.message)
    other = same.replace(
        "1 node(s) were unschedulable, 3 Insufficient cpu", "1 Insufficient memory, 3 Insufficient cpu"
    )

    assert other != same
    assert distance_of_refusal(explanation, same) == 0
    assert distance_of_refusal(explanation, other) == 1 + 2
    assert distance_of_refusal(explained(objects, a_pod("p")), same) > 2 * len(objects)


def test_what_a_refusal_says_of_preemption_counts_too() -> None:
    nodes = [a_node(f"n{number}", allocatable={"cpu": "4"}) for number in range(3)]
    objects = [*nodes, bound("x", "n0", "3"), bound("y", "n1", "3"), bound("z", "n2", "3")]
    explanation = explained([*objects, a_node("cordoned", unschedulable=True)], a_pod("p", requests={"cpu": "2"}))
    assert explanation.message is not None
    helpful, without = "1 Preemption is not helpful for scheduling", "3 No preemption victims found for incoming pod"
    other = explanation.message.replace(f"{helpful}, {without}", "4 Preemption is not helpful for scheduling")

    assert other != explanation.message
    assert distance_of_refusal(explanation, other) == 1 + 3 + 3


def test_a_refusal_of_another_form_is_as_far_as_all_that_was_counted() -> None:
    # One node that is unschedulable, and one of which preemption says that it is not helpful.
    assert distance_of_refusal(explained([a_node("n", unschedulable=True)], a_pod("p")), "something else") == 1 + 2


def test_a_pod_rejected_before_any_node_counts_none() -> None:
    gone = {"name": "data", "persistentVolumeClaim": {"claimName": "gone"}}
    explanation = explained([a_node("n")], a_pod("p", volumes=[gone]))
    message = explanation.message or ""
    other = message.replace('"gone"', '"other"')

    assert other != message
    assert distance_of_refusal(explanation, other) == 1
