"""Ask in the terminal whether it fits: a cluster or a dump, changes, and a scheduler."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from clusters.adapters.bad_input import BadInput, printable
from clusters.adapters.traces import openb
from clusters.documents.stored_problems import decoded
from clusters.documents.values import fits_or_unknown
from clusters.documents.words import message_in_words, summary_in_words, uncertainty_with_words
from clusters.engine.conclusion import Conclusion
from clusters.engine.problems import Malformed, NotTogether, NotUtf8, OnlyBeside, TooLarge, no_such_name
from clusters.engine.simulation import Base
from clusters.engine.versions import GateSettings, release_with
from clusters.management.terminal.output import BAD_INPUT, AnsweringCommand, NoAnswer, dump_at, terminal_width
from clusters.management.terminal.simulation import lines
from clusters.models import Cluster, SimulationRun
from clusters.problems.inputs import UnreadableFile
from clusters.problems.orders import (
    StoppedEarly,
)
from clusters.services.files import read_document
from clusters.services.mirror.bases import beginning, free, hold
from clusters.services.mirror.snapshots import document_of, gates_of
from clusters.services.runs.results import Simulated, simulated, simulated_by, verdict
from clusters.services.runs.spec import (
    BATCH,
    CHANGE,
    CLUSTER,
    EMPTY,
    MOST_BYTES as MOST_MANIFEST_BYTES,
    MOST_JSON_BYTES as MOST_SPEC_BYTES,
    NO_GANGS,
    POD_GROUPS,
    PODS,
    Spec,
    SpecError,
    read_spec,
)
from clusters.services.runs.starting import stored_run
from clusters.services.runs.working import work
from clusters.wording.problems import placed_sentence
from clusters.wording.runs import progress as progress_words
from clusters.wording.runs.summary import verdict_sentence
from clusters.wording.terminal import simulation as words

if TYPE_CHECKING:
    from clusters.engine.simulation import Verdict
    from clusters.services.files import Dump

_STATUS: Final = {Conclusion.FITS: 0, Conclusion.UNSCHEDULABLE: 1, Conclusion.UNCERTAIN: 3}


class Simulating(AnsweringCommand):
    """manage.py simulate --dump FILE --manifest FILE --replicas N, and more."""

    def no_answer(self, error: Exception) -> NoAnswer | None:
        if isinstance(error, SpecError):
            return NoAnswer(BAD_INPUT, placed_sentence(error.problem, error.field, line=error.line))
        return super().no_answer(error)

    def answer(self, options: dict[str, Any]) -> int:
        base = _base(options)
        spec = read_spec(_spec(options, base))
        run = None
        if options["store"]:
            if options["dump"] is not None:
                raise BadInput(NotTogether(("--store", "--dump")))
            run = stored_run(cluster=base.cluster, spec=spec, title=options["title"], user=None)
            found = _worked(run)
        else:
            found = _simulated(base, spec.on_version(base.kube_version, base.feature_gates or {}))
        answer = verdict(found.summary, even_pending=options["fail_if_pending"])
        reason = verdict_sentence(found.summary, answer)
        if options["format"] == "json":
            self._write_json(found, spec, run, answer, reason)
        else:
            for line in lines(found, reason, terminal_width(), on=base.name):
                self.stdout.write(line)
            if run is not None:
                self.stdout.write(f"\n{words.STORED(run=str(run.pk))}")
        if answer.conclusion is not Conclusion.FITS:
            self.stderr.write(self.style.ERROR(printable(reason)))
        return _STATUS[answer.conclusion]

    def _write_json(
        self, found: Simulated, spec: Spec, run: SimulationRun | None, answer: Verdict, reason: str
    ) -> None:
        document = {
            "version": 3,
            "fits": fits_or_unknown(answer.conclusion),
            "conclusion": answer.conclusion.value,
            "reason": reason,
            "uncertainties": [uncertainty_with_words(each) for each in answer.uncertainties],
            "run": None if run is None else run.pk,
            "seed": spec.seed,
            "summary": summary_in_words(found.summary),
            "pods": [pod._replace(message=message_in_words(pod.message))._asdict() for pod in found.pods],
        }
        self.stdout.write(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())


class _Base(NamedTuple):
    """What the simulation begins with."""

    name: str
    dump: Dump | None
    configuration: dict[str, Any] | None
    cluster: Cluster | None
    kube_version: str = ""
    feature_gates: GateSettings | None = None


def _base(options: dict[str, Any]) -> _Base:
    if options["empty"]:
        return _Base(str(progress_words.EMPTY_CLUSTER), None, None, None)
    if options["dump"] is not None:
        dump = dump_at(options["dump"], default_pods=options["default_pods"])
        return _Base(dump.name, dump, dump.configuration, None, dump.kube_version, dump.gates)
    cluster = Cluster.objects.filter(name=options["cluster"]).first()
    if cluster is None or cluster.is_unread:
        known = Cluster.objects.filter(last_sync__isnull=False).values_list("name", flat=True)[:10]
        raise BadInput(no_such_name(options["cluster"], tuple(known)))
    name, gates = words.OF_CLUSTER(cluster=cluster.name), gates_of(cluster)
    return _Base(name, None, document_of(cluster), cluster, cluster.kube_version, gates)


def _simulated(base: _Base, spec: Spec) -> Simulated:
    """Simulate a run that is not kept. Raises SpecError."""
    release = spec.scheduler_configuration().release
    if base.cluster is None:
        begins = Base.of((), release) if base.dump is None else base.dump.base(release)
        return simulated(begins, spec, kube_version=base.kube_version)
    held = hold(base.cluster)
    try:
        return simulated(beginning(held, release), spec, kube_version=base.kube_version)
    finally:
        free(held.pk)


def _spec(options: dict[str, Any], base: _Base) -> dict[str, Any]:
    changes = [each for text in options["change"] for each in _changes(text)]
    for path in options["manifest"]:
        change = {CHANGE: "add-workload", "text": _text(path, MOST_MANIFEST_BYTES), "file": path.name}
        changes.append(change if options["replicas"] is None else {**change, "replicas": options["replicas"]})
    if options["replicas"] is not None and not options["manifest"]:
        raise BadInput(OnlyBeside("--manifest"))
    if options["trace"] is not None:
        changes.append(_trace(options["trace"], options["trace_nodes"]))
    elif options["trace_nodes"] is not None:
        raise BadInput(OnlyBeside("--trace"))
    given = options["configuration"]
    return {
        "base": {"kind": EMPTY if options["empty"] else CLUSTER},
        "changes": changes,
        "configuration": base.configuration
        if given is None
        else read_document(given, release_with(base.kube_version, base.feature_gates or {})),
        "scheduler": {
            "kind": BATCH if options["batch"] else PODS,
            "samples": options["samples"],
            "reschedules": options["reschedules"],
            "gangs": POD_GROUPS if options["gangs"] else NO_GANGS,
        },
        "seed": options["seed"],
    }


def _changes(text: str) -> list[Any]:
    """Return the changes of an argument: JSON, or the name of a file of it after an @."""
    name = text[1:] if text.startswith("@") else ""
    try:
        found = orjson.loads(_text(Path(name), MOST_SPEC_BYTES) if name else text)
    except orjson.JSONDecodeError as error:
        place = name or "--change"
        raise BadInput(Malformed("JSON", str(error)), file=place) from None
    return found if isinstance(found, list) else [found]


def _trace(pods: Path, nodes: Path | None) -> dict[str, Any]:
    """Return the change that a trace in the openb format is. Raises BadInput."""
    read = openb.read_pods(_data(pods, openb.MOST_BYTES), pods.name)
    change: dict[str, Any] = {CHANGE: "trace", "format": "openb", "pods": read}
    if nodes is not None:
        change["nodes"] = openb.read_nodes(_data(nodes, openb.MOST_BYTES), nodes.name)
    return change


def _text(path: Path, most: int) -> str:
    try:
        return _data(path, most).decode()
    except UnicodeDecodeError:
        raise BadInput(NotUtf8(), file=path.name) from None


def _data(path: Path, most: int) -> bytes:
    """Return what a file holds. Raises BadInput for one of more bytes than are taken."""
    try:
        if path.stat().st_size > most:
            raise BadInput(TooLarge(most), file=path.name)
        return path.read_bytes()
    except OSError as error:
        raise BadInput(UnreadableFile(error.strerror or str(error)), file=path.name) from None


def _worked(run: SimulationRun) -> Simulated:
    """Work on a stored run here and now, and return what came of it. Raises SpecError."""
    work(run.pk)
    run.refresh_from_db()
    if run.state != SimulationRun.State.DONE:
        error = run.error or {}
        problem = decoded(error["problem"]) if error else StoppedEarly(run.pk)
        raise SpecError(error.get("field", ""), problem, line=error.get("line", 0))
    return simulated_by(run)
