"""Explain pods of a dump in the terminal, without a database."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import orjson

from clusters.adapters.bad_input import BadInput
from clusters.adapters.extenders import HttpExtenders
from clusters.documents.words import words
from clusters.documents.writing import BRIEF, explanation_document
from clusters.engine import Explanation, SchedulerConfiguration, UnknownScheduler, explain
from clusters.engine.analysis import Advice, absent_neighbours, advice
from clusters.engine.conclusion import Conclusion
from clusters.engine.problems import NeedsOneOf, NoSuchObject, NotOneOf, NotTogether
from clusters.engine.scheduling import Failure, measure_of
from clusters.engine.workloads import refused
from clusters.management.terminal.decision import Decision, batch_group_sentences
from clusters.management.terminal.output import (
    BAD_INPUT,
    NOT_COMPUTED,
    AnsweringCommand,
    NoAnswer,
    autoscaler_events,
    dump_at,
    failing_lines,
    recorded_sentences,
    table,
    terminal_width,
    told_of,
    troubled_lines,
    wrapped,
)
from clusters.problems.inputs import OtherGap
from clusters.problems.orders import (
    NotOnePending,
    PodNotInDump,
    Unwritable,
)
from clusters.services.decisions.explain import attempted, escaped
from clusters.services.files import Dump, answers, read_configuration
from clusters.wording import overview as overview_words
from clusters.wording.clusters import affects
from clusters.wording.decisions.verdict import OTHER_SCHEDULER, pending_headline, where_sentence
from clusters.wording.failures import error_of
from clusters.wording.lists import first_of
from clusters.wording.problems import input_sentence, problem_sentence
from clusters.wording.releases import changed_gates, release_notice, version_words
from clusters.wording.resources import limit_remedy, limit_sentence
from clusters.wording.terminal import explanation as printed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clusters.documents.explanation import ExplanationDocument

_FITS = 0
_FITS_NOWHERE = 1
_UNCERTAIN = 3
# What a list of pods ends with: the first of these that one of them ends with.
_GRAVEST_FIRST = (NOT_COMPUTED, _FITS_NOWHERE, _UNCERTAIN, _FITS)
_MOST_PODS_LISTED = 30
_MOST_SUGGESTED = 5


class Explaining(AnsweringCommand):
    """manage.py explain DUMP --pod NAMESPACE/NAME, or --cases FILE -o ANSWERS."""

    def no_answer(self, error: Exception) -> NoAnswer | None:
        why = super().no_answer(error)
        failure = escaped(error) if why is None else None
        if failure is not None:
            return NoAnswer(NOT_COMPUTED, f"{printed.pod_not_computed(failure)} {_remedy(failure)}")
        return why

    def answer(self, options: dict[str, Any]) -> int:
        return self._run(**options)

    def _run(
        self,
        *,
        dump: Path | None,
        pod: str | None,
        node: str | None,
        all_pending: bool,
        default_pods: bool,
        config: Path | None,
        cases: Path | None,
        output: str,
        **_: Any,
    ) -> int:
        if cases is not None:
            if dump or pod or node or all_pending or config:
                raise BadInput(NotTogether(("--cases", "DUMP", "--pod", "--node", "--all-pending", "--config")))
            return self._answer(cases, output or "-")
        if output not in ("", "table", "json"):
            raise BadInput(NotOneOf(output, ("-o table", "-o json")))
        if dump is None:
            raise BadInput(NeedsOneOf(("DUMP", "--cases")))
        if all_pending and (pod or node):
            raise BadInput(NotTogether(("--pod" if pod else "--node", "--all-pending")))
        found = dump_at(dump, default_pods=default_pods)
        configuration = read_configuration(config, found.release) if config else found.scheduler_configuration()
        notice = release_notice(found.kube_version)
        if notice:
            # Beside the answer, so that it reaches whoever pipes that elsewhere.
            self.stderr.write(self.style.WARNING(notice))
        if all_pending:
            return self._summarise(found, configuration, as_json=output == "json")
        if pod is None and not found.pending:
            # None can be meant; what became of the others may be what somebody looks for.
            self._write(troubled_lines(found, terminal_width()))
        return self._explain(found, _chosen(found, pod), configuration, node, as_json=output == "json")

    # -- one pod -----------------------------------------------------------------------------------------

    def _explain(
        self, dump: Dump, key: str, configuration: SchedulerConfiguration, node: str | None, *, as_json: bool
    ) -> int:
        pod = dump.pods[key]
        try:
            profile = configuration.profile_for(pod)
        except UnknownScheduler as error:
            self._write_recorded(dump, key, error.scheduler_name, as_json=as_json)
            return _UNCERTAIN
        explanation = explain(dump.snapshot, pod, profile, extenders=HttpExtenders(dump))
        version = _version(dump)
        row = None if node is None else explanation.snapshot.nodes.index.get(node)
        if node is not None and row is None:
            raise BadInput(NoSuchObject("Node", node), file=dump.name)
        if row is not None:
            if as_json:
                document = explanation_document(explanation, BRIEF, nodes=[row], evidence=True)
                self._write_json(_beside(document, explanation, dump))
            else:
                self._write(Decision(explanation, self.style, terminal_width(), version=version).node_lines(row))
        elif as_json:
            document = explanation_document(explanation, nodes=range(explanation.node_count))
            found = () if explanation.fits else advice(explanation, dump.tried(explanation, configuration))
            self._write_json(_beside(document, explanation, dump, found))
        else:
            width = terminal_width()
            state = told_of(pod, dump)
            runs_on = "" if state.is_troubled else dump.snapshot.placed_on(key) or ""
            is_pending = not (runs_on or state.is_troubled)
            report = Decision(
                explanation,
                self.style,
                width,
                version=version,
                runs_on=runs_on,
                state=state.sentences,
                tried=dump.tried(explanation, configuration) if is_pending else (),
                told=autoscaler_events(dump, key) if is_pending else (),
            )
            self._write(report.lines())
            self._write(_gaps(dump, width, absent_neighbours(explanation)))
        return _status_of(explanation)

    def _write_recorded(self, dump: Dump, key: str, scheduler: str, *, as_json: bool) -> None:
        """Show what another scheduler, and whoever else, recorded about its pod."""
        said = [*batch_group_sentences(dump.snapshot, key), *recorded_sentences(dump, key, scheduler)]
        if as_json:
            self._write_json({"pod": key, "schedulerName": scheduler, "recorded": said})
            return
        node = dump.snapshot.placed_on(key)
        found = [*([where_sentence(node, "")] if node else []), OTHER_SCHEDULER(scheduler=scheduler), *said]
        self._write((self.style.MIGRATE_HEADING(key), ""))
        self._write(line for each in found for line in wrapped(each, terminal_width()))

    # -- all pending pods --------------------------------------------------------------------------------

    def _summarise(self, dump: Dump, configuration: SchedulerConfiguration, *, as_json: bool) -> int:
        rows = {key: _row(dump, key, configuration) for key in dump.pending}
        if as_json:
            self._write_json([row.document for row in rows.values()])
            for line in failing_lines(dump.failures, terminal_width()):
                self.stderr.write(line)
        else:
            self._write(failing_lines(dump.failures, terminal_width()))
            self._write(_version(dump))
            self._write(_summary_table(rows, terminal_width()))
            self._write(_gaps(dump, terminal_width(), ()))
            self._write(troubled_lines(dump, terminal_width()))
        statuses = {row.status for row in rows.values()}
        if refused(dump.failures):
            statuses.add(_FITS_NOWHERE)
        return next((status for status in _GRAVEST_FIRST if status in statuses), _FITS)

    # -- recorded cases ----------------------------------------------------------------------------------

    def _answer(self, cases: Path, target: str) -> int:
        """Write an answer for each case; return the exit status."""
        if target == "-":
            return self._answered(cases, lambda line: self.stdout.write(line.decode(), ending=""))
        try:
            with Path(target).open("wb") as file:
                return self._answered(cases, file.write)
        except OSError as error:
            raise BadInput(Unwritable(str(target), error.strerror or str(error))) from None

    def _answered(self, cases: Path, write: Callable[[bytes], object]) -> int:
        """Answer each case; those that are refused are told, and cost no other its answer."""
        status = _FITS
        for answer in answers(cases):
            document = answer.document
            if answer.refusal is not None:
                status, said = BAD_INPUT, input_sentence(answer.refusal.problem, **answer.refusal.place)
                self.stderr.write(self.style.ERROR(said))
                document = {**document, "refused": said}
            write(orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE))
        return status

    # -- output ------------------------------------------------------------------------------------------

    def _write(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)

    def _write_json(self, value: Any) -> None:
        self.stdout.write(orjson.dumps(value, default=msgspec.to_builtins, option=orjson.OPT_INDENT_2).decode())


def _chosen(dump: Dump, wanted: str | None) -> str:
    """Return the key of the pod that is asked for, or of the only pending one. Raises BadInput."""
    pending, number = tuple(islice(dump.pending, _MOST_SUGGESTED)), len(dump.pending)
    if wanted is None:
        if number == 1:
            return pending[0]
        raise BadInput(NotOnePending(pending, number), file=dump.name)
    key = wanted if "/" in wanted else f"default/{wanted}"
    if key in dump.pods:
        return key
    name = wanted.rpartition("/")[2]
    namesakes = [other for other in dump.pods if other.rpartition("/")[2] == name]
    raise BadInput(PodNotInDump(key, tuple(namesakes[:_MOST_SUGGESTED]), pending, number), file=dump.name)


def _beside(
    document: ExplanationDocument, explanation: Explanation, dump: Dump, found: Sequence[Advice] = ()
) -> dict[str, Any]:
    """Return a document with what is said beside it."""
    return {
        "explanation": document,
        "words": {
            **words(explanation, pending_headline(explanation)[1], found),
            "autoscaler": [] if explanation.fits else autoscaler_events(dump, explanation.pod.key),
        },
        "releaseNotice": release_notice(dump.kube_version) or None,
    }


def _version(dump: Dump) -> list[str]:
    """Return which Kubernetes a dump is of, and which of its feature gates are not the defaults."""
    return [version_words(dump.kube_version), *filter(None, (changed_gates(dump.release.changed_gates),))]


def _listed(pending: Iterable[str]) -> str:
    return first_of(list(pending), most=_MOST_PODS_LISTED)


def _status_of(explanation: Explanation) -> int:
    if not explanation.gates.ok:
        return _FITS_NOWHERE
    match explanation.conclusion:
        case Conclusion.FITS:
            return _FITS
        case Conclusion.UNSCHEDULABLE:
            return _FITS_NOWHERE
        case Conclusion.UNCERTAIN:
            return _UNCERTAIN


class _Row(NamedTuple):
    """One pending pod: its exit status, its priority and verdict in words, the same as data, and what to do."""

    status: int
    priority: str
    verdict: str
    document: dict[str, Any]
    remedy: str = ""


def _row(dump: Dump, key: str, configuration: SchedulerConfiguration) -> _Row:
    """Judge one pending pod by itself; what goes wrong with it costs no other its row."""
    pod = dump.pending[key]
    try:
        profile = configuration.profile_for(pod)
    except UnknownScheduler as error:
        name = error.scheduler_name
        document = {"pod": key, "schedulerName": name, "unknownScheduler": problem_sentence(error.problem)}
        said = " ".join((printed.OTHER_SCHEDULER(scheduler=name), *recorded_sentences(dump, key, name)))
        return _Row(_FITS, "", said, document)
    found = attempted(f"Pod {key}", lambda: _judged(key, explain(dump.snapshot, pod, profile)))
    if isinstance(found, Failure):
        document = {"pod": key, "schedulerName": profile.scheduler_name, "notComputed": error_of(found)}
        measure = measure_of(found.reference)
        why = printed.ROW_NOT_COMPUTED(error=found.error, reference=found.reference)
        why = why if measure is None else limit_sentence(measure)
        return _Row(NOT_COMPUTED, "", why, document, _remedy(found))
    return found


def _judged(key: str, answer: Explanation) -> _Row:
    state, said = pending_headline(answer)
    document = {
        "pod": key,
        "schedulerName": answer.profile.scheduler_name,
        "priority": answer.pod.priority,
        "explanation": explanation_document(answer, BRIEF),
        "words": words(answer, said),
    }
    return _Row(_status_of(answer), f"{answer.pod.priority:,}", printed.with_state(state, said), document)


def _remedy(failure: Failure) -> str:
    measure = measure_of(failure.reference)
    return str(printed.IS_A_DEFECT) if measure is None else limit_remedy(measure)


def _summary_table(rows: dict[str, _Row], width: int) -> Iterator[str]:
    if not rows:
        yield str(overview_words.NOTHING_PENDING)
        return
    yield from wrapped(printed.PENDING(pods=len(rows)), width)
    failed = sum(row.status == NOT_COMPUTED for row in rows.values())
    if failed:
        remedies = " ".join(dict.fromkeys(row.remedy for row in rows.values() if row.remedy))
        yield from wrapped(f"{printed.NOT_COMPUTED(pods=failed)} {remedies}", width)
    yield ""
    cells = [(key, row.priority, row.verdict) for key, row in rows.items()]
    yield from table(printed.PENDING_COLUMNS, cells, width, right=(1,), indent="")


def _gaps(dump: Dump, width: int, absent: Sequence[str]) -> Iterator[str]:
    """Name what the dump lacks; ingest says which answers suffer. ``absent`` are pods on missing nodes that matter."""
    if not len(dump.snapshot.nodes):
        return
    for gap in dump.gaps:
        if gap.kind in (OtherGap.POD_DEFAULTS, OtherGap.UNREADABLE):
            yield ""
            yield from wrapped(f"{problem_sentence(gap.why)} {affects(gap.kind, unused=gap.unused)}", width)
    kinds = list(dict.fromkeys(gap.kind for gap in dump.gaps if gap.kind not in tuple(OtherGap)))
    if kinds:
        yield ""
        yield from wrapped(printed.MISSING_KINDS(kinds=", ".join(kinds)), width)
    if absent:
        yield ""
        missing = " ".join(problem_sentence(gap.why) for gap in dump.gaps if gap.kind == OtherGap.MISSING_NODE)
        yield from wrapped(f"{missing} {printed.would_count(absent, _MOST_SUGGESTED)}", width)
