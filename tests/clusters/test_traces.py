"""Lists in the openb format: what they say, and what is said about bad ones."""

from __future__ import annotations

import pytest

from clusters.adapters.bad_input import BadInput
from clusters.adapters.traces.openb import MOST_BYTES, read_nodes, read_pods
from clusters.wording.problems import problem_sentence
from tests.support.answers import error_of

NODES = b"sn,cpu_milli,memory_mib,gpu,model\n"
PODS = (
    b"name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
)


def test_a_list_of_nodes() -> None:
    read = read_nodes(b"\xef\xbb\xbf" + NODES + b"n-0,32000,262144,0,\r\n\nn-1,96000,393216,8,G2\n")

    assert read == [
        {"sn": "n-0", "cpu_milli": 32000, "memory_mib": 262144, "gpu": 0, "model": None},
        {"sn": "n-1", "cpu_milli": 96000, "memory_mib": 393216, "gpu": 8, "model": "G2"},
    ]


def test_a_list_of_pods() -> None:
    (pod,) = read_pods(PODS + b"p-0,12000,16384,1,460,V100M16|V100M32,LS,Pending,5,7.0,\n")

    assert pod == {
        "name": "p-0",
        "cpu_milli": 12000,
        "memory_mib": 16384,
        "num_gpu": 1,
        "gpu_milli": 460,
        "gpu_spec": "V100M16|V100M32",
        "qos": "LS",
        "pod_phase": "Pending",
        "creation_time": 5,
        "deletion_time": 7,
        "scheduled_time": None,
    }


def test_a_list_may_lack_what_it_has_no_need_of() -> None:
    (pod,) = read_pods(b"name,cpu_milli,memory_mib,num_gpu,gpu_milli\np-0,12000,16384,1,460\n")
    (node,) = read_nodes(b"sn,cpu_milli,memory_mib,gpu\nn-0,32000,262144,8\n")

    assert pod == {"name": "p-0", "cpu_milli": 12000, "memory_mib": 16384, "num_gpu": 1, "gpu_milli": 460}
    assert node == {"sn": "n-0", "cpu_milli": 32000, "memory_mib": 262144, "gpu": 8}


def test_a_list_that_lacks_what_decides_is_refused() -> None:
    caught = error_of(BadInput, read_pods, b"name,memory_mib,num_gpu\np-0,16384,1\n")

    assert problem_sentence(caught.problem) == "There is no cpu_milli."


GOOD = b"p-0,1,1,0,0,,LS,Running,0,9,0\n"


@pytest.mark.parametrize(
    ("data", "place", "problem"),
    [
        (b"", "", "It is empty."),
        (b"name,cpu_milli\n", "line 1", "There is no memory_mib."),
        (PODS.replace(b"qos", b"name"), "line 1, column 7 (name)", "name is there twice."),
        (PODS + GOOD + b"p-1,-5,1,0,0,,LS,Running,0,9,0\n", "line 3, column 2 (cpu_milli)", "'-5' is not a whole"),
        (PODS + b"p-1,1" + b"0" * 30 + b",1,0,0,,LS,,0,9,0\n", "line 2, column 2 (cpu_milli)", "is not a whole number"),
        (PODS + b"p-1,1,1,0,1001,,LS,,0,9,0\n", "line 2, column 5 (gpu_milli)", "1001 is not a whole number from 0 to"),
        (PODS + b"p-1,1,1,0,0,,LS,,,9,0\n", "line 2, column 9 (creation_time)", "It is empty."),
        (
            PODS + b"p-1,1,1,0,0,,LS,,9,8,0\n",
            "line 2, column 10 (deletion_time)",
            "be ≥ creation_time (9), not 8.",
        ),
        (PODS + b"=cmd|' /C calc'!A0,1,1,0,0,,LS,,0,9,0\n", "line 2, column 1 (name)", "\"=cmd|' /C calc'!A0\" is not"),
        (PODS + b"p,1,1,0,0,=A1|T4,LS,,0,9,0\n", "line 2, column 6 (gpu_spec)", "'=A1|T4' is not valid here"),
        (PODS + b"p,1,1,0,0,,+1,,0,9,0\n", "line 2, column 7 (qos)", "'+1' is not valid here"),
        (PODS + GOOD + GOOD, "line 3, column 1 (name)", "p-0 is in line 2, too."),
        (PODS + b"p,1,1\n", "line 2", "It has 3 cells, and the first line 11."),
        (PODS + b"p\0,1,1,0,0,,LS,,0,9,0\n", "line 2", "It is not plain text."),
        (PODS + b"\xff,1,1,0,0,,LS,,0,9,0\n", "line 2", "It is not plain text."),
        (PODS + b"p" * 5000 + b",1,1,0,0,,LS,,0,9,0\n", "line 2", "It has more than 4 KiB."),
        (PODS + b'"p"x,1,1,0,0,,LS,,0,9,0\n', "line 2", "It is not CSV"),
        (PODS + b'"p,1,1,0,0,,LS,,0,9,0\n', "line 2", "It is not CSV"),
        (b"x," * 100 + b"\n", "line 1", "101 entries exceed the limit of 64."),
        (b"a" * (MOST_BYTES + 1), "", "It has more than 16 MiB."),
    ],
)
def test_a_bad_list_names_its_place(data: bytes, place: str, problem: str) -> None:
    caught = error_of(BadInput, read_pods, data, "pods.csv")

    assert caught.file == "pods.csv"
    assert caught.field == place
    assert problem in problem_sentence(caught.problem)
    assert len(str(caught)) < 500


def test_too_many_rows() -> None:
    rows = b"".join(b"n-%d,1,1,0,\n" % number for number in range(20_001))

    caught = error_of(BadInput, read_nodes, NODES + rows)

    assert caught.field == "line 20002"
