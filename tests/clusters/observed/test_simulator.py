"""The simulator's annotations: the documented form, older and odd ones, and such as nobody should send."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.adapters.observed import LATEST, MOST_ATTEMPTS, MOST_CHARACTERS, Results, results_of
from clusters.problems.skips import (
    LargeResults,
    LongHistory,
    OtherResult,
    ResultUnreadable,
)
from tests.support.recorded import PREFIX

if TYPE_CHECKING:
    from clusters.engine.problems import Problem

FILTERS = {"n1": {"NodeName": "passed", "TaintToleration": "node(s) had untolerated taint {dedicated: gpu}"}}
SCORES = {"n2": {"ImageLocality": "0", "NodeResourcesFit": "76"}}


def read(annotations: Any) -> Results:
    return results_of(annotations, namespace="shop", name="web", uid="u1")


def written(prefix: str = PREFIX, **texts: str) -> dict[str, str]:
    return {prefix + suffix.replace("_", "-"): text for suffix, text in texts.items()}


def test_every_result_has_its_place_in_the_normal_form() -> None:
    results = read(
        {
            "other.example/filter-result": "never read",
            **written(
                prefilter_result_status=json.dumps({"NodeAffinity": "success", "NodePorts": ""}),
                prefilter_result=json.dumps({"NodeAffinity": ["n1", "n2"]}),
                filter_result=json.dumps(FILTERS),
                postfilter_result=json.dumps({"n1": {"DefaultPreemption": "preemption victim"}, "n2": {}}),
                prescore_result=json.dumps({"TaintToleration": "success"}),
                score_result=json.dumps(SCORES),
                finalscore_result=json.dumps({"n2": {"ImageLocality": "0", "NodeResourcesFit": "300"}}),
                reserve_result=json.dumps({"VolumeBinding": "success"}),
                permit_result="{}",
                permit_result_timeout="null",
                prebind_result=json.dumps({"VolumeBinding": "success"}),
                bind_result=json.dumps({"DefaultBinder": "success"}),
                selected_node="n2",
            ),
        }
    )

    assert results.problems == []
    (attempt,) = results.attempts
    assert (attempt.key, attempt.number, attempt.uid, attempt.cells) == (LATEST, None, "u1", 6)
    assert attempt.document == {
        "preFilter": {"NodeAffinity": "success", "NodePorts": ""},
        "preFilterNodes": {"NodeAffinity": ["n1", "n2"]},
        "filters": FILTERS,
        "postFilter": {"n1": {"DefaultPreemption": "preemption victim"}, "n2": {}},
        "preScore": {"TaintToleration": "success"},
        "scores": {"n2": {"ImageLocality": 0, "NodeResourcesFit": 76}},
        "finalScores": {"n2": {"ImageLocality": 0, "NodeResourcesFit": 300}},
        "reserve": {"VolumeBinding": "success"},
        "preBind": {"VolumeBinding": "success"},
        "bind": {"DefaultBinder": "success"},
        "selectedNode": "n2",
    }


def test_history_numbers_the_attempts_and_the_last_is_not_told_twice() -> None:
    first, second = written(filter_result=json.dumps(FILTERS)), written(score_result=json.dumps(SCORES))

    results = read({**second, **written(result_history=json.dumps([first, second]))})

    assert [(attempt.key, attempt.number) for attempt in results.attempts] == [("1", 1), ("2", 2)]
    assert [list(attempt.document) for attempt in results.attempts] == [["filters"], ["scores"]]


def test_results_newer_than_the_history_are_an_attempt_of_their_own() -> None:
    first = written(filter_result=json.dumps(FILTERS))

    results = read({**written(score_result=json.dumps(SCORES)), **written(result_history=json.dumps([first]))})

    assert [attempt.key for attempt in results.attempts] == ["1", LATEST]


def test_prefix_of_old_releases_is_read() -> None:
    (attempt,) = read(written("scheduler-simulator/", filter_result=json.dumps(FILTERS))).attempts

    assert attempt.document == {"filters": FILTERS}


@pytest.mark.parametrize(
    ("suffix", "text", "problem"),
    [
        ("filter-result", "{", ResultUnreadable("filter-result")),
        ("filter-result", "[" * 5_000, ResultUnreadable("filter-result")),
        ("filter-result", "[1]", ResultUnreadable("filter-result")),
        ("filter-result", '{"n1": {"NodeName": 1}}', ResultUnreadable("filter-result")),
        ("filter-result", '{"n1": "passed"}', ResultUnreadable("filter-result")),
        ("filter-result", json.dumps({"n" * 300: {}}), ResultUnreadable("filter-result")),
        ("score-result", '{"n1": {"ImageLocality": "many"}}', ResultUnreadable("score-result")),
        (
            "score-result",
            '{"n1": {"ImageLocality": "9999999999999999999"}}',
            ResultUnreadable("score-result"),
        ),
        ("score-result", '{"n1": {"ImageLocality": 76}}', ResultUnreadable("score-result")),
        ("prefilter-result", '{"NodeAffinity": "n1"}', ResultUnreadable("prefilter-result")),
        ("result-history", "nope", ResultUnreadable("result-history")),
        ("result-history", "{}", ResultUnreadable("result-history")),
        ("extender-filter-result", "{}", OtherResult()),
        ("filter-result", " " * (MOST_CHARACTERS + 1), LargeResults()),
    ],
)
def test_what_cannot_be_read_is_named_and_the_rest_is_kept(suffix: str, text: str, problem: Problem) -> None:
    results = read({**written(bind_result=json.dumps({"DefaultBinder": "success"})), PREFIX + suffix: text})

    assert results.problems == [problem]
    if len(text) < MOST_CHARACTERS:
        assert results.attempts[0].document == {"bind": {"DefaultBinder": "success"}}


def test_endless_history_keeps_the_latest_attempts() -> None:
    entries = [written(selected_node=f"n{number}") for number in range(MOST_ATTEMPTS + 5)]

    results = read(written(result_history=json.dumps(entries)))

    assert len(results.attempts) == MOST_ATTEMPTS
    assert results.attempts[-1].number == MOST_ATTEMPTS + 5
    assert results.problems == [LongHistory("result-history", MOST_ATTEMPTS)]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('a1"\\\u00e9\x00', max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('a1"\\\u00e9\x00', max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)
_SUFFIXES = st.sampled_from(
    ["filter-result", "score-result", "prefilter-result", "prefilter-result-status", "selected-node", "result-history"]
)


@settings(deadline=None)
@given(st.dictionaries(_SUFFIXES, st.text('a{}[]:,"1\\', max_size=30) | _JSON.map(json.dumps), max_size=4))
def test_no_content_breaks_the_reader(texts: dict[str, str]) -> None:
    results = read({PREFIX + suffix: text for suffix, text in texts.items()})

    for attempt in results.attempts:
        assert attempt.document
