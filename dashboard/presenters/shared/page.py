"""What many pages show: links, counts of lists, commands for kubectl, conditions."""

from __future__ import annotations

import re
import shlex
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import orjson
from django.template.defaultfilters import date
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localtime
from msgspec import Struct

from clusters.engine.problems import Problem
from clusters.engine.scheduling import Failure, measure_of
from clusters.models import Cluster
from clusters.services.decisions.takers import TakerCounts
from clusters.services.mirror.state import existing_nodes, existing_workloads
from clusters.services.pending.pods import PendingCounts
from clusters.services.pending.queue import PreemptionCounts
from clusters.services.workloads.growth import GrowthCounts
from clusters.wording import (
    evaluation as evaluation_words,
    failures as failures_words,
    filters as filters_words,
    websockets as websockets_words,
)
from clusters.wording.nodes import CONDITIONS
from clusters.wording.resources import limit_remedy, limit_sentence
from dashboard.pictures.shapes import STROKES
from dashboard.pictures.tokens import PLUGIN_MARKS, PLUGIN_PATTERNS, plugin_colour
from dashboard.pictures.verdict_map.spec import MARKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from django.utils.safestring import SafeString

    from clusters.engine.edits import Edit
    from clusters.engine.owners import Workload
    from clusters.services.evaluation import Evaluation

    WorkloadName = tuple[str, str, str]


# -- Where names lead -------------------------------------------------------------------------------------------------


def node_links(cluster: Cluster | None, names: Iterable[str]) -> Mapping[str, str]:
    """Return the pages of nodes by name; of those that a simulation added there is none."""
    if cluster is None:
        return {}
    found = {name: address("node", cluster=cluster.name, name=name) for name in existing_nodes(cluster, names)}
    return {name: url for name, url in found.items() if url}


def workload_links(cluster: Cluster | None, workloads: Iterable[WorkloadName]) -> Mapping[WorkloadName, str]:
    """Return the pages of workloads by kind, namespace and name; a pod that nothing controls leads to its decision."""
    if cluster is None:
        return {}
    found = {}
    for each in existing_workloads(cluster, workloads):
        kind, namespace, name = each
        named = {"cluster": cluster.name, "namespace": namespace, "name": name}
        url = address("decision", **named) if kind == "Pod" else address("workload", kind=kind, **named)
        if url:
            found[each] = url
    return found


def address(view: str, **parameters: str) -> str:
    """Return an address; empty for a name that none can hold."""
    try:
        return reverse(view, kwargs=parameters)
    except NoReverseMatch:
        return ""


def page_url(view: str, cluster: Cluster, query: str = "", **place: str) -> str:
    """Return the address of a page of the cluster; empty where an object's name is none that Kubernetes would take."""
    try:
        address = reverse(view, kwargs={"cluster": cluster.name, **place})
    except NoReverseMatch:
        return ""
    return f"{address}?{query}" if query else address


_NAME: Final = "[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?"
# A name by itself, after its namespace, or after kind and namespace; no part of a label, a taint or a path.
_NAMED: Final = re.compile(
    rf"(?<![\w./=:-])(?:(?P<kind>[A-Z][A-Za-z]+) )?(?:(?P<namespace>{_NAME})/)?(?P<name>{_NAME})(?![\w/=-]|:\S)"
)
# Of words without any of these nobody can tell whether they name a node.
_TELLING: Final = re.compile("[-.0-9]")


def linked(sentence: str, cluster: Cluster | None) -> str:
    """Return a sentence with links to the nodes, pods and workloads that it names and the cluster has now."""
    if not isinstance(cluster, Cluster):
        return sentence
    found = list(_NAMED.finditer(sentence))
    nodes = {each["name"] for each in found if not each["namespace"] and _TELLING.search(each["name"])}
    pods = {("Pod", each["namespace"], each["name"]) for each in found if each["namespace"]}
    others = {(each["kind"], each["namespace"], each["name"]) for each in found if each["namespace"] and each["kind"]}
    if not nodes and not pods:
        return sentence
    of_nodes = node_links(cluster, nodes) if nodes else {}
    of_workloads = workload_links(cluster, pods | others) if pods else {}

    def parts() -> Iterator[tuple[SafeString | str]]:
        done = 0
        for each in found:
            namespace, name = each["namespace"], each["name"]
            if not namespace:
                url, begin = of_nodes.get(name, ""), each.start("name")
            elif url := of_workloads.get((each["kind"] or "Pod", namespace, name), ""):
                begin = each.start()
            else:
                url, begin = of_workloads.get(("Pod", namespace, name), ""), each.start("namespace")
            if url:
                yield (sentence[done:begin],)
                yield (format_html('<a href="{}">{}</a>', url, sentence[begin : each.end()]),)
                done = each.end()
        yield (sentence[done:],)

    return format_html_join("", "{}", parts())


# -- What several pages say alike -------------------------------------------------------------------------------------


# The script puts a time here.
_SINCE = "{since}"


class ConnectionView(Struct, frozen=True):
    """A sentence for each state; ``asking`` and ``away`` hold `{since}` where the time belongs."""

    connected: str
    connecting: str
    failed: str
    asking: str
    away: str


def connection(dumped_at: datetime | None) -> ConnectionView:
    """Return what is said on pages of a live cluster, or of one whose dump was read at that time."""
    dump = websockets_words.DUMP_OF(moment=date(localtime(dumped_at), "j M Y, H:i")) if dumped_at else ""
    return ConnectionView(
        connected=dump or str(websockets_words.CONNECTED),
        connecting=str(websockets_words.CONNECTING),
        failed=str(websockets_words.FAILED),
        asking=websockets_words.ASKING(since=_SINCE),
        away=websockets_words.AWAY(since=_SINCE),
    )


def earlier_sentence(earlier: Evaluation | None, *, node: str = "") -> str:
    """Say what it came to, and when; nothing without one. ``node``: the one that pods were tried on."""
    if earlier is None:
        return ""
    at = localtime(earlier.at)
    match earlier.told:
        case PendingCounts(total, unschedulable):
            return evaluation_words.pending_before(at, pods=total, unschedulable=unschedulable)
        case PreemptionCounts(preemptors, victims):
            return evaluation_words.preemption_before(at, pods=preemptors, victims=victims)
        case TakerCounts(total, fits):
            return evaluation_words.fitting_before(at, pods=total, fitting=fits, node=node)
        case GrowthCounts(pods, is_whole):
            return evaluation_words.more_before(at, pods=pods, is_whole=is_whole)
    return ""


def not_computed_sentence(reference: str) -> str:
    """Say that an explanation failed, and where its traceback is; or that it was refused, and by which limit."""
    measure = measure_of(reference)
    if measure is not None:
        return limit_sentence(measure)
    return failures_words.NOT_COMPUTED(reference=reference)


def not_computed_remedy(reference: str) -> str:
    """Say what to do about it."""
    measure = measure_of(reference)
    return str(failures_words.DEFECT) if measure is None else limit_remedy(measure)


def unanswered(error: Exception) -> str:
    """Say why there is no answer: what an error that carries a problem tells, and what to do about it."""
    # The words of problems reach all of Berth, and every page may fail.
    from clusters.wording.problems import placed_sentence

    problem = getattr(error, "problem", None)
    return placed_sentence(problem, getattr(error, "path", "")) if isinstance(problem, Problem) else str(error)


def failure_sentence(failure: Failure) -> str:
    """Say in the place of a whole explanation what to do without it."""
    if failure.excess is not None:
        return f"{failures_words.error_of(failure)} {limit_remedy(failure.excess.measure)}"
    return f"{not_computed_sentence(failure.reference)} {failures_words.TRY_WHAT_IF}"


class Counted(Struct, frozen=True):
    """The line above a list's rows; `hidden` is empty when no filter is set."""

    sentence: str
    hidden: str


def count_line(*, shown: int, total: int, noun: Callable[[int], str], conditions: Sequence[str]) -> Counted:
    """Say how many rows match, how many the filters hide and which filters those are.

    ``noun`` writes a number of rows with what they are, as those of `clusters.wording.counts` do.
    """
    if not conditions or shown == total:
        return Counted(f"{noun(total)}.", "")
    return Counted(
        filters_words.SHOWN(rows=shown, every=noun(total)),
        filters_words.HIDDEN(rows=total - shown, conditions="; ".join(conditions)),
    )


# The keys of sections, pressed after `g`, by the name of the section's first page.
SECTION_KEYS = {
    "cluster": "o",
    "pending": "q",
    "journal": "j",
    "pods": "p",
    "workloads": "w",
    "nodes": "n",
    "devices": "v",
    "pod-groups": "a",
    "spread": "s",
    "budgets": "b",
    "drain": "d",
    "zones": "z",
    "quotas": "u",
    "cluster-runs": "m",
    "headroom": "h",
    "upgrade": "l",
    "usage": "e",
    "reports": "r",
    "cluster-configuration": "c",
}


class PluginMark(Struct, frozen=True):
    """A plugin as figures show it: a fill, and the strokes of its pattern and of its mark on maps as SVG paths."""

    name: str
    fill: str
    strokes: str
    mark: str


def plugin_marks() -> list[PluginMark]:
    """Return every plugin with a colour, those that score first."""
    return [
        PluginMark(name, plugin_colour(name), STROKES[pattern], MARKS[PLUGIN_MARKS.get(name, "")])
        for name, pattern in PLUGIN_PATTERNS.items()
    ]


# Where the first clause of a message ends: `0/60 nodes are available: 2 Too many pods, …`.
_CLAUSE_ENDS = re.compile(r"[:;,.]\s")


class Quote(Struct, frozen=True):
    """A message as the scheduler writes it; ``opening`` is its first clause, empty where that is the whole message."""

    whole: str

    @property
    def opening(self) -> str:
        """The first clause."""
        end = _CLAUSE_ENDS.search(self.whole)
        return self.whole[: end.start()] if end is not None else ""


def later(at: str, seconds: int) -> datetime | None:
    """Return the moment so many seconds after an RFC 3339 time, in the time zone of pages; None beyond the year 9999.

    Added before it is converted: clocks that are put forward or back meanwhile change nothing about seconds.
    """
    try:
        return localtime(datetime.fromisoformat(at) + timedelta(seconds=seconds))
    except OverflowError:
        return None


# -- Commands for kubectl that make a change, to be copied ------------------------------------------------------------


# Where a kind has its pods' spec. The template of a Job cannot be changed.
TEMPLATES: Final = {
    "Deployment": ("spec", "template", "spec"),
    "StatefulSet": ("spec", "template", "spec"),
    "DaemonSet": ("spec", "template", "spec"),
    "ReplicaSet": ("spec", "template", "spec"),
    "ReplicationController": ("spec", "template", "spec"),
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
}
# The API server adds these to every pod: no template has them.
_DEFAULT_TOLERATIONS: Final = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_DEFAULT_SECONDS: Final = 300
_CONTAINERS: Final = ("containers", "initContainers")
# Maps and lists that a patch replaces by field, or as a whole.
_PLAIN: Final = ("nodeSelector", "affinity", "tolerations")
_SPREAD: Final = "topologySpreadConstraints"


def template_command(workload: Workload, spec: Mapping[str, Any]) -> str:
    """Return the command that patches a workload's template; empty where a command cannot do it."""
    path = TEMPLATES.get(workload.kind)
    if path is None or not spec:
        return ""
    patch: Mapping[str, Any] = spec
    for step in reversed(path):
        patch = {step: patch}
    # Names come from whoever wrote the dump, and the command is for a shell.
    command = ["kubectl", "-n", workload.namespace, "patch", workload.kind.lower(), workload.name]
    return shlex.join([*command, "--type=strategic", "-p", orjson.dumps(patch).decode()])


def edit_command(workload: Workload, pod: Mapping[str, Any], edits: Iterable[Edit]) -> str:
    """Return the command that makes edits of a pod in its workload's template.

    Empty where the template cannot be changed, or where a patch would have to name more than what is edited.
    """
    changed: Mapping[str, Any] = pod
    for edit in edits:
        changed = edit.apply(changed)
    patch = spec_patch(pod.get("spec") or {}, changed.get("spec") or {})
    return "" if patch is None else template_command(workload, patch)


def uncordon_command(nodes: Iterable[str]) -> str:
    """Return the command that lets nodes accept pods again."""
    return shlex.join(["kubectl", "uncordon", *nodes])


def spec_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the strategic merge patch from one pod's spec to another; None for what such a patch cannot say safely."""
    patch: dict[str, Any] = {}
    for field in sorted(before.keys() | after.keys()):
        old, new = before.get(field), after.get(field)
        if old == new:
            continue
        if field in _PLAIN:
            patch[field] = _merge(_without_defaults(old), _without_defaults(new))
        elif field == _SPREAD:
            # Entries are told apart by their topologyKey alone, which several may share.
            patch[field] = [{"$patch": "replace"}, *(new or ())]
        elif field in _CONTAINERS:
            found = _resources(old or (), new or ())
            if found is None:
                return None
            patch[field] = found
        else:
            return None
    return patch


def _merge(old: Any, new: Any) -> Any:
    """What takes one value to another, in maps field by field: null removes."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    return {
        key: _merge(old.get(key), new.get(key))
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    }


def _without_defaults(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [
        each
        for each in value
        if not (each.get("key") in _DEFAULT_TOLERATIONS and each.get("tolerationSeconds") == _DEFAULT_SECONDS)
    ]


def _resources(old: Iterable[Mapping[str, Any]], new: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]] | None:
    """Containers whose resources differ, each by name; None where anything else differs."""
    found = []
    for before, after in zip(old, new, strict=True):
        if {**before, "resources": None} != {**after, "resources": None}:
            return None
        changed = _merge(before.get("resources") or {}, after.get("resources") or {})
        if changed:
            found.append({"name": after.get("name"), "resources": changed})
    return found


# -- The conditions of a node, each with what it means ----------------------------------------------------------------


class Condition(Struct, frozen=True):
    """A condition as the kubelet reported it; `kind` is the badge's kind, `meaning` what follows if it is bad."""

    type: str
    status: str
    kind: str
    reason: str
    message: str
    meaning: str


def conditions(node: Mapping[str, Any]) -> list[Condition]:
    """Present the conditions of a pruned Node object; Ready is good when True, every other one when False."""
    found = []
    for condition in node.get("status", {}).get("conditions") or ():
        kind, status = str(condition.get("type", "")), str(condition.get("status", ""))
        good = "True" if kind == "Ready" else "False"
        badge = "good" if status == good else "warn" if status == "Unknown" else "bad"
        found.append(
            Condition(
                type=kind,
                status=status,
                kind=badge,
                reason=str(condition.get("reason", "")),
                message=str(condition.get("message", "")),
                meaning="" if badge == "good" else str(CONDITIONS.get(kind, "")),
            )
        )
    return sorted(found, key=lambda condition: condition.kind == "good")
