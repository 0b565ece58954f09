"""Expressions have the answers that each minor's scheduler gives: the value, the error, or why they do not compile.

``tests/data/cel/answers.jsonl.gz`` has them from ``k8s.io/dynamic-resource-allocation/cel`` v0.34.1, v0.35.4, v0.36.3
and v0.37.2: expressions written for one rule each, and generated ones over generated devices.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from clusters.adapters.cel.selectors import compile_selector
from clusters.engine.devices import CompileError, Device, DeviceSlice, EvaluationError, UnsupportedExpressionError
from clusters.engine.versions import RELEASES
from tests.engine.device_builders import DRIVER, a_slice

ANSWERS = Path(__file__).parent.parent / "data" / "cel" / "answers.jsonl.gz"
# What may be left open, by the name that is told; the words of syntax errors are the parser's own.
OPEN = {"timestamp", "duration", "net", "ip", "double", "matches", "?", "sort", "distinct", "sortBy", "[]", "{}"}
MOST_OPEN = 20


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    with gzip.open(ANSWERS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def device_of(row: dict[str, Any]) -> Device:
    device = {
        "name": "d",
        "attributes": row["attributes"],
        "capacity": row["capacity"],
        "allowMultipleAllocations": row["shared"],
    }
    return DeviceSlice.from_dict(a_slice(device)).devices[0]


def answer(row: dict[str, Any], minor: str) -> list[Any]:
    try:
        return ["value", compile_selector(row["expression"], RELEASES[minor].dialect).matches(DRIVER, device_of(row))]
    except CompileError as error:
        return ["compile", str(error)]
    except EvaluationError as error:
        return ["error", str(error)]
    except UnsupportedExpressionError as error:
        return ["open", str(error)]


def agrees(found: list[Any], expected: list[Any]) -> bool:
    is_syntax = found[0] == expected[0] == "compile" and "Syntax error" in found[1] and "Syntax error" in expected[1]
    return found == expected or is_syntax or (found[0] == "open" and found[1] in OPEN)


@pytest.mark.parametrize("minor", RELEASES)
def test_answers_are_the_scheduler_s(minor: str, rows: list[dict[str, Any]]) -> None:
    found = [(row["expression"], answer(row, minor), row["answers"][minor]) for row in rows]

    assert [each for each in found if not agrees(*each[1:])] == []
    assert sum(mine[0] == "open" for _, mine, _ in found) <= MOST_OPEN
