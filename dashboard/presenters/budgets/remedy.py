"""What would let a budget allow a disruption: in words, as a kubectl command and as a manifest."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson
import yaml

from clusters.engine.disruption import KIND, one_unavailable, remedy_of
from clusters.wording.reviews import recommendations as words

if TYPE_CHECKING:
    from clusters.engine import Snapshot
    from clusters.engine.disruption import BudgetState


@dataclass(frozen=True, slots=True)
class BudgetRemedyView:
    """What to change, why, and the same to copy; the manifest is empty where the source does not hold the budget."""

    title: str
    change: str
    reason: str
    command: str
    manifest: str


def remedy_view(state: BudgetState, snapshot: Snapshot) -> BudgetRemedyView | None:
    """Present the remedy that reviews recommend; None where the budget needs none or there is none."""
    remedy, budget = remedy_of(state), state.budget
    if remedy is None:
        return None
    document = snapshot.object(KIND, budget.name, budget.namespace)
    # Names come from whoever wrote the dump, and the command is for a shell.
    command = ["kubectl", "-n", budget.namespace, "patch", KIND.lower(), budget.name, "--type=merge", "-p"]
    return BudgetRemedyView(
        title=words.ALLOW_DISRUPTION(budget=budget.key),
        change=words.REPLACE_FIELD(field=remedy.field, value=remedy.value, budget=budget.key),
        reason=words.NEVER_ALLOWS(pods=state.pods),
        command=shlex.join([*command, orjson.dumps(remedy.patch).decode()]),
        manifest=yaml.safe_dump(one_unavailable(document), sort_keys=False, allow_unicode=True) if document else "",
    )
