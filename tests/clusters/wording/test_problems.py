"""Problems are worded, each of them, and are what they were after a row has stored them."""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
import subprocess
import sys
import typing

import pytest

import clusters.engine
import clusters.problems
from clusters.documents.stored_problems import decoded, encoded
from clusters.engine.problems import NotOneOf, OutOfRange, Problem, Quoted, TooMany
from clusters.problems.inputs import FileForm
from clusters.wording.problems import problem_sentence, remedy_sentence, worded_problems

_VALUES: dict[object, object] = {
    str: "'x'",
    int: 3,
    float: 1.5,
    bool: True,
    tuple[str, ...]: ("a", "b"),
    tuple[int, ...]: (1, 2),
    tuple[tuple[str, ...], ...]: (("a",), ("b", "c")),
    Problem: TooMany(3, 2),
    FileForm: FileForm.IMAGE,
}


# What decides whether an object is taken.
ADMITTING = ("clusters.engine.admission", "clusters.engine.quotas")


def all_problems() -> list[type[Problem]]:
    for package in (clusters.engine, clusters.problems):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return sorted(set(below(Problem)), key=lambda each: each.__name__)


def below(base: type[Problem]) -> typing.Iterator[type[Problem]]:
    for each in base.__subclasses__():
        # A dataclass with slots is made from another class of its name.
        if getattr(importlib.import_module(each.__module__), each.__name__) is each:
            yield each
        yield from below(each)


def example(kind: type[Problem]) -> Problem:
    hints = typing.get_type_hints(kind)
    return kind(**{each.name: _VALUES[_plain(hints[each.name])] for each in dataclasses.fields(kind)})  # type: ignore[arg-type]


def _plain(hint: object) -> object:
    """Return the type of a field that may also be None."""
    return next((each for each in typing.get_args(hint) if hint not in _VALUES and each is not type(None)), hint)


@pytest.mark.parametrize("kind", all_problems())
def test_every_problem_has_words(kind: type[Problem]) -> None:
    assert kind in worded_problems()
    assert problem_sentence(example(kind))
    assert "%(" not in problem_sentence(example(kind)) + remedy_sentence(example(kind))


@pytest.mark.parametrize("kind", [kind for kind in all_problems() if kind.__module__.startswith(ADMITTING)])
def test_what_the_api_server_says_alone_ends_without_a_full_stop(kind: type[Problem]) -> None:
    assert problem_sentence(example(kind)).endswith(".") is not kind.in_api_words


@pytest.mark.parametrize("kind", all_problems())
def test_a_stored_problem_is_what_it_was(kind: type[Problem]) -> None:
    assert decoded(encoded(example(kind))) == example(kind)


def test_a_process_without_words_reads_what_rows_hold() -> None:
    stored = [encoded(example(kind)) for kind in all_problems()]
    script = (
        "import json, sys; from clusters.documents.stored_problems import decoded\n"
        "print([type(decoded(each)).__name__ for each in json.load(sys.stdin)], 'clusters.wording' in sys.modules)"
    )

    said = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(stored), capture_output=True, text=True, check=True
    ).stdout

    assert said.strip() == f"{[kind.__name__ for kind in all_problems()]} False"


def test_no_two_problems_have_one_name() -> None:
    names = [each.__name__ for each in all_problems()]

    assert sorted(set(names)) == names


def test_a_problem_is_said_with_what_would_be_right() -> None:
    assert problem_sentence(NotOneOf("'Nevr'", ("Never", "Always"))) == "'Nevr' is not known."
    assert remedy_sentence(NotOneOf("'Nevr'", ("Never", "Always"))) == "Write Never or Always."
    assert remedy_sentence(OutOfRange("0", 1, 20_000)) == "Write a whole number from 1 to 20\u202f000."
    assert problem_sentence(TooMany(1, 0)) == "It has 1 entry."


def test_rows_of_earlier_releases_are_quoted() -> None:
    assert decoded("It holds neither nodes nor pods.", "Dump both.") == Quoted(
        "It holds neither nodes nor pods.", "Dump both."
    )


def test_rows_that_hold_the_text_of_a_problem_are_quoted() -> None:
    assert decoded({"kind": "LiveObjectUnreadable", "text": "Pod shop/web: spec: wrong."}) == Quoted(
        "Pod shop/web: spec: wrong."
    )


@pytest.mark.parametrize("stored", [{"kind": "NoSuchProblem", "found": "x"}, {"kind": "TooMany", "found": "many"}, {}])
def test_what_only_another_release_knows_is_quoted(stored: dict[str, str]) -> None:
    problem = decoded(stored)

    assert isinstance(problem, Quoted)
    assert problem.text == str(stored)
