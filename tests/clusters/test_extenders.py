"""Extenders that the administrator lists are asked over HTTP, and their answers are evidence like a plugin's."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from clusters.adapters import extenders
from clusters.adapters.extenders import MOST_BYTES, HttpExtenders, listed_address
from clusters.adapters.prune import pruned_configuration
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.conclusion import Conclusion
from clusters.engine.configuration import spelled_out
from clusters.engine.scheduling import Silence
from clusters.engine.status import QuotedReason, Rejection, unresolvable, unschedulable
from clusters.wording.conclusions import answer_sentences, doubts
from tests.engine.builders import Document, a_node, a_pod
from tests.support.extender import Held, RunningExtender, running_extender, self_signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_django import Settings

FOO = "example.com/foo"
NODES = [a_node(name, labels={"disk": "ssd"}) for name in ("a", "b", "c")]


@pytest.fixture
def extender(settings: Settings) -> Iterator[RunningExtender]:
    with running_extender() as found:
        settings.BERTH_EXTENDER_HOSTS = [found.host]
        yield found


def asked(*extenders: dict[str, Any], pod: Document | None = None, nodes: Sequence[Document] = NODES) -> Explanation:
    versioned = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": list(extenders),
    }
    (profile,) = SchedulerConfiguration.from_dict(versioned).profiles
    return explain(Snapshot.from_objects(nodes), pod or a_pod(), profile, extenders=HttpExtenders(Held(NODES)))


def filtering(extender: RunningExtender, **fields: Any) -> dict[str, Any]:
    return {
        "urlPrefix": extender.address,
        "filterVerb": "filter",
        "nodeCacheCapable": True,
        "httpTimeout": "10s",
        **fields,
    }


def verdicts(explanation: Explanation) -> list[Rejection | None]:
    return [explanation.verdict_of(row) for row in range(explanation.node_count)]


def test_nodes_that_an_extender_rejects_are_rejected_with_its_message(extender: RunningExtender) -> None:
    extender.answers["filter"] = {
        "NodeNames": ["c"],
        "FailedNodes": {"a": "no foo left"},
        "FailedAndUnresolvableNodes": {"b": "never foo"},
    }

    explanation = asked(filtering(extender))

    assert explanation.conclusion is Conclusion.FITS
    assert explanation.feasible == ["c"]
    assert verdicts(explanation) == [
        Rejection(extender.address, unschedulable(QuotedReason("no foo left"))),
        Rejection(extender.address, unresolvable(QuotedReason("never foo"))),
        None,
    ]
    assert len(explanation.groups) == 3
    (*_, last) = explanation.funnel
    assert (last.plugin, last.left, last.rejected_here) == (extender.address, 1, 2)

    (verb, arguments), *more = extender.asked
    assert not more
    assert verb == "filter"
    assert arguments["NodeNames"] == ["a", "b", "c"]
    assert arguments["Nodes"] is None
    assert arguments["Pod"]["metadata"]["name"] == "pod"


def test_where_an_extender_rejects_all_the_message_counts_its_reasons(extender: RunningExtender) -> None:
    extender.answers["filter"] = {
        "NodeNames": [],
        "FailedNodes": {"a": "no foo left", "b": "no foo left"},
        "FailedAndUnresolvableNodes": {"b": "never foo"},
    }

    explanation = asked(filtering(extender))

    assert explanation.conclusion is Conclusion.UNSCHEDULABLE
    # Of c it says nothing, so nothing is counted for it; what removing pods cannot help goes before.
    assert explanation.fit_error == "0/3 nodes are available: 1 never foo, 1 no foo left."
    assert explanation.relaxations.reductions == explanation.relaxations.together == ()
    assert explanation.message is not None


def test_no_lift_gains_what_an_extender_rejects(extender: RunningExtender) -> None:
    extender.answers["filter"] = {"NodeNames": ["a"], "FailedNodes": {"b": "no foo left"}}
    selecting = a_pod(nodeSelector={"disk": "ssd"})

    explanation = asked(filtering(extender), pod=selecting, nodes=[*NODES, a_node("d")])

    (lift,) = explanation.relaxations.singles
    assert [explanation.snapshot.nodes.names[row] for row in lift.rows] == ["d"]


def test_extenders_without_a_cache_get_nodes_and_answer_with_nodes(extender: RunningExtender) -> None:
    extender.answers["filter"] = lambda arguments: {"nodes": {"items": arguments["Nodes"]["items"][:1]}}

    assert asked(filtering(extender, nodeCacheCapable=False)).feasible == ["a"]
    assert extender.asked[0][1]["Nodes"]["items"][0]["metadata"]["labels"]["disk"] == "ssd"
    assert extender.asked[0][1]["NodeNames"] is None


def test_each_is_asked_about_what_those_before_it_kept(extender: RunningExtender) -> None:
    extender.answers |= {"first": {"NodeNames": ["a", "b"]}, "second": {"NodeNames": ["b"]}, "third": {"NodeNames": []}}
    extenders = [filtering(extender, filterVerb=verb) for verb in ("first", "second", "third", "fourth")]

    explanation = asked(*extenders)

    assert [arguments["NodeNames"] for _, arguments in extender.asked] == [["a", "b", "c"], ["a", "b"], ["b"]]
    assert not explanation.fits


def test_scores_are_scaled_weighed_and_added(extender: RunningExtender) -> None:
    extender.answers["rate"] = [
        {"Host": "b", "Score": 10},
        {"host": "c", "score": 3},
        {"host": "elsewhere", "score": 9},
    ]

    explanation = asked(
        {
            "urlPrefix": extender.address,
            "prioritizeVerb": "rate",
            "weight": 4,
            "nodeCacheCapable": True,
            "httpTimeout": "10s",
        }
    )

    without = asked()
    assert explanation.best == ["b"]
    assert (explanation.cycle.totals - without.cycle.totals).tolist() == [0, 400, 120]
    (*_, cell) = explanation.cells_of(1)
    assert (cell.plugin, cell.raw, cell.normalised, cell.weighted) == (extender.address, 10, 100, 400)
    assert explanation.score_evidence(1, extender.address) == ()
    assert explanation.normalisation(1, extender.address) is None
    assert doubts(explanation) == []


def test_a_single_node_is_not_scored(extender: RunningExtender) -> None:
    asked({"urlPrefix": extender.address, "prioritizeVerb": "rate", "weight": 1, "httpTimeout": "10s"}, nodes=NODES[:1])

    assert extender.asked == []


@pytest.mark.parametrize("ignorable", [False, True])
def test_an_error_ends_the_attempt_unless_the_extender_is_ignorable(extender: RunningExtender, ignorable: bool) -> None:
    extender.answers["filter"] = {"Error": "out of foo", "NodeNames": ["a"]}

    explanation = asked(filtering(extender, ignorable=ignorable))

    assert explanation.fits is ignorable
    assert explanation.conclusion is (Conclusion.FITS if ignorable else Conclusion.UNSCHEDULABLE)
    assert explanation.message == (None if ignorable else "out of foo")
    (sentence,) = answer_sentences(explanation)
    assert ("ignored" in sentence) is ignorable
    assert "out of foo" in sentence


def test_a_name_that_was_not_asked_about_is_an_error(extender: RunningExtender) -> None:
    extender.answers["filter"] = {"NodeNames": ["z"]}

    assert asked(filtering(extender)).message == (
        f'extender "{extender.address}" claims a filtered node "z" which is not found in the input node list'
    )


def test_e44_only_pods_that_request_its_resource_are_sent(extender: RunningExtender) -> None:
    extender.answers["filter"] = {"NodeNames": ["a"]}
    managing = filtering(extender, managedResources=[{"name": FOO, "ignoredByScheduler": True}])

    assert len(asked(managing).feasible) == 3
    assert extender.asked == []
    assert asked(managing, pod=a_pod(requests={FOO: "1"})).feasible == ["a"]
    assert len(extender.asked) == 1


@pytest.mark.parametrize(
    ("answer", "silence"),
    [
        (b"{", Silence.UNREADABLE),
        (["a"], Silence.UNREADABLE),
        ({"NodeNames": "a"}, Silence.UNREADABLE),
        ({"NodeNames": [1]}, Silence.UNREADABLE),
        ({"NodeNames": [], "FailedNodes": {"a": 1}}, Silence.UNREADABLE),
        ({"NodeNames": [], "FailedNodes": ["a"]}, Silence.UNREADABLE),
        ({"NodeNames": [], "Error": 1}, Silence.UNREADABLE),
        ({"Nodes": {"items": [{"metadata": ["a"]}]}}, Silence.UNREADABLE),
        ({"Nodes": {"items": [{"metadata": {"name": 1}}]}}, Silence.UNREADABLE),
        (b" " * (MOST_BYTES + 1), Silence.TOO_LARGE),
    ],
)
def test_an_answer_that_is_none_leaves_the_pod_uncertain(
    extender: RunningExtender, answer: Any, silence: Silence
) -> None:
    extender.answers["filter"] = answer

    explanation = asked(filtering(extender))

    assert explanation.conclusion is Conclusion.UNCERTAIN
    assert [call.silence for call in explanation.cycle.calls] == [silence]
    assert len(doubts(explanation)) == 2
    assert not [*answer_sentences(explanation)]


@pytest.mark.parametrize("answer", [b"{", {"host": "a"}, [{"score": 1}], [{"host": "a", "score": "1"}], ["a"]])
def test_scores_that_are_none_are_not_counted(extender: RunningExtender, answer: Any) -> None:
    extender.answers["rate"] = answer

    explanation = asked({"urlPrefix": extender.address, "prioritizeVerb": "rate", "weight": 1, "httpTimeout": "10s"})

    assert [call.silence for call in explanation.cycle.calls] == [Silence.UNREADABLE]
    assert explanation.cycle.totals.tolist() == asked().cycle.totals.tolist()
    assert any("another node may be best" in each for each in doubts(explanation))


def test_a_late_answer_is_not_waited_for(extender: RunningExtender) -> None:
    extender.answers["filter"], extender.pause = {"NodeNames": ["a"]}, 1.5

    explanation = asked(filtering(extender, httpTimeout="100ms"))

    assert [call.silence for call in explanation.cycle.calls] == [Silence.TIMED_OUT]


def test_an_answer_that_comes_byte_by_byte_is_not_waited_for_longer(extender: RunningExtender) -> None:
    extender.answers["filter"], extender.drip = {"NodeNames": ["a"]}, 200

    explanation = asked(filtering(extender, httpTimeout="300ms"))

    assert [call.silence for call in explanation.cycle.calls] == [Silence.TIMED_OUT]
    assert extender.dripped < extender.drip


def test_all_together_have_no_more_time_than_a_page_can_wait(
    extender: RunningExtender, monkeypatch: pytest.MonkeyPatch
) -> None:
    extender.answers["filter"] = {"NodeNames": ["a", "b"]}
    # Each answer takes eight seconds.
    ticks = iter(range(0, 1000, 8))
    monkeypatch.setattr(extenders, "monotonic", lambda: next(ticks))

    explanation = asked(*[filtering(extender) for _ in range(9)])

    silences = [call.silence for call in explanation.cycle.calls]
    assert len(silences) == 9
    assert silences[0] is None
    assert set(silences[-6:]) == {Silence.TIMED_OUT}
    assert len(extender.asked) < 4


def test_a_timeout_below_0_is_none(extender: RunningExtender) -> None:
    extender.answers["filter"] = {"NodeNames": ["a"]}

    assert asked(filtering(extender, httpTimeout="-1s")).feasible == ["a"]


def test_certificates_are_checked_unless_nobody_vouches_for_them(settings: Settings, tmp_path: Path) -> None:
    certificate, tls = self_signed(tmp_path)
    with running_extender(tls) as secure:
        settings.BERTH_EXTENDER_HOSTS = [secure.host]
        secure.answers["filter"] = {"NodeNames": ["a"]}
        unknown = filtering(secure, enableHTTPS=True, tlsConfig={"caFile": "/etc/kubernetes/extender-ca.crt"})
        known = filtering(secure, enableHTTPS=True, tlsConfig={"caData": base64.b64encode(certificate).decode()})

        refused = asked(unknown)
        answers = [asked(each).feasible for each in (known, filtering(secure, enableHTTPS=True))]

    assert [call.silence for call in refused.cycle.calls] == [Silence.UNREACHABLE]
    assert answers == [["a"], ["a"]]
    assert len(secure.asked) == 2


def test_redirects_and_other_statuses_are_no_answers(extender: RunningExtender) -> None:
    extender.answers["filter"] = {"NodeNames": ["a"]}
    for status, headers in ((302, {"Location": f"{extender.address}/filter"}), (500, {}), (401, {})):
        extender.status, extender.headers = status, headers
        explanation = asked(filtering(extender))
        assert [call.silence for call in explanation.cycle.calls] == [Silence.REFUSED]
    assert len(extender.asked) == 3


def test_proxies_of_the_environment_are_not_used(extender: RunningExtender, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    extender.answers["filter"] = {"NodeNames": ["a"]}

    assert asked(filtering(extender)).feasible == ["a"]


def test_whom_nobody_lists_is_not_asked(extender: RunningExtender, settings: Settings) -> None:
    settings.BERTH_EXTENDER_HOSTS = []

    explanation = asked(filtering(extender))

    assert extender.asked == []
    assert explanation.conclusion is Conclusion.UNCERTAIN
    assert any("BERTH_EXTENDER_HOSTS" in each for each in doubts(explanation))


def test_what_does_not_listen_is_unreachable(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.BERTH_EXTENDER_HOSTS = ["127.0.0.1"]
    nobody = {"urlPrefix": "http://me:secret@127.0.0.1:9/ext", "filterVerb": "filter", "ignorable": True}

    explanation = asked(
        nobody, {"urlPrefix": "https://127.0.0.1:9", "filterVerb": "f", "tlsConfig": {"caData": "eA=="}}
    )

    assert [call.silence for call in explanation.cycle.calls] == [Silence.UNREACHABLE, Silence.UNREACHABLE]
    assert "could not be asked" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    ("address", "entries", "kept"),
    [
        ("http://ext.example/api", ["ext.example"], "http://ext.example/api"),
        ("http://ext.example:81/api", ["EXT.example"], "http://ext.example:81/api"),
        ("https://ext.example", ["ext.example:443"], "https://ext.example"),
        ("http://ext.example:81", ["ext.example:82"], ""),
        ("http://me:secret@ext.example/a?b=c#d", ["ext.example"], "http://ext.example/a"),
        ("http://[::1]:80/", ["::1"], "http://[::1]:80/"),
        ("http://evil.example/@ext.example", ["ext.example"], ""),
        ("http://ext.example@evil.example/", ["ext.example"], ""),
        ("file://ext.example/etc/passwd", ["ext.example"], ""),
        ("http://ext.example:no", ["ext.example"], ""),
        ("", ["ext.example"], ""),
    ],
)
def test_only_addresses_of_listed_hosts_are_kept(
    settings: Settings, address: str, entries: list[str], kept: str
) -> None:
    settings.BERTH_EXTENDER_HOSTS = entries

    assert listed_address(address) == kept


def test_what_a_call_needs_is_kept_and_secrets_are_not(settings: Settings) -> None:
    settings.BERTH_EXTENDER_HOSTS = ["ext.example"]
    authority = base64.b64encode(b"-----BEGIN CERTIFICATE-----").decode()
    tls = {
        "serverName": "ext",
        "caFile": "/ca",
        "caData": authority,
        "keyData": "c2VjcmV0",
        "certData": "eA==",
        "keyFile": "/key",
    }
    given = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [
            {
                "urlPrefix": "https://me:secret@ext.example/api",
                "filterVerb": "filter",
                "enableHTTPS": True,
                "httpTimeout": "2s",
                "nodeCacheCapable": True,
                "tlsConfig": tls,
            }
        ],
    }

    kept = pruned_configuration(given)

    assert kept is not None
    assert "secret" not in str(kept)
    assert "c2VjcmV0" not in str(kept)
    (extender,) = SchedulerConfiguration.from_dict(kept).extenders
    assert (extender.address, extender.server_name, extender.ca_data) == ("https://ext.example/api", "ext", authority)
    assert extender.ca_file == "/ca"
    assert float(extender.timeout) == 2
    again = SchedulerConfiguration.from_dict(spelled_out(SchedulerConfiguration.from_dict(kept)))
    assert again == SchedulerConfiguration.from_dict(kept)
