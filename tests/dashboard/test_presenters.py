from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from clusters.adapters.prune import KINDS
from clusters.models import Cluster, Ingest
from clusters.wording import amounts
from dashboard.pictures.meter import meter
from dashboard.presenters.clusters import ingest_view
from dashboard.presenters.dump_command import device_command, dump_command, group_command, optional_command
from dashboard.presenters.pods import toleration_text
from dashboard.presenters.shared.page import Quote, conditions

if TYPE_CHECKING:
    from pathlib import Path

THIN = "\u202f"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("milli", "text"),
    [
        (0, "0 CPU"),
        (1, "0.001 CPU"),
        (250, "0.25 CPU"),
        (4000, "4 CPU"),
        (1_234_500, f"1{THIN}234.5 CPU"),
        (-1500, "-1.5 CPU"),
    ],
)
def test_cpu_is_exact(milli: int, text: str) -> None:
    assert amounts.cpu(milli) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1 KiB"),
        (1536 * 2**20, "1.5 GiB"),
        (-2048, "-2 KiB"),
        (2**50, "1 PiB"),
        (2**60, "1024 PiB"),
    ],
)
def test_size_uses_the_largest_unit(count: int, text: str) -> None:
    assert amounts.size(count) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"), [(0, 10, "0 %"), (1, 1000, "< 1 %"), (5, 10, "50 %"), (11, 10, "110 %"), (1, 0, "–")]
)
def test_percent(part: int, whole: int, text: str) -> None:
    assert amounts.percent(part, whole) == text


@pytest.mark.parametrize(
    ("used", "total", "fill", "level"),
    [
        (0, 10, 0, ""),
        (8, 10, 80, ""),
        (9, 10, 90, "high"),
        (10, 10, 100, "high"),
        (11, 10, 100, "over"),
        (1, 0, 100, "high"),
        (0, 0, 0, ""),
    ],
)
def test_meter_warns_when_it_is_nearly_full(used: int, total: int, fill: int, level: str) -> None:
    shown = meter("Pods", used, total, amounts.grouped)

    assert (shown.fill, shown.level) == (fill, level)


def test_condition_is_good_when_ready_or_without_pressure() -> None:
    node = {
        "status": {
            "conditions": [
                {"type": "Ready", "status": "True"},
                {"type": "MemoryPressure", "status": "False"},
                {"type": "DiskPressure", "status": "True"},
                {"type": "PIDPressure", "status": "Unknown"},
            ]
        }
    }

    assert [(condition.type, condition.kind) for condition in conditions(node)] == [
        ("DiskPressure", "bad"),
        ("PIDPressure", "warn"),
        ("Ready", "good"),
        ("MemoryPressure", "good"),
    ]


@pytest.mark.parametrize("page", ["README.md", "docs/ingest.md"])
def test_the_docs_give_the_command_that_the_upload_page_gives(page: str) -> None:
    said = (settings.BASE_DIR / page).read_text(encoding="utf-8")

    assert dump_command() in said
    assert optional_command() in said


def test_dump_commands_ask_for_every_kind_that_is_kept() -> None:
    core = dump_command().split()[2].split(",")
    devices = device_command().partition(";")[0].split()[3:]

    groups = group_command().partition(";")[0].split()[3:]

    asked = [*core, *devices, *groups]
    assert len(asked) == len(set(asked)) == len(KINDS)
    assert {"pods", "priorityclasses", "csistoragecapacities", "storageclasses"} <= set(core)
    assert {"deviceclasses", "devicetaintrules"} <= set(devices)
    assert {"workloads.scheduling.k8s.io", "workloads.kueue.x-k8s.io", "podgroups.scheduling.volcano.sh"} <= set(groups)
    assert optional_command().partition(";")[0].split()[3:] == [*devices, *groups, "podmetrics", "nodemetrics"]


def test_dump_commands_go_on_where_a_kind_is_not_served(tmp_path: Path) -> None:
    kubectl = tmp_path / "kubectl"
    kubectl.write_text(
        '#!/bin/sh\ncase "$2" in *devicetaintrules*|*s.*|*podmetrics*) echo not served >&2; exit 1;; esac\necho "$2"\n',
        encoding="utf-8",
    )
    kubectl.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}

    for command in (dump_command(), optional_command()):
        subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, env=environment, check=False, capture_output=True)

    asked = (tmp_path / "cluster.json").read_text(encoding="utf-8").splitlines()
    assert asked[0].startswith("namespaces,nodes,pods,")
    assert asked[1:] == ["resourceslices", "resourceclaims", "resourceclaimtemplates", "deviceclasses", "nodemetrics"]


@pytest.mark.parametrize(
    ("fields", "sentence", "percent"),
    [
        ({"state": "queued"}, "d.json is queued for a worker.", None),
        (
            {"state": "reading", "bytes_total": 2048, "bytes_read": 1024, "objects_read": 1},
            "Reading d.json: 1 KiB of 2 KiB, 1 object so far.",
            50,
        ),
        ({"state": "writing", "objects_kept": 2}, "Writing 2 objects.", None),
        ({"state": "done", "revision": 4}, "d.json holds nothing new: revision 4 stays.", 100),
        (
            {"state": "done", "revision": 5, "objects_read": 3, "rows_added": 1, "rows_removed": 2},
            "3 objects read; 1 added, 0 changed, 2 removed. Revision 5.",
            100,
        ),
        ({"state": "failed"}, "d.json could not be read. The cluster is as it was before.", None),
    ],
)
def test_run_is_told_in_a_sentence(fields: dict[str, object], sentence: str, percent: int | None) -> None:
    view = ingest_view(Ingest(cluster=Cluster(name="prod", last_sync=NOW), file_name="d.json", **fields))

    assert view.sentence == sentence
    assert view.percent == percent
    assert view.is_over == (fields["state"] in {"done", "failed", "cancelled"})


@pytest.mark.parametrize(
    ("state", "end"), [("failed", "d.json could not be read."), ("cancelled", "Reading d.json was cancelled.")]
)
def test_first_run_that_is_not_done_speaks_of_no_state_before(state: str, end: str) -> None:
    waiting = ingest_view(Ingest(cluster=Cluster(name="prod"), file_name="d.json", state=state))
    last = ingest_view(Ingest(intended_name="prod", file_name="d.json", state=state))

    assert waiting.sentence == f"{end} No dump of the cluster has been read yet."
    assert last.sentence == f"{end} No cluster prod was added."


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0s"),
        (119, "119s"),
        (120, "2m"),
        (330, "5m30s"),
        (3 * 3600 - 1, "179m"),
        (3 * 3600 + 1200, "3h20m"),
        (47 * 3600, "47h"),
        (5 * 86400 + 3 * 3600, "5d3h"),
        (257 * 86400, "257d"),
        (800 * 86400, "2y70d"),
        (9 * 365 * 86400, "9y"),
    ],
)
def test_age_is_as_short_as_kubectls(seconds: int, text: str) -> None:
    assert amounts.age(timedelta(seconds=seconds)) == text


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"key": "k", "value": "v", "effect": "NoSchedule"}, "k=v:NoSchedule"),
        ({"key": "k", "operator": "Lt", "value": "5"}, "k<5"),
        ({"key": "k", "operator": "Gt", "value": "5", "effect": "NoExecute"}, "k>5:NoExecute"),
        ({"key": "k", "operator": "Exists"}, "k"),
    ],
)
def test_a_toleration_is_written_with_what_it_compares(fields: dict[str, str], text: str) -> None:
    assert toleration_text(fields) == text


# -- quotes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "opening"),
    [
        ("0/6 nodes are available: 2 Insufficient cpu, 4 Too many pods.", "0/6 nodes are available"),
        ("no nodes available to schedule pods", ""),
        ('running "A" filter plugin: node v1.2:3 is gone', 'running "A" filter plugin'),
        ("3 Insufficient example.com/gpu:1, 2 Too many pods", "3 Insufficient example.com/gpu:1"),
        ("", ""),
    ],
)
def test_a_quote_opens_with_its_first_clause(message: str, opening: str) -> None:
    assert Quote(message).opening == opening
