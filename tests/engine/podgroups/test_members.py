"""A snapshot knows all pods of a group, and knows the same whichever way they came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.podgroups import PodGroupKey
from tests.engine.builders import a_node, a_pod
from tests.engine.podgroups.groups import a_cluster, a_member

if TYPE_CHECKING:
    from clusters.engine import Snapshot

KEY = PodGroupKey("default", "train")


def nodes_of(snapshot: Snapshot, key: PodGroupKey = KEY) -> dict[str, str]:
    return {name: member.node for name, member in snapshot.groups.of(key).items()}


def test_pending_and_bound_pods_are_members_and_finished_ones_are_not() -> None:
    done = {**a_member("done", node="n1"), "status": {"phase": "Succeeded"}}
    pods = (a_member("a"), a_member("b", node="n1"), a_member("c", node="gone"), done, a_member("d", "other"), a_pod())

    snapshot = a_cluster("1.37", a_node("n1"), *pods)

    assert nodes_of(snapshot) == {"default/a": "", "default/b": "n1", "default/c": "gone"}
    assert set(snapshot.groups.known()) == {KEY, PodGroupKey("default", "other")}


def test_a_copy_goes_its_own_way() -> None:
    snapshot = a_cluster("1.37", a_node("n1"), a_member("a"), a_member("b"))
    twin = snapshot.copy()

    twin.assume(a_member("a"), "n1").delete(a_member("b"))

    assert nodes_of(snapshot) == {"default/a": "", "default/b": ""}
    assert nodes_of(twin) == {"default/a": "n1"}


def test_a_group_without_pods_is_gone() -> None:
    snapshot = a_cluster("1.37", a_member("a"))

    snapshot.delete(a_member("a"))

    assert not snapshot.groups.known()
    assert not snapshot.groups.of(KEY)


STEPS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["", "n1", "n2"]), st.sampled_from(["train", "other", ""])),
    max_size=12,
)


@given(steps=STEPS, forgotten=st.sets(st.sampled_from("abcd")))
def test_changes_leave_the_members_as_if_read_afresh(steps: list[tuple[str, str, str]], forgotten: set[str]) -> None:
    snapshot = a_cluster("1.37", a_node("n1"), a_node("n2"))
    pods = {}
    for name, node, group in steps:
        pods[name] = a_member(name, group, node=node or None) if group else a_pod(name, node=node or None)
        snapshot.upsert(pods[name])
    for name in forgotten & pods.keys():
        snapshot.delete(pods.pop(name))

    assert snapshot.content() == a_cluster("1.37", a_node("n1"), a_node("n2"), *pods.values()).content()
