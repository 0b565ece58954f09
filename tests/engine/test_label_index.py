"""An index finds the label sets that a selector, asked of each, would match."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.labels import LabelIndex, LabelSet
from clusters.engine.selectors import NOTHING, LabelSelector, Operator, Requirement

keys, values, spaces = st.sampled_from("abcd"), st.sampled_from(("", "x", "y", "z")), st.sampled_from(("n", "m", "o"))
label_sets = st.builds(LabelSet, spaces, st.dictionaries(keys, values))
set_based = st.builds(
    Requirement.of, keys, st.sampled_from((Operator.IN, Operator.NOT_IN)), st.sets(values, min_size=1)
)
requirements = set_based | st.builds(Requirement.of, keys, st.sampled_from((Operator.EXISTS, Operator.DOES_NOT_EXIST)))
selectors = (
    st.just(NOTHING)
    | st.builds(
        lambda *each: LabelSelector().with_requirements(*(one for one in each if one)),
        requirements,
        requirements | st.none(),
        requirements | st.none(),
    )
    | st.just(LabelSelector())
)
questions = st.lists(st.tuples(selectors, st.none() | st.frozensets(spaces)), min_size=1, max_size=4)


def naive(known: list[LabelSet], selector: LabelSelector, namespaces: frozenset[str] | None) -> list[int]:
    return [
        number
        for number, each in enumerate(known)
        if (namespaces is None or each.namespace in namespaces) and selector.matches(each.labels)
    ]


@given(first=st.lists(label_sets, max_size=120), later=st.lists(label_sets, max_size=8), asked=questions)
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


@given(known=st.lists(label_sets, min_size=1, max_size=5), other=label_sets)
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
