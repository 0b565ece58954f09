"""What a user does to a sandbox: from what a form sends to the history with one more act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from clusters.engine.lessons import ObjectName, SituationError
from clusters.engine.quantity import QuantityError
from clusters.engine.sandbox import (
    ActKind,
    Built,
    Objects,
    SandboxCluster,
    SandboxHistory,
    cordoned,
    duplicated,
    evicted,
    failing,
    imported,
    named,
    put,
    removed,
    run_queue,
)
from clusters.engine.simulation import ChangeError
from clusters.services.lessons.reading import BadLesson, LessonFault, documents_in
from clusters.services.sandbox import hold_within_bounds, read_sandbox, start
from clusters.wording.lessons import player as player_words, sandbox as words
from clusters.wording.problems import both_sentences, problem_sentence
from dashboard.sandbox.case import cluster_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine.objects import Document
    from dashboard.sandbox.storing import StoredSandbox

# What a text is about that stands for no object yet.
NEW: Final = "new"

_NODE_ACTS: Final[dict[str, tuple[ActKind, Callable[[SandboxCluster, str], Objects]]]] = {
    "cordon": (ActKind.CORDONED, lambda cluster, name: cordoned(cluster, name, is_cordoned=True)),
    "uncordon": (ActKind.UNCORDONED, lambda cluster, name: cordoned(cluster, name, is_cordoned=False)),
    "fail": (ActKind.FAILED, lambda cluster, name: failing(cluster, name, is_failing=True)),
    "recover": (ActKind.RECOVERED, lambda cluster, name: failing(cluster, name, is_failing=False)),
    "evict": (ActKind.EVICTED, evicted),
}


class RefusedActError(Exception):
    """An act that cannot be done: why, in words, or everything that is wrong with a text."""

    def __init__(self, problem: str = "", faults: Sequence[LessonFault] = ()) -> None:
        super().__init__(problem or repr(faults))
        self.problem = problem
        self.faults = tuple(faults)


class DoneAct(Struct, frozen=True):
    """The history with an act, what to say of it beside that, and the pod whose decision is to be shown."""

    history: SandboxHistory
    notice: str = ""
    pod: str = ""


def put_manifests(sandbox: StoredSandbox, documents: Sequence[Document], replaced: str = "") -> DoneAct:
    """Put objects in place; ``replaced`` is the object that they were edited from. Raises RefusedActError."""
    given = named(documents)
    subject = replaced or (str(next(iter(given))) if len(given) == 1 else words.OBJECTS_ADDED(number=len(given)))

    def built(cluster: SandboxCluster) -> Built:
        found = put(cluster, documents)
        old = _name_in(cluster.objects, replaced) if replaced else None
        if old is None or old in given:
            return found
        return Built(removed(SandboxCluster(found.objects), old), found.refused)

    return _built(sandbox, ActKind.EDITED if replaced else ActKind.ADDED, subject, built)


def put_text(sandbox: StoredSandbox, text: str, replaced: str = "") -> DoneAct:
    """Put the objects of a text in place. Raises RefusedActError."""
    try:
        documents = documents_in(text)
    except BadLesson as error:
        raise RefusedActError(faults=error.faults) from None
    if not documents:
        raise RefusedActError(str(words.NO_TEXT))
    return put_manifests(sandbox, documents, "" if replaced == NEW else replaced)


def put_file(sandbox: StoredSandbox, data: bytes, file_name: str) -> DoneAct:
    """Begin with the cluster of a file, which takes the place of all objects. Raises RefusedActError."""
    try:
        documents = read_sandbox(data)
    except BadLesson as error:
        raise RefusedActError(faults=error.faults) from None
    return _built(sandbox, ActKind.UPLOADED, file_name[:100], lambda _: imported(documents))


def begin_with(sandbox: StoredSandbox, name: str) -> DoneAct:
    """Begin with one of the clusters that there are. Raises RefusedActError."""
    try:
        objects = start(name)
    except KeyError:
        raise RefusedActError(str(words.UNKNOWN_ACT)) from None
    return replace_all(sandbox, ActKind.STARTED, name, objects)


def replace_all(sandbox: StoredSandbox, kind: ActKind, subject: str, objects: Objects) -> DoneAct:
    """Let other objects take the place of all. Raises RefusedActError."""
    return _built(sandbox, kind, subject, lambda _: Built(objects))


def remove_object(sandbox: StoredSandbox, name: str) -> DoneAct:
    """Take an object away. Raises RefusedActError."""

    def built(cluster: SandboxCluster) -> Built:
        return Built(removed(cluster, _name_in(cluster.objects, name)))

    return _built(sandbox, ActKind.REMOVED, name, built)


def act_on_node(sandbox: StoredSandbox, act: str, name: str) -> DoneAct:
    """Do something with a node. Raises RefusedActError."""
    if act == "duplicate":
        try:
            new, objects = duplicated(cluster_of(sandbox), name)
        except SituationError as error:
            raise _refused(error) from None
        return replace_all(sandbox, ActKind.DUPLICATED, f"Node/{new}", objects)
    if act not in _NODE_ACTS:
        raise RefusedActError(str(words.UNKNOWN_ACT))
    kind, change = _NODE_ACTS[act]
    return _built(sandbox, kind, f"Node/{name}", lambda cluster: Built(change(cluster, name)))


def schedule(sandbox: StoredSandbox, *, is_one: bool) -> DoneAct:
    """Try the pending pod whose turn it is, or all of them. Raises RefusedActError where there is none."""
    history = sandbox.history
    try:
        run = run_queue(SandboxCluster(history.run_base), history.run_attempts + 1 if is_one else None)
    except SituationError as error:
        raise _refused(error) from None
    after = history.scheduled(run)
    if after is history:
        raise RefusedActError(str(words.NOTHING_TO_TRY))
    return DoneAct(after, pod=run.attempts[-1].pod)


def undo(sandbox: StoredSandbox) -> DoneAct:
    """Take the last act back. Raises RefusedActError where there is none."""
    if not sandbox.history.acts:
        raise RefusedActError(str(words.NOTHING_TO_UNDO))
    return DoneAct(sandbox.history.undone())


def _built(sandbox: StoredSandbox, kind: ActKind, subject: str, build: Callable[[SandboxCluster], Built]) -> DoneAct:
    built = _checked(sandbox, build)
    after = sandbox.history.done(kind, subject, built.objects)
    if after is sandbox.history:
        raise RefusedActError(str(words.NOTHING_CHANGED))
    if not built.refused:
        return DoneAct(after)
    reason = problem_sentence(built.refused[0][1].problem)
    return DoneAct(after, words.not_created([key for key, _ in built.refused], reason))


def _checked(sandbox: StoredSandbox, build: Callable[[SandboxCluster], Built]) -> Built:
    """Build, and hold what comes of it within bounds. Raises RefusedActError."""
    try:
        built = build(cluster_of(sandbox))
        hold_within_bounds(built.objects)
    except SituationError as error:
        raise _refused(error) from None
    except (ChangeError, QuantityError) as error:
        raise RefusedActError(both_sentences(error.problem)) from None
    return built


def _refused(error: SituationError) -> RefusedActError:
    """Say with which object and field something is wrong, and what."""
    place = " ".join(filter(None, (str(error.subject or ""), error.field)))
    said = both_sentences(error.problem)
    return RefusedActError(f"{place}: {said}" if place else said)


def _name_in(objects: Objects, text: str) -> ObjectName:
    """Return the object of a name. Raises RefusedActError."""
    found = next((name for name in objects if str(name) == text), None)
    if found is None:
        raise RefusedActError(str(player_words.NO_OBJECT))
    return found
