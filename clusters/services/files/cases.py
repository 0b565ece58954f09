"""Recorded cases: small clusters with pending pods, one a line, whose answers are compared with a scheduler's own."""

from __future__ import annotations

import gzip
import zlib
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import orjson

from clusters.adapters.bad_input import BadInput, shown
from clusters.engine import ConfigurationError, SchedulerConfiguration, Snapshot, UnknownScheduler
from clusters.engine.matching.selectors import SelectorError
from clusters.engine.replay import replay
from clusters.engine.resources.quantity import QuantityError
from clusters.engine.versions import GateError, match_release, read_feature_gates, release_with
from clusters.problems.cases import CaseNotJson, NotACase, UnreadableObjects
from clusters.problems.files import UnreadableFile
from clusters.problems.objects import NotAListOfObjects
from clusters.services.decisions.failures import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_GZIP = b"\x1f\x8b"


class CaseAnswer(NamedTuple):
    """What a line of a file of cases is answered, ``{"name", "results"}``, and why it is refused; None: it is not."""

    document: dict[str, Any]
    refusal: BadInput | None = None


def answers(path: Path) -> Iterator[CaseAnswer]:
    """Yield an answer for each line of a file of cases, compressed with gzip or not.

    A case is ``{"name", "kubernetes", "featureGates" and "config" (optional), "objects", "pods"}``; there is one result
    a pod, as ``Explanation.as_recorded`` gives it, and none of a case that is refused, nor, but for the error,
    ``notComputed``, of one that could not be computed.
    Raises BadInput where the file cannot be read.
    """
    try:
        with _opened(path) as lines:
            for number, line in enumerate(lines, 1):
                if not line.isspace():
                    case: dict[str, Any] = {}
                    try:
                        case = _case(line)
                        yield CaseAnswer(_answer(case))
                    except BadInput as error:
                        refusal = error.at(file=path.name, document=number)
                        yield CaseAnswer({"name": case.get("name"), "results": []}, refusal)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(UnreadableFile(reason), file=path.name) from error


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        is_gzip = file.read(len(_GZIP)) == _GZIP
    return cast("IO[bytes]", gzip.open(path)) if is_gzip else path.open("rb")


def _case(line: bytes) -> dict[str, Any]:
    try:
        case = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadInput(CaseNotJson(str(error))) from None
    if not isinstance(case, dict):
        raise BadInput(NotACase(shown(case)))
    return case


def _answer(case: dict[str, Any]) -> dict[str, Any]:
    objects, pods = _documents(case, "objects"), _documents(case, "pods")
    try:
        configuration = _configuration(case)
        snapshot = Snapshot.from_objects(objects, configuration.release)
        results = [explanation.as_recorded() for explanation in replay(snapshot, pods, configuration)]
    except ConfigurationError as error:
        field = f"config.{error.path}".rstrip(".")
        raise BadInput(error.problem, field=field) from None
    except UnknownScheduler as error:
        raise BadInput(error.problem, field="pods") from None
    except QuantityError as error:
        raise BadInput(error.problem, field="objects") from None
    except SelectorError as error:
        raise BadInput(UnreadableObjects(error.kubernetes), field="objects") from None
    except Exception as error:
        failure = escaped(error)
        if failure is None:
            raise
        # The other lines have answers all the same.
        return {"name": case.get("name"), "results": [], "notComputed": failure.error}
    return {"name": case.get("name"), "results": results}


def _documents(case: dict[str, Any], field: str) -> list[dict[str, Any]]:
    documents = case.get(field)
    if not isinstance(documents, list) or not all(isinstance(document, dict) for document in documents):
        raise BadInput(NotAListOfObjects(shown(documents)), field=field)
    return documents


def _configuration(case: dict[str, Any]) -> SchedulerConfiguration:
    """Return the configuration of a case. Raises ConfigurationError, and BadInput for its feature gates."""
    data, version = case.get("config"), str(case.get("kubernetes") or "")
    try:
        settings = read_feature_gates(case.get("featureGates") or {}, match_release(version).release)
    except GateError as error:
        raise BadInput(error.problem, field="featureGates") from None
    release = release_with(version, settings)
    if data is None:
        return SchedulerConfiguration.default(release)
    return SchedulerConfiguration.from_dict(data, release)
