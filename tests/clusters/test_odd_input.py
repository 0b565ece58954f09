"""Input that is odd rather than broken: names that cannot be shown, values of the wrong shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.problems import problem_sentence
from tests.clusters.dumps import as_json, pod, refusal, tar

if TYPE_CHECKING:
    from pathlib import Path


def test_names_of_the_sender_cannot_steer_a_terminal_or_break_a_page(tmp_path: Path) -> None:
    name = "a\x1b[31m\udcff.json"
    subject = {**pod(), "metadata": {"name": "b\x00", "namespace": "c\x07"}}
    key = pod(containers=[{"resources": {"requests": {"cpu\x00": "much"}}}])

    assert refusal(tar({name: b"{"}), tmp_path, "dump.tar").file == "a\ufffd[31m\ufffd.json"
    assert refusal(as_json(subject), tmp_path).subject == "Pod c\ufffd/b\ufffd"
    assert refusal(as_json(key), tmp_path).field == "spec.containers[0].resources.requests.cpu\ufffd"


def test_value_that_aliases_make_deep_is_shown_briefly(tmp_path: Path) -> None:
    deep = "x: {" * 40
    shut = "}" * 40
    levels = [f"a0: &a0 {{{deep}{shut}}}"]
    levels += [f"a{level}: &a{level} {{{deep}y: *a{level - 1}{shut}}}" for level in range(1, 60)]
    lines = "".join(f"  {level}\n" for level in levels)

    error = refusal(
        f"kind: Pod\napiVersion: v1\nspare:\n{lines}metadata:\n  name: *a59\n".encode(), tmp_path, "dump.yaml"
    )

    assert error.field == "metadata.name"
    assert len(problem_sentence(error.problem)) < 120


def test_null_is_called_so(tmp_path: Path) -> None:
    error = refusal(as_json(pod(tolerations=[None])), tmp_path)

    assert problem_sentence(error.problem) == "null is not a map."
    assert error.field == "spec.tolerations[0]"


def test_record_of_an_odd_event_is_no_record(tmp_path: Path) -> None:
    assert "no apiVersion" in problem_sentence(refusal(as_json({"event": {}, "resource": {}}), tmp_path).problem)


def test_field_of_a_record_has_no_position(tmp_path: Path) -> None:
    error = refusal(as_json({"event": "Add", "resource": pod(priority="high")}), tmp_path)

    assert error.field == "resource.spec.priority"


def test_event_about_a_name_that_no_object_has(tmp_path: Path) -> None:
    """PostgreSQL has an index over what events are about, and takes no entry of any size."""
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "e"},
        "involvedObject": {"kind": "Pod", "name": "n" * 254},
    }

    assert refusal(as_json(event), tmp_path).field == "involvedObject.name"
