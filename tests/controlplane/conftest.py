"""The control plane as fixtures: one for the session, and what a test puts on it gone afterwards; and one to spoil."""

from __future__ import annotations

import shutil
import uuid
from typing import TYPE_CHECKING

import pytest

from tests.controlplane import binaries
from tests.controlplane.nodes import create_node, wait_until_untainted
from tests.controlplane.plane import ControlPlane

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from tests.controlplane.api import Api

_PLANES = pytest.StashKey[list[ControlPlane]]()
_MEASUREMENTS = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_PLANES] = []
    config.stash[_MEASUREMENTS] = []


@pytest.fixture(scope="session")
def control_plane(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """Run a control plane. Its directory, with the logs, is kept when a test has failed."""
    yield from _run(request, tmp_path_factory)


@pytest.fixture
def own_control_plane(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ControlPlane]:
    """Run a control plane for one test, which leaves more behind than anybody wants to wait for until it is removed."""
    yield from _run(request, tmp_path_factory)


@pytest.fixture
def grouping_control_plane(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ControlPlane]:
    """Run a control plane for one test that schedules groups of pods, and groups of these."""
    gates = ("GenericWorkload", "TopologyAwareWorkloadScheduling", "CompositePodGroup")
    served = ("scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha3")
    yield from _run(
        request,
        tmp_path_factory,
        gates=",".join(f"{gate}=true" for gate in gates),
        served=",".join(f"{api}=true" for api in served),
    )


@pytest.fixture
def measurements(request: pytest.FixtureRequest) -> list[str]:
    """Return where lines go that are shown at the end, also of tests that pass."""
    return request.config.stash[_MEASUREMENTS]


def _run(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, *, gates: str = "", served: str = ""
) -> Iterator[ControlPlane]:
    programs = binaries.find()
    binaries.check_versions(programs)
    folder = tmp_path_factory.mktemp("controlplane")
    plane = ControlPlane(folder, programs, gates=gates, served=served)
    running = request.config.stash[_PLANES]
    running.append(plane)
    try:
        plane.start()
        yield plane
    finally:
        plane.stop()
        running.remove(plane)
        if not request.session.testsfailed:
            shutil.rmtree(folder)


@pytest.fixture
def api(control_plane: ControlPlane) -> Api:
    """Return the administrator's connection."""
    return control_plane.api


@pytest.fixture
def create_nodes(control_plane: ControlPlane) -> Iterator[Callable[[int], list[str]]]:
    """Return a function that creates so many nodes in three zones and waits until pods can go there."""
    api = control_plane.api
    created: list[str] = []

    def create(count: int) -> list[str]:
        names = [f"node-{number:04}" for number in range(len(created), len(created) + count)]
        created.extend(names)
        for number, name in enumerate(names):
            create_node(api, name, labels={"topology.kubernetes.io/zone": f"zone-{'abc'[number % 3]}"})
        wait_until_untainted(api, names)
        return names

    yield create
    for node in api.objects("v1", "Node"):
        api.delete("v1", "Node", node["metadata"]["name"])


@pytest.fixture
def namespace(control_plane: ControlPlane, create_nodes: Callable[[int], list[str]]) -> Iterator[str]:
    """Return a namespace of the test's own. It goes before the nodes do, so that its pods end as pods should."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    control_plane.create_namespace(name)
    yield name
    control_plane.delete_namespace(name)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show with a failure how the processes fare and where their logs are."""
    report = yield
    if report.failed:
        for plane in item.config.stash[_PLANES]:
            report.sections.append(("control plane", plane.last_words()))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if lines := config.stash[_MEASUREMENTS]:
        terminalreporter.section("measured on a real control plane")
        for line in lines:
            terminalreporter.line(line)
