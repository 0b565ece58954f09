""""""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Snapshot
from clusters.engine.columns import Grouping, distinguish
from clusters.engine.labels import LabelIndex, LabelSet
from clusters.engine.objects import AffinityTerm
from clusters.engine.selectors import (
    EVERYTHING,
    NOTHING,
    LabelSelector,
    NodeSelectorTerm,
    Operator,
    Requirement,
    SelectorError,
    node_preferences,
)
from clusters.engine.volumes import ClaimMatching, StorageTopology, VolumeOffer
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node
from tests.support.answers import error_of


def expression(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


# Which of an absent label, "", "a", "b", "1", "10", "-5" and "x10" meets the requirement.
VALUES = (None, "", "a", "b", "1", "10", "-5", "x10")


@pytest.mark.parametrize(
    ("operator", "values", "matching"),
    [
        ("In", ("a", "b"), {"a", "b"}),
        ("In", ("",), {""}),
        ("NotIn", ("a", "b"), {None, "", "1", "10", "-5", "x10"}),
        ("Exists", (), {"", "a", "b", "1", "10", "-5", "x10"}),
        ("DoesNotExist", (), {None}),
        ("Gt", ("1",), {"10"}),
        ("Gt", ("-6",), {"1", "10", "-5"}),
        ("Lt", ("10",), {"1", "-5"}),
        ("Lt", ("+10",), {"1", "-5"}),
        ("Lt", ("a",), set()),
        ("Gt", (), set()),
        ("Gt", ("0", "1"), set()),
        ("Lt", ("9223372036854775807",), {"1", "10", "-5"}),
        ("Lt", ("9223372036854775808",), set()),
        ("Gt", ("1_0",), set()),
        ("Lt", ("0x10",), set()),
    ],
)
def test_requirements_match_values(operator: str, values: tuple[str, ...], matching: set[str | None]) -> None:
    requirement = Requirement.of("key", Operator(operator), values)
    assert {value for value in VALUES if requirement.matches_value(value)} == matching
    for value in VALUES:
        labels = {"other": "a"} if value is None else {"other": "a", "key": value}
        assert requirement.matches(labels) is (value in matching)


def test_an_absent_selector_matches_nothing_and_an_empty_one_everything() -> None:
    absent, empty = LabelSelector.from_dict(None), LabelSelector.from_dict({})
    assert absent == NOTHING
    assert absent.matches_nothing
    assert not absent.matches_everything
    assert empty == EVERYTHING == LabelSelector.from_dict({"matchLabels": {}, "matchExpressions": None})
    assert empty.matches_everything
    for labels in ({}, {"a": "b"}):
        assert not absent.matches(labels)
        assert empty.matches(labels)


@pytest.mark.parametrize(
    ("selector", "path"),
    [
        ({"matchLabels": {"-app": "web"}}, "labelSelector.matchLabels[-app]"),
        ({"matchLabels": {"app": "w" * 64}}, "labelSelector.matchLabels[app]"),
        ({"matchLabels": {"app": 1}}, "labelSelector.matchLabels"),
        ({"matchLabels": ["app"]}, "labelSelector.matchLabels"),
        ({"matchExpressions": [expression("app", "In")]}, "labelSelector.matchExpressions[0].values"),
        ({"matchExpressions": [expression("app", "NotIn")]}, "labelSelector.matchExpressions[0].values"),
        ({"matchExpressions": [expression("app", "Exists", "a")]}, "labelSelector.matchExpressions[0].values"),
        ({"matchExpressions": [expression("app", "DoesNotExist", "a")]}, "labelSelector.matchExpressions[0].values"),
        ({"matchExpressions": [expression("app", "Gt", "1")]}, "labelSelector.matchExpressions[0].operator"),
        ({"matchExpressions": [expression("app", "in", "1")]}, "labelSelector.matchExpressions[0].operator"),
        ({"matchExpressions": [expression("app", "In", "ok", "n o")]}, "labelSelector.matchExpressions[0].values[1]"),
        (
            {"matchExpressions": [expression("a", "Exists"), expression("", "Exists")]},
            "labelSelector.matchExpressions[1].key",
        ),
        ({"matchExpressions": [expression("/a", "Exists")]}, "labelSelector.matchExpressions[0].key"),
        ({"matchExpressions": [expression("Up.io/a", "Exists")]}, "labelSelector.matchExpressions[0].key"),
        ({"matchExpressions": [expression("a/b/c", "Exists")]}, "labelSelector.matchExpressions[0].key"),
        (
            {"matchExpressions": [{"key": "a", "operator": "In", "values": [1]}]},
            "labelSelector.matchExpressions[0].values",
        ),
        (
            {"matchExpressions": [{"key": "a", "operator": "In", "values": "b"}]},
            "labelSelector.matchExpressions[0].values",
        ),
        ({"matchExpressions": [{"key": 1}]}, "labelSelector.matchExpressions[0].key"),
        ({"matchExpressions": [{"key": "a", "operator": 1}]}, "labelSelector.matchExpressions[0].operator"),
        ({"matchExpressions": ["a"]}, "labelSelector.matchExpressions[0]"),
        ({"matchExpressions": {}}, "labelSelector.matchExpressions"),
        ("app=web", "labelSelector"),
    ],
)
def test_what_kubernetes_refuses_is_refused_by_its_path(selector: Any, path: str) -> None:
    for _ in range(2):
        raised = error_of(SelectorError, LabelSelector.from_dict, selector, "labelSelector")
        assert [fault.path for fault in raised.faults] == [path]


def term(*expressions: dict[str, Any], fields: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"matchExpressions": list(expressions), "matchFields": fields or []}


ARM = {"kubernetes.io/arch": "arm64", "cores": "16"}
NAME = {"metadata.name": "node-1"}


@pytest.mark.parametrize(
    ("given_term", "matches"),
    [
        (term(expression("kubernetes.io/arch", "In", "arm64")), True),
        (term(expression("kubernetes.io/arch", "In", "arm64"), expression("cores", "Lt", "16")), False),
        (term(expression("cores", "Gt", "15")), True),
        (term(fields=[expression("metadata.name", "In", "node-1")]), True),
        (term(fields=[expression("metadata.name", "NotIn", "node-1")]), False),
        (term(expression("cores", "Exists"), fields=[expression("metadata.name", "In", "node-2")]), False),
        # A field that nodes do not have reads as empty.
        (term(fields=[expression("metadata.other", "In", "x")]), False),
        (term(fields=[expression("metadata.other", "In", "")]), True),
        (term(fields=[expression("metadata.other", "NotIn", "x")]), True),
        (term(), False),
        ({}, False),
        (None, False),
    ],
)
def test_node_selector_terms(given_term: Any, matches: bool) -> None:
    assert NodeSelectorTerm.from_dict(given_term).matches(ARM, NAME) is matches


@pytest.mark.parametrize(
    ("given_term", "where"),
    [
        (term(expression("cores", "Gt", "many")), "t.matchExpressions[0].values[0]"),
        (term(expression("cores", "Gt", "1", "2")), "t.matchExpressions[0].values"),
        (term(expression("cores", "Lt", "-5")), "t.matchExpressions[0].values[0]"),
        (term(expression("cores", "Equals", "1")), "t.matchExpressions[0].operator"),
        (term(fields=[expression("metadata.name", "In", "a", "b")]), "t.matchFields[0].values"),
        (term(fields=[expression("metadata.name", "NotIn")]), "t.matchFields[0].values"),
        (term(fields=[expression("metadata.name", "Exists")]), "t.matchFields[0].operator"),
    ],
)
def test_a_term_that_cannot_be_parsed_matches_nothing_and_says_why(given_term: Any, where: str) -> None:
    parsed = NodeSelectorTerm.from_dict(given_term, "t")
    assert [error.path for error in parsed.errors] == [where]
    assert not parsed.is_empty
    assert not parsed.matches(ARM, NAME)


def test_a_term_reports_every_error() -> None:
    parsed = NodeSelectorTerm.from_dict(
        term(expression("-", "In"), fields=[expression("metadata.name", "Gt", "1")]), "t"
    )
    assert [error.path for error in parsed.errors] == [
        "t.matchExpressions[0].key",
        "t.matchExpressions[0].values",
        "t.matchFields[0].operator",
    ]


@pytest.mark.parametrize(
    ("preferences", "path"),
    [("x", "p"), (["x"], "p[0]"), ([{"weight": "5"}], "p[0].weight"), ([{"weight": 1, "preference": []}], "p[0]")],
)
def test_what_is_no_preference_is_refused(preferences: Any, path: str) -> None:
    raised = error_of(SelectorError, node_preferences, preferences, "p")
    assert [fault.path for fault in raised.faults] == [path]


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("x", "string into Go value of type v1.LabelSelector"),
        ({"matchLabels": {"a": 1}}, "number into Go struct field LabelSelector.matchLabels of type string"),
        ({"matchLabels": ["a"]}, "array into Go struct field LabelSelector.matchLabels of type map[string]string"),
        (
            {"matchExpressions": {}},
            "object into Go struct field LabelSelector.matchExpressions of type []v1.LabelSelectorRequirement",
        ),
        (
            {"matchExpressions": ["a"]},
            "string into Go struct field LabelSelector.matchExpressions of type v1.LabelSelectorRequirement",
        ),
        (
            {"matchExpressions": [{"key": 1}]},
            "number into Go struct field LabelSelectorRequirement.matchExpressions.key of type string",
        ),
        (
            {"matchExpressions": [{"key": "a", "operator": True}]},
            (
                "bool into Go struct field LabelSelectorRequirement.matchExpressions.operator "
                "of type v1.LabelSelectorOperator"
            ),
        ),
        (
            {"matchExpressions": [{"key": "a", "operator": "In", "values": [1.5]}]},
            "number into Go struct field LabelSelectorRequirement.matchExpressions.values of type string",
        ),
        (
            {"matchExpressions": [{"key": "a", "operator": "In", "values": "b"}]},
            "string into Go struct field LabelSelectorRequirement.matchExpressions.values of type []string",
        ),
    ],
)
def test_a_value_of_another_type_is_told_as_go_decodes_it(selector: Any, said: str) -> None:
    """Each text is what encoding/json of Go 1.24 says of a struct with upstream's fields."""
    assert (
        error_of(SelectorError, LabelSelector.from_dict, selector, "labelSelector").kubernetes
        == f"json: cannot unmarshal {said}"
    )


def test_null_is_an_empty_value_as_in_go() -> None:
    assert LabelSelector.from_dict({"matchLabels": {"a": None}}).matches({"a": ""})
    assert (
        error_of(SelectorError, LabelSelector.from_dict, {"matchExpressions": [None]}).kubernetes
        == '"" is not a valid label selector operator'
    )


def test_a_weight_that_is_no_integer_is_told_with_its_number() -> None:
    raised = error_of(SelectorError, node_preferences, [{"weight": 1.5}], "preferred")
    said = "json: cannot unmarshal number 1.5 into Go struct field PreferredSchedulingTerm.weight of type int32"
    assert raised.kubernetes == said


keys = st.sampled_from(["a", "b", "example.com/c"])
texts = st.sampled_from(["", "1", "2", "x"])
label_sets = st.dictionaries(keys, texts)
expressions = st.one_of(
    st.builds(
        lambda key, op, values: expression(key, op, *values),
        keys,
        st.sampled_from(["In", "NotIn"]),
        st.lists(texts, min_size=1),
    ),
    st.builds(expression, keys, st.sampled_from(["Exists", "DoesNotExist"])),
)
selectors = st.fixed_dictionaries(
    {}, optional={"matchLabels": label_sets, "matchExpressions": st.lists(expressions, max_size=4)}
)


@given(selectors, label_sets)
def test_a_selector_is_the_conjunction_of_its_requirements(data: dict[str, Any], labels: dict[str, str]) -> None:
    selector = LabelSelector.from_dict(data)
    assert selector.matches(labels) is all(each.matches(labels) for each in selector.requirements)
    # And of what it was made of, read naively.
    expected = all(labels.get(key) == value for key, value in data.get("matchLabels", {}).items())
    for each in data.get("matchExpressions", []):
        has, value = each["key"] in labels, labels.get(each["key"])
        expected &= {
            "In": value in each["values"],
            "NotIn": value not in each["values"],
            "Exists": has,
            "DoesNotExist": not has,
        }[each["operator"]]
    assert selector.matches(labels) is expected


@given(selectors, st.randoms(use_true_random=False), label_sets)
def test_order_and_repetition_do_not_matter(data: dict[str, Any], random: Any, labels: dict[str, str]) -> None:
    shuffled = [*data.get("matchExpressions", []), *data.get("matchExpressions", [])[:1]]
    random.shuffle(shuffled)
    pairs = list(data.get("matchLabels", {}).items())
    random.shuffle(pairs)
    other = LabelSelector.from_dict({"matchLabels": dict(pairs), "matchExpressions": shuffled})
    assert other == LabelSelector.from_dict(data)
    assert hash(other) == hash(LabelSelector.from_dict(data))


@given(selectors, label_sets, label_sets)
def test_more_labels_demanded_never_select_more(
    data: dict[str, Any], more: dict[str, str], labels: dict[str, str]
) -> None:
    selector = LabelSelector.from_dict(data)
    narrowed = selector.with_labels(more)
    assert narrowed.matches(labels) is (selector.matches(labels) and all(labels.get(key) == more[key] for key in more))


label_keys, values, spaces = (
    st.sampled_from("abcd"),
    st.sampled_from(("", "x", "y", "z")),
    st.sampled_from(("n", "m", "o")),
)
labelled = st.tuples(spaces, st.dictionaries(label_keys, values)).map(lambda each: LabelSet(*each))
set_based = st.builds(
    Requirement.of, label_keys, st.sampled_from((Operator.IN, Operator.NOT_IN)), st.sets(values, min_size=1)
)
requirements = set_based | st.builds(
    Requirement.of, label_keys, st.sampled_from((Operator.EXISTS, Operator.DOES_NOT_EXIST))
)
selecting = (
    st.just(NOTHING)
    | st.builds(
        lambda *each: LabelSelector().with_requirements(*(one for one in each if one)),
        requirements,
        requirements | st.none(),
        requirements | st.none(),
    )
    | st.just(LabelSelector())
)
questions = st.lists(st.tuples(selecting, st.none() | st.frozensets(spaces)), min_size=1, max_size=4)


def naive(known: list[LabelSet], selector: LabelSelector, namespaces: frozenset[str] | None) -> list[int]:
    return [
        number
        for number, each in enumerate(known)
        if (namespaces is None or each.namespace in namespaces) and selector.matches(each.labels)
    ]


@given(first=st.lists(labelled, max_size=120), later=st.lists(labelled, max_size=8), asked=questions)
def test_selections_are_those_of_asking_each_set(
    first: list[LabelSet], later: list[LabelSet], asked: list[tuple[LabelSelector, frozenset[str] | None]]
) -> None:
    """Also after more sets came, which a copy does not learn of."""
    index = LabelIndex()
    for each in first:
        index.add(each)
    twin = index.copy()
    for selector, namespaces in asked:
        assert index.select(selector, namespaces).tolist() == naive(first, selector, namespaces)
    for each in later:
        index.add(each)
    for selector, namespaces in asked:
        assert index.select(selector, namespaces).tolist() == naive([*first, *later], selector, namespaces)
        assert twin.select(selector, namespaces).tolist() == naive(first, selector, namespaces)


EMPTY_SET: dict[str, Any] = {"matchExpressions": [{"key": "app", "operator": "In", "values": []}]}
FULL_EXISTS: dict[str, Any] = {"matchExpressions": [{"key": "app", "operator": "Exists", "values": ["x"]}]}


@pytest.mark.parametrize(("pods", "namespaces"), [(EMPTY_SET, FULL_EXISTS), (FULL_EXISTS, EMPTY_SET)])
def test_of_two_unreadable_selectors_that_of_the_pods_is_told(pods: Any, namespaces: Any) -> None:
    alone = error_of(SelectorError, AffinityTerm.from_dict, {"labelSelector": pods}, "shop")
    both = error_of(
        SelectorError, AffinityTerm.from_dict, {"labelSelector": pods, "namespaceSelector": namespaces}, "shop"
    )

    assert str(both) == str(alone)


# Enough nodes for volumes of one zone to be handed out otherwise than those of one node.
NODES = 150


def only(key: str, *values: str) -> Document:
    return {
        "required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": key, "operator": "In", "values": values}]}]}
    }


reaches = st.sampled_from(
    (
        None,
        only(ZONE, "a"),
        only(ZONE, "b"),
        only(HOSTNAME, "n000"),
        only(HOSTNAME, "n000", "n001"),
        only(HOSTNAME, "n149"),
    )
)
labels = st.sampled_from(({}, {"tier": "fast"}))


@st.composite
def volumes(draw: st.DrawFn) -> Document:
    spec: Document = {
        "storageClassName": "local",
        "capacity": {"storage": f"{draw(st.integers(1, 4))}Gi"},
        "accessModes": draw(st.sampled_from((["ReadWriteOnce"], ["ReadWriteOnce", "ReadOnlyMany"]))),
        "volumeMode": draw(st.sampled_from(("Filesystem", "Filesystem", "Block"))),
    }
    reach = draw(reaches)
    if reach is not None:
        spec["nodeAffinity"] = reach
    if draw(st.integers(0, 3)) == 0:
        name = draw(st.sampled_from(("c0", "c1")))
        spec["claimRef"] = {"namespace": "default", "name": name, **draw(st.sampled_from(({}, {"uid": "uid-c0"})))}
    return {
        "kind": "PersistentVolume",
        "metadata": {"name": f"v{draw(st.integers(0, 30)):02}", "labels": draw(labels)},
        "spec": spec,
        "status": {"phase": draw(st.sampled_from(("Available", "Available", "Bound")))},
    }


@st.composite
def claims(draw: st.DrawFn, number: int) -> Document:
    return {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": f"c{number}", "namespace": "default", "uid": f"uid-c{number}"},
        "spec": {
            "storageClassName": "local",
            "accessModes": draw(st.sampled_from((["ReadWriteOnce"], ["ReadOnlyMany"]))),
            "resources": {"requests": {"storage": f"{draw(st.integers(1, 3))}Gi"}},
            **draw(st.sampled_from(({}, {}, {"selector": {"matchLabels": {"tier": "fast"}}}))),
        },
    }


def naive_match(node: Document, claim: Document, known: list[Document], taken: set[str]) -> str | None:
    """FindMatchingVolume for one node: the reserved volume, or else the smallest that will do."""
    wanted, names = claim["spec"], node["metadata"]["labels"]
    size = int(wanted["resources"]["requests"]["storage"].removesuffix("Gi"))

    def held(volume: Document) -> int:
        return int(volume["spec"]["capacity"]["storage"].removesuffix("Gi"))

    def reaches_node(volume: Document) -> bool:
        required = volume["spec"].get("nodeAffinity")
        if required is None:
            return True
        rule = required["required"]["nodeSelectorTerms"][0]["matchExpressions"][0]
        return names.get(rule["key"]) in rule["values"]

    ordered = sorted(known, key=lambda volume: (held(volume), volume["metadata"]["name"]))
    suiting = [each for each in ordered if held(each) >= size and each["spec"]["volumeMode"] == "Filesystem"]
    for volume in suiting:
        reference, name = volume["spec"].get("claimRef"), volume["metadata"]["name"]
        if reference is None or reference["name"] != claim["metadata"]["name"] or name in taken:
            continue
        if reference.get("uid") in (None, claim["metadata"]["uid"]):
            return name if reaches_node(volume) else None
    for volume in suiting:
        spec, name = volume["spec"], volume["metadata"]["name"]
        if "claimRef" in spec or volume["status"]["phase"] != "Available" or name in taken:
            continue
        if "selector" in wanted and not LabelSelector.from_dict(wanted["selector"]).matches(
            volume["metadata"]["labels"]
        ):
            continue
        if set(wanted["accessModes"]) <= set(spec["accessModes"]) and reaches_node(volume):
            return str(name)
    return None


@settings(max_examples=40, deadline=None)
@given(
    known=st.lists(volumes(), max_size=14, unique_by=lambda each: each["metadata"]["name"]),
    asked=st.tuples(*(claims(number) for number in range(4))),
    shunned=st.sets(st.sampled_from((0, 1, 149))),
)
def test_each_node_gets_what_it_would_get_alone(
    known: list[Document], asked: tuple[Document, ...], shunned: set[int]
) -> None:
    nodes = [a_node(f"n{number:03}", zone="a" if number < NODES // 2 else "b") for number in range(NODES)]
    snapshot = Snapshot.from_objects([*nodes, *known])
    matching = ClaimMatching(VolumeOffer(snapshot, StorageTopology(snapshot.nodes)))
    asking = np.array([row not in shunned for row in range(NODES)])
    found = [matching.match(claim, asking) for claim in asked]

    for row in (0, 1, 2, NODES // 2, 149):
        taken: set[str] = set()
        for claim, match in zip(asked, found, strict=True):
            expected = naive_match(nodes[row], claim, known, taken) if asking[row] else None
            volume = match.at(row)
            assert (volume and volume["metadata"]["name"]) == expected
            taken |= {expected} if expected else set()


MOVES = st.lists(st.tuples(st.integers(0, 15), st.integers(1, 4)), max_size=60)
Groups = dict[int, set[int]]


def content(grouping: Grouping) -> Groups:
    return {group: set(grouping.slots(group).tolist()) for group in grouping}


def move(grouping: Grouping, groups: Groups, moves: list[tuple[int, int]]) -> None:
    """Put each slot into the group, or take it out of the one that it is in."""
    for slot, group in moves:
        known = next((each for each, members in groups.items() if slot in members), None)
        if known is None:
            grouping.add(slot, group)
            groups.setdefault(group, set()).add(slot)
        else:
            grouping.discard(slot, known)
            groups[known].discard(slot)
            if not groups[known]:
                del groups[known]


@given(moves=MOVES)
def test_members_are_who_joined_and_did_not_leave(moves: list[tuple[int, int]]) -> None:
    grouping, groups = Grouping(), Groups()
    move(grouping, groups, moves)

    assert content(grouping) == groups
    assert len(grouping) == len(groups)
    assert sorted(grouping.slots_of([*groups, 99]).tolist()) == sorted(
        slot for each in groups.values() for slot in each
    )
    assert all(len(grouping.slots(group)) == len(members) for group, members in groups.items())


@given(before=MOVES, mine=MOVES, copied=MOVES, again=MOVES)
def test_copies_change_alone(
    before: list[tuple[int, int]],
    mine: list[tuple[int, int]],
    copied: list[tuple[int, int]],
    again: list[tuple[int, int]],
) -> None:
    grouping, groups = Grouping(), Groups()
    move(grouping, groups, before)
    twin, twins = grouping.copy(), {group: set(members) for group, members in groups.items()}
    move(twin, twins, copied)
    move(grouping, groups, mine)
    third, thirds = twin.copy(), {group: set(members) for group, members in twins.items()}
    move(twin, twins, again)

    assert content(grouping) == groups
    assert content(twin) == twins
    assert content(third) == thirds


def test_slots_are_given_away_as_a_copy() -> None:
    grouping = Grouping()
    grouping.add(7, 1)
    grouping.slots(1)[0] = 8

    assert grouping.slots(1).tolist() == grouping.slots_of([1]).tolist() == [7]
    assert grouping.slots(2).tolist() == grouping.slots_of([2, 3]).tolist() == []


@given(
    rows=st.integers(0, 40), columns=st.integers(0, 200), bound=st.sampled_from((1, 2, 3, 1 << 20)), seed=st.integers(0)
)
def test_equal_rows_are_numbered_alike_in_the_order_of_their_values(
    rows: int, columns: int, bound: int, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    # Few distinct rows, so that some are equal.
    table = chance.integers(0, bound, (5, columns))[chance.integers(0, 5, rows)]
    numbers, count = distinguish([(table[:, column], bound) for column in range(columns)], rows)

    expected = {row: number for number, row in enumerate(sorted({tuple(row) for row in table.tolist()}))}
    assert numbers.tolist() == [expected[tuple(row)] for row in table.tolist()]
    assert count == len(expected)


@given(known=st.lists(labelled, min_size=1, max_size=5), other=labelled)
def test_what_a_copy_learns_its_original_does_not(known: list[LabelSet], other: LabelSet) -> None:
    index = LabelIndex()
    for each in known:
        index.add(each)
    twin = index.copy()
    twin.add(other)

    everything = LabelSelector()
    assert len(index) == len(known)
    assert index.select(everything, None).tolist() == list(range(len(known)))
    assert twin.select(everything, None).tolist() == list(range(len(known) + 1))
