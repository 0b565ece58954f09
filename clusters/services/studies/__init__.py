"""Studies: one question in many variants, each worked on by whichever worker is free."""

from __future__ import annotations

from clusters.services.studies.asking import (
    create_headroom,
    create_nodes_needed,
    create_removable,
    create_sweep,
    delete,
    study_table,
)

__all__ = [
    "create_headroom",
    "create_nodes_needed",
    "create_removable",
    "create_sweep",
    "delete",
    "study_table",
]
