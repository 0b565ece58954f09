from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from clusters.engine import ConfigurationError, SchedulerConfiguration, UnknownScheduler
from clusters.engine.configuration import Extender, ManagedResource, NodeResourcesFitArgs
from clusters.engine.problems import NotAMap, UnknownField, shown
from clusters.engine.versions import RELEASES
from clusters.wording.problems import problem_sentence, remedy_sentence

V1 = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def read(**fields: Any) -> SchedulerConfiguration:
    return SchedulerConfiguration.from_dict({**V1, **fields})


def defaults_of_spreading(constraint: dict[str, Any]) -> dict[str, Any]:
    args = {"defaultConstraints": [constraint], "defaultingType": "List"}
    return {"profiles": [{"pluginConfig": [{"name": "PodTopologySpread", "args": args}]}]}


def test_an_empty_configuration_is_the_default_one() -> None:
    assert read() == read(profiles=[]) == read(profiles=[{}]) == read(profiles=None) == SchedulerConfiguration.default()
    assert SchedulerConfiguration.default(RELEASES["1.34"]) == SchedulerConfiguration.default()
    assert SchedulerConfiguration.default().release.minor == "1.34"


def test_v1beta3_is_read_as_v1() -> None:
    args = {
        "apiVersion": "kubescheduler.config.k8s.io/v1beta3",
        "kind": "InterPodAffinityArgs",
        "hardPodAffinityWeight": 7,
    }
    profiles = [{"pluginConfig": [{"name": "InterPodAffinity", "args": args}]}]
    data = {**V1, "apiVersion": "kubescheduler.config.k8s.io/v1beta3", "profiles": profiles}
    assert SchedulerConfiguration.from_dict(data) == read(
        profiles=[{"pluginConfig": [{"name": "InterPodAffinity", "args": {"hardPodAffinityWeight": 7}}]}]
    )


def test_a_pod_gets_the_profile_that_it_names() -> None:
    configuration = read(profiles=[{"schedulerName": "default-scheduler"}, {"schedulerName": "second"}])
    assert configuration.profile_for({"spec": {"schedulerName": "second"}}) is configuration.profiles[1]
    for pod in ({}, {"spec": None}, {"spec": {"schedulerName": ""}}, {"spec": {"schedulerName": "default-scheduler"}}):
        assert configuration.profile_for(pod) is configuration.profiles[0]


def test_a_pod_of_another_scheduler_is_told_which_there_are() -> None:
    configuration = read(profiles=[{"schedulerName": "first"}, {"schedulerName": "second"}])
    with pytest.raises(UnknownScheduler, match=r"'volcano'.*'first', 'second'") as raised:
        configuration.profile_for({"spec": {"schedulerName": "volcano"}})
    assert str(raised.value) == "NoScheduler(found=\"'volcano'\", known=('first', 'second'))"
    assert raised.value.scheduler_name == "volcano"
    assert raised.value.known == ("first", "second")
    with pytest.raises(KeyError):
        configuration.profile_for({})


def test_a_single_profile_needs_no_name() -> None:
    assert read(profiles=[{"percentageOfNodesToScore": 50}]).profiles[0].scheduler_name == "default-scheduler"


def test_a_profile_overrides_the_percentage_of_all() -> None:
    configuration = read(
        percentageOfNodesToScore=30,
        profiles=[{"schedulerName": "a"}, {"schedulerName": "b", "percentageOfNodesToScore": 0}],
    )
    assert configuration.percentage_of_nodes_to_score == 30
    assert [profile.percentage_of_nodes_to_score for profile in configuration.profiles] == [30, 0]


def test_how_the_scheduler_runs_is_read_for_its_form() -> None:
    configuration = read(
        parallelism=4,
        podInitialBackoffSeconds=1,
        podMaxBackoffSeconds=10,
        enableProfiling=False,
        delayCacheUntilActive=True,
        leaderElection={
            "leaderElect": True,
            "leaseDuration": "15s",
            "renewDeadline": "1m30s",
            "resourceLock": "leases",
        },
        clientConnection={"kubeconfig": "/etc/kubernetes/scheduler.conf", "qps": 50, "burst": 100},
    )
    assert configuration == replace(SchedulerConfiguration.default(), parallelism=4)


def both(plugins: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"schedulerName": "a"}, {"schedulerName": "b", "plugins": plugins}]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"apiVersion": "kubescheduler.config.k8s.io/v1beta4"}, "apiVersion"),
        ({"apiVersion": "kubescheduler.config.k8s.io/v1alpha3"}, "apiVersion"),
        ({"apiVersion": "v1"}, "apiVersion"),
        ({"apiVersion": None}, "apiVersion"),
        ({"kind": "Policy"}, "kind"),
        ({"kind": None}, "kind"),
        ({"profile": []}, "profile"),
        ({"Profiles": []}, "Profiles"),
        ({"profiles": {}}, "profiles"),
        ({"profiles": ["a"]}, "profiles[0]"),
        ({"profiles": [{"name": "a"}]}, "profiles[0].name"),
        ({"profiles": [{"schedulerName": 1}]}, "profiles[0].schedulerName"),
        ({"profiles": [{"schedulerName": ""}]}, "profiles[0].schedulerName"),
        ({"profiles": [{"schedulerName": "a"}, {}]}, "profiles[1].schedulerName"),
        ({"profiles": [{"schedulerName": "a"}, {"schedulerName": "a"}]}, "profiles[1].schedulerName"),
        ({"profiles": [{"percentageOfNodesToScore": 101}]}, "profiles[0].percentageOfNodesToScore"),
        (
            {"profiles": both({"queueSort": {"disabled": [{"name": "*"}], "enabled": [{"name": "Theirs"}]}})},
            "profiles[1].plugins.queueSort",
        ),
        ({"profiles": both({"queueSort": {"enabled": [{"name": "PrioritySort"}]}})}, "profiles[1].plugins.queueSort"),
        ({"percentageOfNodesToScore": -1}, "percentageOfNodesToScore"),
        ({"parallelism": 0}, "parallelism"),
        ({"podInitialBackoffSeconds": 0}, "podInitialBackoffSeconds"),
        ({"podMaxBackoffSeconds": 1, "podInitialBackoffSeconds": 2}, "podMaxBackoffSeconds"),
        ({"enableProfiling": "no"}, "enableProfiling"),
        ({"leaderElection": {"leaseDuration": 15}}, "leaderElection.leaseDuration"),
        ({"leaderElection": {"lease": "15s"}}, "leaderElection.lease"),
        ({"clientConnection": {"qps": "50"}}, "clientConnection.qps"),
        ({"extenders": [{"url": "http://x"}]}, "extenders[0].url"),
        ({"extenders": [{"urlPrefix": "http://x", "prioritizeVerb": "p"}]}, "extenders[0].weight"),
        ({"extenders": [{"bindVerb": "b"}, {"bindVerb": "b"}]}, "extenders[1].bindVerb"),
        ({"extenders": [{"managedResources": [{"name": "cpu"}]}]}, "extenders[0].managedResources[0].name"),
        ({"extenders": [{"managedResources": [{"name": "a b"}]}]}, "extenders[0].managedResources[0].name"),
        ({"extenders": [{"managedResources": [{"name": "kubernetes.io/x"}]}]}, "extenders[0].managedResources[0].name"),
        ({"extenders": [{"managedResources": [{"name": "requests.a/x"}]}]}, "extenders[0].managedResources[0].name"),
        (
            {"extenders": [{"managedResources": [{"name": "a/b"}]}, {"managedResources": [{"name": "a/b"}]}]},
            "extenders[1].managedResources[0].name",
        ),
        ({"extenders": [{"tlsConfig": {"ca": "x"}}]}, "extenders[0].tlsConfig.ca"),
        ({"extenders": [{"httpTimeout": "soon"}]}, "extenders[0].httpTimeout"),
    ],
)
def test_configurations_that_kube_scheduler_refuses(fields: dict[str, Any], path: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        read(**fields)
    assert raised.value.path == path
    assert problem_sentence(raised.value.problem)


@pytest.mark.parametrize("data", [None, [], "text", 1])
def test_what_is_no_mapping_is_refused(data: Any) -> None:
    with pytest.raises(ConfigurationError) as raised:
        SchedulerConfiguration.from_dict(data)
    assert raised.value.path == ""
    assert raised.value.problem == NotAMap(shown(data), ("apiVersion", "kind", "profiles"))


def test_a_field_in_the_wrong_case_is_told_the_right_one() -> None:
    with pytest.raises(ConfigurationError) as raised:
        read(profiles=[{"scheduler_name": "a"}])
    assert raised.value.path == "profiles[0].scheduler_name"
    assert isinstance(raised.value.problem, UnknownField)
    assert raised.value.problem.close == "schedulerName"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"apiVersion": "v1beta2"}, ("'v1beta2' is not known.", "Write kubescheduler.config.k8s.io/v1.")),
        ({"apiVersion": ""}, ("The field is missing.", "Write kubescheduler.config.k8s.io/v1.")),
        (
            {"percentageOfNodesToScore": 101},
            (
                "101 is not a percentage from 0 to 100.",
                (
                    "Write a whole number from 1 to 100, or 0: kube-scheduler then chooses a percentage from 5 to 50 "
                    "by the number of nodes."
                ),
            ),
        ),
        (
            {"profiles": [{"plugins": {"filter": {"enabled": [{"weight": 1}]}}}]},
            ("There is no name.", "Write one, such as name: NodeUnschedulable."),
        ),
        (
            {"profiles": [{"schedulerName": "a"}, {}]},
            ("There is no schedulerName.", "Write one, such as schedulerName: batch-scheduler."),
        ),
        (
            defaults_of_spreading({"maxSkew": 1, "whenUnsatisfiable": "ScheduleAnyway"}),
            ("There is no topologyKey.", "Write one, such as topologyKey: topology.kubernetes.io/zone."),
        ),
    ],
)
def test_what_would_be_right_is_said(fields: dict[str, Any], problem: tuple[str, str]) -> None:
    with pytest.raises(ConfigurationError) as raised:
        read(**fields)

    assert problem_sentence(raised.value.problem) == problem[0]
    assert remedy_sentence(raised.value.problem) == problem[1]


def test_extenders_are_kept_in_the_order_of_asking() -> None:
    configuration = read(
        extenders=[
            {"urlPrefix": "http://maybe", "filterVerb": "filter", "ignorable": True},
            {
                "urlPrefix": "https://gpu",
                "filterVerb": "filter",
                "prioritizeVerb": "rate",
                "preemptVerb": "preempt",
                "bindVerb": "bind",
                "weight": 5,
                "enableHTTPS": True,
                "httpTimeout": "30s",
                "nodeCacheCapable": True,
                "tlsConfig": {"insecure": True, "caFile": "/ca"},
                "managedResources": [{"name": "example.com/gpu"}],
            },
        ]
    )
    assert configuration.extenders == (
        Extender(
            url_prefix="https://gpu",
            filter_verb="filter",
            preempt_verb="preempt",
            prioritize_verb="rate",
            bind_verb="bind",
            weight=5,
            ignorable=False,
            managed_resources=(ManagedResource("example.com/gpu", False),),
            node_cache_capable=True,
            timeout=Fraction(30),
            enable_https=True,
            insecure=True,
            ca_file="/ca",
        ),
        Extender("http://maybe", "filter", "", "", "", 0, True, ()),
    )


def test_resources_that_an_extender_looks_after_replace_those_that_fit_ignores() -> None:
    extenders = [{"urlPrefix": "x", "managedResources": [{"name": "a/b", "ignoredByScheduler": True}, {"name": "c/d"}]}]
    fit = {"name": "NodeResourcesFit", "args": {"ignoredResources": ["e/f"]}}
    configuration = read(
        extenders=extenders, profiles=[{"schedulerName": "a", "pluginConfig": [fit]}, {"schedulerName": "b"}]
    )
    for profile in configuration.profiles:
        assert profile.args["NodeResourcesFit"] == NodeResourcesFitArgs(ignored_resources=("a/b",))
