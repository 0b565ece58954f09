"""Show in the terminal what an upgrade of Kubernetes changes in scheduling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from clusters.adapters.bad_input import BadInput
from clusters.documents.upgrade_words import upgrade_with_words
from clusters.documents.upgrades import upgrade_document
from clusters.engine import ConfigurationError
from clusters.engine.problems import no_such_name
from clusters.management.terminal.output import AnsweringCommand, dump_at, terminal_width
from clusters.management.terminal.upgrade import upgrade_lines
from clusters.models import Cluster
from clusters.services.mirror.snapshots import release_of
from clusters.services.upgrading import chosen_release, preview_of_cluster, preview_of_dump
from clusters.wording.releases import release_notice

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.engine.upgrading import UpgradePreview
    from clusters.engine.versions import Release

_NOTHING_CHANGES, _SOMETHING_CHANGES = 0, 1
_MOST_SUGGESTED: Final = 5


class Upgrading(AnsweringCommand):
    """manage.py upgrade --dump PATH --to MINOR, or --cluster NAME."""

    def answer(self, options: dict[str, Any]) -> int:
        return self._run(**options)

    def _run(self, *, dump: Path | None, cluster: str | None, to: str, output: str, **_: Any) -> int:
        version, preview = _of_dump(dump, to) if dump is not None else _of_cluster(str(cluster), to)
        notice = release_notice(version)
        if notice:
            self.stderr.write(self.style.WARNING(notice))
        document = upgrade_document(preview)
        if output == "json":
            self.stdout.write(orjson.dumps(upgrade_with_words(document), option=orjson.OPT_INDENT_2).decode())
        else:
            for line in upgrade_lines(document, terminal_width()):
                self.stdout.write(line)
        is_drained_alike = not any(each.differences for each in document.drains)
        is_started = document.refusal is None and not document.obstacles
        is_same = not document.differences and is_drained_alike and is_started
        return _NOTHING_CHANGES if is_same else _SOMETHING_CHANGES


def _of_dump(path: Path, to: str) -> tuple[str, UpgradePreview]:
    """Return the version of a dump, and what its upgrade changes. Raises BadInput."""
    found = dump_at(path)
    return found.kube_version, preview_of_dump(dump=found, target=_target(found.release, to))


def _of_cluster(name: str, to: str) -> tuple[str, UpgradePreview]:
    """Return the version of a mirrored cluster, and what its upgrade changes. Raises BadInput."""
    cluster = Cluster.objects.filter(name=name).first()
    if cluster is None or cluster.is_unread:
        known = Cluster.objects.filter(last_sync__isnull=False).values_list("name", flat=True)[:_MOST_SUGGESTED]
        raise BadInput(no_such_name(name, tuple(known)))
    try:
        _, preview = preview_of_cluster(cluster=cluster, target=_target(release_of(cluster), to))
    except ConfigurationError as error:
        raise BadInput(error.problem, subject=name, field=error.path) from None
    return cluster.kube_version, preview


def _target(release: Release, minor: str) -> Release:
    """Return the release that is asked for. Raises BadInput that names the option."""
    try:
        return chosen_release(release, minor)
    except BadInput as error:
        raise BadInput(error.problem, field="--to") from None
