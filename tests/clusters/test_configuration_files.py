"""A configuration is found where operators have it: alone, among other documents, in a ConfigMap or a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from clusters.adapters.bad_input import BadInput
from clusters.engine.versions import match_release
from clusters.services.files import read_configuration, read_configuration_text, read_kubelet_text
from clusters.wording.problems import problem_sentence, remedy_sentence
from tests.clusters.dumps import as_json, as_yaml, listed, pod
from tests.support.answers import error_of

if TYPE_CHECKING:
    from pathlib import Path

RELEASE = match_release("v1.34.0").release
POLICY = {"apiVersion": "v1", "kind": "Policy", "predicates": [{"name": "PodFitsResources"}]}


def configuration(scheduler: str = "packing") -> dict[str, Any]:
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": scheduler}],
    }


def config_map(**data: Any) -> dict[str, Any]:
    texts = {key: value if isinstance(value, str) else yaml.safe_dump(value) for key, value in data.items()}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "scheduler-config"}, "data": texts}


def documents(*found: dict[str, Any]) -> str:
    return "---\n".join(yaml.safe_dump(each) for each in found)


@pytest.mark.parametrize(
    "text",
    [
        documents(config_map(config=configuration())),
        documents(config_map(notes="nothing", config=configuration())),
        documents(pod(), config_map(config=configuration()), pod("other")),
        documents(pod(), configuration()),
        documents(configuration(), configuration()),
        documents(listed([pod(), config_map(config=configuration())])),
        documents(config_map(config=documents({"kind": "KubeletConfiguration"}, configuration()))),
        as_json(config_map(config=as_json(configuration()).decode())).decode(),
    ],
)
def test_the_one_configuration_is_found(text: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)

    for found in (read_configuration_text(text, RELEASE), read_configuration(path, RELEASE)):
        assert [profile.scheduler_name for profile in found.profiles] == ["packing"]


def test_policy_in_a_config_map_is_found() -> None:
    found = read_configuration_text(documents(config_map(**{"policy.cfg": as_json(POLICY).decode()})), RELEASE)

    assert [profile.scheduler_name for profile in found.profiles] == ["default-scheduler"]


def test_kubelet_configuration_in_a_config_map_is_found() -> None:
    kubelet = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "maxPods": 64}

    found = read_kubelet_text(documents(config_map(kubelet=kubelet)), is_windows=False)
    assert found == read_kubelet_text(documents(kubelet), is_windows=False)


def refused(text: str) -> BadInput:
    return error_of(BadInput, read_configuration_text, text, RELEASE)


def test_several_configurations_are_named() -> None:
    error = refused(documents(config_map(a=configuration("a")), pod(), configuration("b")))

    said = problem_sentence(error.problem)
    assert said == "It holds different configurations: document 1.data.a and document 3."
    assert "KubeSchedulerConfiguration" in remedy_sentence(error.problem)


def test_fault_in_the_data_of_a_config_map_has_its_place() -> None:
    error = refused(documents(config_map(config="kind: KubeSchedulerConfiguration\nprofiles: [\n")))

    assert error.field == "data.config"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (documents(pod()), "not 'Pod'."),
        (documents(config_map(notes="none")), "not 'ConfigMap'."),
        (documents(pod(), pod("other")), "It holds 2 documents."),
        ("", "It is empty."),
        ("NAME   READY   STATUS\nweb    1/1     Running\n", "Its format is kubectl-table"),
    ],
)
def test_refusal_says_what_it_is(text: str, said: str) -> None:
    assert said in problem_sentence(refused(text).problem)


def test_other_objects_are_no_configuration_of_a_dump(tmp_path: Path) -> None:
    path = tmp_path / "dump.yaml"
    path.write_bytes(as_yaml(pod()))

    caught = error_of(BadInput, read_configuration, path, RELEASE)

    assert (caught.file, caught.field) == ("dump.yaml", "kind")
