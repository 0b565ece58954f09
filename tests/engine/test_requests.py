"""What a pod requests: the arithmetic over containers, init containers, sidecars, the pod itself and its overhead."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from clusters.engine.analysis import LargerThanNodes, ReservedForResource, circumstances, finding_of
from clusters.engine.quantity import MAX_INT64, QuantityError, milli_value, nano_units, parsed, taken_over, whole_value
from clusters.engine.resources import (
    base_amount,
    is_extended,
    is_scalar,
    node_amounts,
    pod_amounts,
    scheduled_amounts,
)
from clusters.engine.workloads import CrashLoop, crash_loops
from clusters.engine.workloads.pods import delay_before, is_restarted, phase_of
from clusters.wording.problems import remedy_sentence
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.support.answers import error_of


def a_container(name: str = "c", **requests: str) -> Document:
    """A container; an underscore in the name of a resource stands for a dash."""
    return {"name": name, "resources": {"requests": {key.replace("_", "-"): text for key, text in requests.items()}}}


def a_sidecar(name: str = "s", **requests: str) -> Document:
    return {**a_container(name, **requests), "restartPolicy": "Always"}


def pod_of(*containers: Document, starting: tuple[Document, ...] = (), status: Any = None, **spec: Any) -> Document:
    return {
        "spec": {"containers": list(containers), "initContainers": list(starting), **spec},
        "status": status or {},
    }


# -- sums --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starting", "milli"),
    [
        pytest.param((), 100, id="one container"),
        pytest.param((a_sidecar(cpu="200m"),), 300, id="a sidecar runs on beside it"),
        # While the init container runs, only the sidecars before it run: 200 + 300.
        pytest.param((a_sidecar(cpu="200m"), a_container(cpu="300m")), 500, id="sidecar, then init"),
        pytest.param((a_container(cpu="250m"), a_sidecar(cpu="200m")), 300, id="init, then sidecar"),
        # 200; 200 + 900; 600; 600 + 50 while starting, and 100 + 200 + 400 after it.
        pytest.param(
            (a_sidecar(cpu="200m"), a_container(cpu="900m"), a_sidecar(cpu="400m"), a_container(cpu="50m")),
            1100,
            id="the moment of the highest use counts",
        ),
        pytest.param(
            (a_sidecar(cpu="200m"), a_container(cpu="300m"), a_sidecar(cpu="400m"), a_container(cpu="50m")),
            700,
            id="running is the moment of the highest use",
        ),
    ],
)
def test_init_containers_and_sidecars(starting: tuple[Document, ...], milli: int) -> None:
    assert pod_amounts(pod_of(a_container(cpu="100m"), starting=starting)) == {"cpu": milli}


# -- names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resource", "extended", "scalar"),
    [
        ("cpu", False, False),
        ("memory", False, False),
        ("storage", False, False),
        ("gpu", False, False),
        ("example.com/gpu", True, True),
        ("requests.example.com/gpu", False, False),
        ("kubernetes.io/gpu", False, True),
        ("gpu.kubernetes.io/gpu", False, True),
        ("hugepages-2Mi", False, True),
        ("attachable-volumes-aws-ebs", False, True),
    ],
)
def test_names_of_resources_that_are_counted(resource: str, extended: bool, scalar: bool) -> None:
    assert (is_extended(resource), is_scalar(resource)) == (extended, scalar)
    assert (resource in scheduled_amounts({resource: 1})) == (scalar or resource in ("cpu", "memory"))
    assert (resource in node_amounts({resource: "1"})) == (scalar or resource in ("cpu", "memory"))


@pytest.mark.parametrize(
    ("resource", "quantity", "number"),
    [("cpu", "0.5", 500), ("cpu", "100u", 1), ("memory", "1.5", 2), ("example.com/gpu", "1100m", 2), ("cpu", 2, 2000)],
)
def test_base_units(resource: str, quantity: Any, number: int) -> None:
    assert base_amount(resource, quantity) == number
    assert pod_amounts(pod_of({"resources": {"requests": {resource: quantity}}})) == {resource: number}


@given(
    running=st.lists(st.integers(0, 5000), max_size=4),
    starting=st.lists(st.tuples(st.integers(0, 5000), st.booleans()), max_size=4),
)
def test_enough_for_every_moment_and_no_more(running: list[int], starting: list[tuple[int, bool]]) -> None:
    """The request is the highest of what is held at any moment: while each init container runs, and afterwards."""
    pod = pod_of(
        *(a_container(f"c{number}", cpu=f"{milli}m") for number, milli in enumerate(running)),
        starting=tuple(
            (a_sidecar if stays else a_container)(f"i{number}", cpu=f"{milli}m")
            for number, (milli, stays) in enumerate(starting)
        ),
    )
    moments = [
        milli + sum(other for other, other_stays in starting[:number] if other_stays)
        for number, (milli, _) in enumerate(starting)
    ]
    moments.append(sum(running) + sum(milli for milli, stays in starting if stays))

    assert pod_amounts(pod).get("cpu", 0) == max(moments)


POWERS_OF_TEN = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
POWERS_OF_TWO = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


# What Go's own Quantity answers (k8s.io/apimachinery v0.34.1): text, Value(), MilliValue().
@pytest.mark.parametrize(
    ("text", "units", "thousandths"),
    [
        ("0", 0, 0),
        ("1", 1, 1000),
        ("0.1", 1, 100),
        ("100m", 1, 100),
        ("0.1m", 1, 1),
        ("1n", 1, 1),
        ("0.1n", 1, 1),
        ("1u", 1, 1),
        ("999999999n", 1, 1000),
        ("1000000000n", 1, 1000),
        ("1.0000000001", 2, 1001),
        ("1k", 1000, 1000000),
        ("1M", 1000000, 1000000000),
        ("1G", 1000000000, 1000000000000),
        ("1T", 1000000000000, 1000000000000000),
        ("1P", 1000000000000000, 1000000000000000000),
        ("1E", 1000000000000000000, 0),
        ("1Ki", 1024, 1024000),
        ("1.5Gi", 1610612736, 1610612736000),
        ("0.1Ki", 103, 102400),
        ("1Ei", 1152921504606846976, -9223372036854775808),
        ("8Ei", 9223372036854775807, -1000),
        ("16Ei", 9223372036854775807, -1000),
        ("7.9999Ei", 9223256744704315124, -115292150460684697),
        ("1e3", 1000, 1000000),
        ("1E3", 1000, 1000000),
        ("1e-3", 1, 1),
        ("1E+2", 100, 100000),
        ("1e-300", 1, 1),
        ("1e300", 0, 0),
        ("5.", 5, 5000),
        (".5", 1, 500),
        ("+5", 5, 5000),
        ("-5", -5, -5000),
        ("-5m", -1, -5),
        ("-1.5", -2, -1500),
        ("0009", 9, 9000),
        ("00.500Mi", 524288, 524288000),
        ("9223372036854775807", 9223372036854775807, -1000),
        ("9223372036854775808", -9223372036854775808, 0),
        ("9223372036854775", 9223372036854775, 9223372036854775000),
        ("9223372036854776", 9223372036854776, -9223372036854775616),
        ("100E", 0, 0),
        ("10P", 10000000000000000, 0),
        ("518M", 518000000, 518000000000),
        ("20G", 20000000000, 20000000000000),
        ("236939447078M", 236939447078000000, -2868225880224171008),
        ("440159887531829790M", 2127189046178890624, 5813477702292188160),
        ("1234567890123456789", 1234567890123456789, -1363962815083169272),
    ],
)
def test_values_are_those_of_go(text: str, units: int, thousandths: int) -> None:
    assert (whole_value(text), milli_value(text)) == (units, thousandths)


@pytest.mark.parametrize(
    ("number", "thousandths"),
    [
        (3, 3000),
        (0, 0),
        (-2, -2000),
        (0.1, 100),
        (1.5, 1500),
        (1e-7, 1),
        (1e16, 0),
        (2**53, 2**53 * 1000),
    ],
)
def test_numbers_are_read_as_the_literals_of_json(number: float, thousandths: int) -> None:
    assert milli_value(number) == thousandths


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "1.5Gi ",
            " 1",
            "1 Gi",
            "1\n",
            "1K",
            "1_000",
            "1,5",
            "NaN",
            "nan",
            "Inf",
            "Infinity",
            "0x10",
            "Gi",
            "e5",
            ".",
            "+",
            "-",
        ),
        *(
            "1..2",
            "1.2.3",
            "--1",
            "+-1",
            "1e",
            "1e+",
            "1e1.5",
            "1e5k",
            "1mi",
            "1ki",
            "1KiB",
            "1B",
            "1mm",
            "1i",
            "١",
            "1²",
            "9" * 129,
        ),
    ],
)
def test_what_is_not_in_the_grammar_is_refused(text: str) -> None:
    for read in (whole_value, milli_value):
        assert remedy_sentence(error_of(QuantityError, read, text).problem).startswith("Write ")


@pytest.mark.parametrize("given_value", [True, False, None, {}, [], float("nan"), float("inf"), b"1"])
def test_what_is_no_number_is_refused(given_value: object) -> None:
    whole_value(1)
    whole_value(0)
    with pytest.raises(QuantityError):
        whole_value(given_value)  # type: ignore[arg-type]


def test_a_number_too_long_to_print_is_refused() -> None:
    with pytest.raises(QuantityError, match="NotAQuantity"):
        whole_value(10**5000)


def test_the_cache_does_not_take_true_for_one() -> None:
    assert whole_value(1) == whole_value("1") == whole_value(1.0) == 1
    with pytest.raises(QuantityError):
        whole_value(True)


numbers = st.tuples(st.integers(0, 10**9), st.text("0123456789", max_size=12)).map(lambda pair: f"{pair[0]}.{pair[1]}")


@given(numbers, st.sampled_from([*POWERS_OF_TEN, *POWERS_OF_TWO]), st.sampled_from([0, 3]))
def test_the_value_is_the_exact_one_rounded_up(number: str, suffix: str, places: int) -> None:
    factor = Fraction(10) ** POWERS_OF_TEN[suffix] if suffix in POWERS_OF_TEN else Fraction(2) ** POWERS_OF_TWO[suffix]
    exact = Fraction(Decimal(number)) * factor * 10**places
    assume(exact <= MAX_INT64)
    assert (milli_value if places else whole_value)(number + suffix) == math.ceil(exact)


# What Go's own Quantity answers: texts, then Value() and MilliValue() of their sum and of the greatest, in this order.
@pytest.mark.parametrize(
    ("texts", "total", "greatest"),
    [
        (["4Ei", "4Ei"], (-9223372036854775808, 0), (4611686018427387904, 0)),
        (["8Ei", "1"], (-9223372036854775808, 0), (9223372036854775807, -1000)),
        (["9223372036854775", "2"], (9223372036854777, -9223372036854774616), (9223372036854775, 9223372036854775000)),
        (["9223372036854775807", "1"], (-9223372036854775808, 0), (9223372036854775807, -1000)),
        (["1.5", "-0.1n", "8Ei"], (-9223372036854775807, 500), (9223372036854775807, -1000)),
        (["-5m", "2"], (2, 1995), (2, 2000)),
        (["1E", "9E"], (0, 0), (9000000000000000000, 0)),
        (["100m", "9223372036854775807"], (-9223372036854775808, -900), (9223372036854775807, -1000)),
        (["0Ei", "-9223372036854775807Ei"], (-9223372036854775807, 1000), (0, 0)),
        (["1000E", "9223372036854775808"], (-5347552017170563072, 2003764205206896640), (0, 0)),
        (["9223372036854775808", "1000E"], (-5347552017170563072, 2003764205206896640), (3875820019684212736, 0)),
        (["3k", "4Pi", "1n"], (4503599627373497, 4503599627373496001), (4503599627370496, 4503599627370496000)),
        (["-8Ei", "-8Ei"], (2, 2000), (-9223372036854775807, 1000)),
    ],
)
def test_sums_and_comparisons_are_those_of_go(
    texts: list[str], total: tuple[int, int], greatest: tuple[int, int]
) -> None:
    first, *others = map(parsed, texts)
    added = highest = first
    for other in others:
        added = added + other
        if other > highest:
            highest = taken_over(other, highest)

    assert (added.scaled(0), added.scaled(3)) == total
    assert (highest.scaled(0), highest.scaled(3)) == greatest


@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from([*POWERS_OF_TEN, *POWERS_OF_TWO])), min_size=1))
def test_sums_are_exact_in_nano_units(parts: list[tuple[int, str]]) -> None:
    texts = [f"{number}{suffix}" for number, suffix in parts]
    total = parsed(texts[0])
    for text in texts[1:]:
        total = total + parsed(text)
    exact = sum(map(nano_units, texts))

    assert exact == total.unscaled * Fraction(10) ** (total.exponent + 9)
    if exact <= MAX_INT64:
        assert total.scaled(0) == math.ceil(Fraction(exact, 10**9))


@given(st.text(alphabet="0123456789.+-eEnumkKMGTPi _", max_size=40))
def test_any_text_gives_an_int64_or_an_error(text: str) -> None:
    try:
        answers = (whole_value(text), milli_value(text))
    except QuantityError:
        return
    assert all(-MAX_INT64 - 1 <= answer <= MAX_INT64 for answer in answers)


@pytest.mark.parametrize(
    ("requests", "larger"),
    [
        ({"cpu": "9"}, [LargerThanNodes("cpu", 9_000, 8_000, "closed")]),
        # It is no larger than a node, though no node has as much free.
        ({"cpu": "8"}, []),
        ({"cpu": "5", "memory": "17Gi"}, [LargerThanNodes("memory", 17 * 2**30, 16 * 2**30, "closed")]),
        ({"example.com/gpu": "1"}, [LargerThanNodes("example.com/gpu", 1, 0, "")]),
        # The devices are there, and not offered.
        ({"example.com/nic": "2"}, []),
    ],
)
def test_a_pod_that_is_larger_than_any_node_is_told_from_one_for_which_there_is_no_room(
    requests: dict[str, str], larger: list[LargerThanNodes]
) -> None:
    node = a_node("n", allocatable={"cpu": "6", "example.com/nic": "1"})
    node["status"]["capacity"] = {**node["status"]["allocatable"], "example.com/nic": "2"}
    closed = a_node("closed", unschedulable=True)

    explanation = explanation_of(a_pod(requests=requests), node, closed, a_pod("old", node="n", requests={"cpu": "2"}))

    assert [each for each in circumstances(explanation) if isinstance(each, LargerThanNodes)] == larger
    assert finding_of(explanation).cause.is_too_large is any(each.node for each in larger)


def test_nodes_that_are_kept_for_a_resource_are_told_to_pods_that_request_it() -> None:
    taints = [{"key": "example.com/gpu", "effect": "NoSchedule"}, {"key": "gold", "effect": "NoSchedule"}]
    kept = a_node("kept", allocatable={"example.com/gpu": "2"}, taints=taints[:1])
    gold = a_node("gold", taints=taints[1:])

    def told(**fields: Any) -> list[ReservedForResource]:
        found = circumstances(explanation_of(a_pod(requests={"example.com/gpu": "1"}, **fields), kept, gold))
        return [each for each in found if isinstance(each, ReservedForResource)]

    assert told() == [ReservedForResource("example.com/gpu", ("kept",), 1)]
    assert told(nodeSelector={"a": "b"}, tolerations=[{"key": "example.com/gpu", "operator": "Exists"}]) == []
    assert circumstances(explanation_of(a_pod(), kept, gold)) == []


@pytest.mark.parametrize(
    ("policy", "exit_code", "restarted", "phase"),
    [
        ("Always", 0, True, "Running"),
        ("OnFailure", 0, False, "Succeeded"),
        ("Never", 0, False, "Succeeded"),
        ("Always", 1, True, "Running"),
        ("OnFailure", 1, True, "Running"),
        ("Never", 1, False, "Failed"),
        # Out of memory is a failure like any other.
        ("OnFailure", 137, True, "Running"),
        ("Never", 137, False, "Failed"),
    ],
)
def test_e64_restart_policy_and_exit_of_the_only_container(
    policy: str, exit_code: int, restarted: bool, phase: str
) -> None:
    assert is_restarted(policy, exit_code) is restarted
    assert phase_of(policy, [exit_code]) == phase


@given(st.sampled_from(["Always", "OnFailure", "Never"]), st.lists(st.none() | st.integers(0, 255), min_size=1))
def test_a_pod_has_ended_once_no_container_runs_or_is_restarted(policy: str, codes: list[int | None]) -> None:
    goes_on = any(code is None or policy == "Always" or (policy == "OnFailure" and code > 0) for code in codes)
    assert (phase_of(policy, codes) == "Running") is goes_on
    if not goes_on:
        assert (phase_of(policy, codes) == "Succeeded") is all(code == 0 for code in codes)


def test_each_restart_waits_twice_as_long_up_to_five_minutes() -> None:
    assert [delay_before(restart) for restart in range(1, 10)] == [0, 10, 20, 40, 80, 160, 300, 300, 300]
    assert delay_before(10**9) == 300


def a_status(name: str, restarts: int, message: str = "", last: dict[str, object] | None = None) -> dict[str, object]:
    waiting = {"reason": "CrashLoopBackOff"} | ({"message": message} if message else {})
    ended = {"lastState": {"terminated": last}} if last else {}
    return {"name": name, "restartCount": restarts, "state": {"waiting": waiting}, **ended}


@pytest.mark.parametrize(
    ("told", "seconds"), [("10s", 10), ("1m20s", 80), ("5m0s", 300), ("1h0m0s", 3600), ("1.5s", 1)]
)
def test_what_the_kubelet_tells_counts(told: str, seconds: int) -> None:
    pod = {"status": {"containerStatuses": [a_status("main", 3, f"back-off {told} restarting failed container")]}}
    (loop,) = crash_loops(pod)
    assert (loop.restart, loop.delay, loop.is_told) == (4, seconds, True)


def test_containers_that_wait_to_be_restarted_are_found() -> None:
    ready = {"name": "side", "restartCount": 9, "state": {"running": {}}}
    pulling = {"name": "late", "restartCount": 0, "state": {"waiting": {"reason": "ImagePullBackOff"}}}
    last: dict[str, object] = {"reason": "OOMKilled", "exitCode": 137, "finishedAt": "2026-01-01T00:00:10Z"}
    pod = {
        "status": {
            "initContainerStatuses": [a_status("first", 1)],
            "containerStatuses": [ready, pulling, a_status("main", 6, last=last)],
        }
    }
    assert list(crash_loops(pod)) == [
        CrashLoop("first", 2, 10, False, "", "", None),
        CrashLoop("main", 7, 300, False, "2026-01-01T00:00:10Z", "OOMKilled", 137),
    ]
    assert list(crash_loops({})) == []


@given(st.integers(0, 10**15), st.integers(0, 3))
def test_every_spelling_of_an_amount_is_the_same(number: int, thousands: int) -> None:
    suffix = ("", "k", "M", "G")[thousands]
    assert (
        whole_value(f"{number}{suffix}")
        == whole_value(f"{number}e{3 * thousands}")
        == whole_value(f"{number}E+{3 * thousands}")
    )
    assert whole_value(f"+00{number}.000") == whole_value(number) == number


@given(st.integers(0, 10**9), st.sampled_from(list(POWERS_OF_TEN)[:7]))
def test_a_negative_amount_mirrors_the_positive(number: int, suffix: str) -> None:
    assert whole_value(f"-{number}{suffix}") == -whole_value(f"{number}{suffix}")
