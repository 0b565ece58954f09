"""CEL expressions answer as kube-scheduler's do, and each answer is given again only where it holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.adapters.cel import compiled_selector
from clusters.adapters.cel.selectors import compile_selector
from clusters.adapters.cel.semver import Version
from clusters.engine.devices.inventory import Device, DeviceSlice
from clusters.engine.devices.selecting import CompileError, EvaluationError, UnsupportedExpressionError
from tests.engine.device_builders import DRIVER, a_device, a_slice

OWN = f'device.attributes["{DRIVER}"]'
AMOUNT = f'device.capacity["{DRIVER}"]'
FULL = a_device(
    model="a100",
    memory="40Gi",
    attributes={
        "count": {"int": 3},
        "healthy": {"bool": True},
        "version": {"version": "1.2.3"},
        "other.example.com/kind": {"string": "x"},
    },
)


def read(device: dict[str, Any]) -> Device:
    return DeviceSlice.from_dict(a_slice(device)).devices[0]


@pytest.mark.parametrize(
    ("expression", "selected"),
    [
        (f'device.driver == "{DRIVER}"', True),
        (f'{OWN}.model == "a100"', True),
        (f'{OWN}["model"] in ["b", "a100"]', True),
        (f"{OWN}.count >= 3 && {OWN}.healthy", True),
        (f"{OWN}.count == 3.0", True),
        (f"{OWN}.count + 1 == 4", True),
        (f"{OWN}.model == 1", False),
        (f"{OWN}.model != 1", True),
        (f"!{OWN}.healthy || {OWN}.count < 2", False),
        (f"has({OWN}.absent)", False),
        (f"has({OWN}.model)", True),
        (f'"model" in {OWN}', True),
        ('"absent.example.com" in device.attributes', False),
        ('"other.example.com" in device.attributes', True),
        ('device.attributes["other.example.com"].kind == "x"', True),
        (f"{OWN}.absent == 1 || true", True),
        (f'{OWN}.exists(name, name.startsWith("ver"))', True),
        ('device.attributes["absent.example.com"].size() == 0', True),
        (f'{AMOUNT}.memory.compareTo(quantity("40Gi")) == 0', True),
        (f'{AMOUNT}.memory.isGreaterThan(quantity("39.9Gi"))', True),
        (f'{AMOUNT}.memory.isLessThan(quantity("40G"))', False),
        (f'{AMOUNT}.memory == quantity("40960Mi")', True),
        ("device.allowMultipleAllocations", False),
        ("device.allowMultipleAllocations == false", True),
        (f'{AMOUNT}.memory.sub(quantity("1Gi")).add(1024).isLessThan(quantity("40Gi"))', True),
        (f"{AMOUNT}.memory.asInteger() == 42949672960", True),
        (f'{OWN}.version.isGreaterThan(semver("1.2.0"))', True),
        (f'{OWN}.version.compareTo(semver("1.2.3+build")) == 0', True),
        (f"{OWN}.version.major() == 1 && {OWN}.version.patch() == 3", True),
        ('isSemver("1.2") || isQuantity("x")', False),
        ('semver("v1.2", true) == semver("1.2.0")', True),
        (f'cel.bind(own, {OWN}, own.model == "a100" && own.count == 3)', True),
        (f'{OWN}.model.upperAscii().matches("^A1.*$")', True),
        (f'{OWN}.model.split("1")[0] == "a"', True),
    ],
)
def test_an_expression_selects_a_device_or_not(expression: str, selected: bool) -> None:
    assert compiled_selector(expression).matches(DRIVER, read(FULL)) is selected


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        (f"{OWN}.absent == 1", "no such key: absent"),
        (f'{OWN}["absent"] == 1', "no such key: absent"),
        (f"{OWN}.model < 3", "no such overload"),
        (f"{OWN}.model", "CEL result of type StringType could not be converted to bool"),
    ],
)
def test_an_expression_that_fails_says_what_the_scheduler_says(expression: str, error: str) -> None:
    for _ in range(2):
        with pytest.raises(EvaluationError, match=f"^{error}$"):
            compiled_selector(expression).matches(DRIVER, read(FULL))


def test_what_is_no_expression_does_not_compile() -> None:
    with pytest.raises(CompileError):
        compile_selector("device.driver ==")


@pytest.mark.parametrize(
    "expression",
    [
        "ip('1.2.3.4').isLoopback()",
        "true || " * 2000 + "true",
        "[1].reduce(a, b, 0, a)",
    ],
)
def test_what_is_not_supported_is_said_and_not_guessed(expression: str) -> None:
    with pytest.raises(UnsupportedExpressionError):
        compile_selector(expression).matches(DRIVER, read(FULL))


@pytest.mark.unmeasured
def test_an_expression_that_costs_too_much_is_given_up() -> None:
    numbers = str(list(range(60)))
    nested = f"{numbers}.all(a, {numbers}.all(b, {numbers}.all(c, a + b + c >= 0)))"

    with pytest.raises(UnsupportedExpressionError):
        compile_selector(nested).matches(DRIVER, read(FULL))


VALUES = st.fixed_dictionaries(
    {}, optional={"model": st.sampled_from(["a", "b"]), "count": st.integers(0, 2), "serial": st.integers()}
)


@given(devices=st.lists(VALUES, max_size=8))
def test_answers_that_are_given_again_are_those_of_a_new_evaluation(devices: list[dict[str, Any]]) -> None:
    expression = f'has({OWN}.count) && {OWN}.count > 0 ? {OWN}.model == "a" : {OWN}.count == 0'
    kept = compile_selector(expression)
    for held in devices:
        attributes = {
            name: {"string": value} if isinstance(value, str) else {"int": value} for name, value in held.items()
        }
        device = read(a_device(attributes=attributes))
        assert outcome(kept, device) == outcome(compile_selector(expression), device)


def outcome(selector: Any, device: Device) -> object:
    try:
        return selector.matches(DRIVER, device)
    except EvaluationError as error:
        return str(error)


def test_versions_come_in_the_order_of_semver_org() -> None:
    ordered = [
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1",
        "1.10.0",
    ]

    assert sorted(map(Version.parse, reversed(ordered))) == list(map(Version.parse, ordered))
    assert Version.parse("1.0.0+a") == Version.parse("1.0.0+b")


@pytest.mark.parametrize("text", ["1", "1.2", "01.2.3", "1.2.3-01", "v1.2.3", "1.2.3-", ""])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{text}$"):
        Version.parse(text)


def test_devices_that_can_be_shared_are_told_from_others() -> None:
    selector = compiled_selector("device.allowMultipleAllocations")
    plain, shared = read(a_device()), read(a_device(allowMultipleAllocations=True))

    assert [selector.matches(DRIVER, device) for device in (plain, shared, plain)] == [False, True, False]
