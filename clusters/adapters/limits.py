"""How much input is taken. Every limit is there because a small upload could otherwise fill the machine."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one source."""

    # Of the file as it is on disk.
    source_bytes: int = 2048 * MIB
    # Of all files together, decompressed.
    total_bytes: int = 16 * 1024 * MIB
    # Decompressed to compressed, once more than `inflation_grace` came out of a stream.
    inflation: int = 200
    inflation_grace: int = 16 * MIB
    files: int = 200_000
    objects: int = 2_000_000
    # Of one object as JSON; etcd takes 1.5 MiB.
    object_bytes: int = 8 * MIB
    # Of memory, as estimated, for a document that is parsed in one piece: all but the items of a list.
    document_bytes: int = 1024 * MIB
    # Maps and lists within each other: this many are already too many.
    nesting: int = 100
    # Values that YAML aliases stand for, in one document.
    yaml_expansion: int = 100_000
    # Scheduling attempts that somebody recorded, and what they take compressed: held until all is read.
    attempts: int = 100_000
    attempt_bytes: int = 128 * MIB


def limits() -> Limits:
    """Return the limits that the settings name."""
    return Limits(
        source_bytes=settings.BERTH_UPLOAD_LIMIT_BYTES,
        total_bytes=settings.BERTH_DECOMPRESSED_LIMIT_BYTES,
        inflation=settings.BERTH_INFLATION_LIMIT,
        files=settings.BERTH_FILES_LIMIT,
        objects=settings.BERTH_OBJECTS_LIMIT,
        document_bytes=settings.BERTH_DOCUMENT_MEMORY_BYTES,
        nesting=settings.BERTH_NESTING_LIMIT,
        yaml_expansion=settings.BERTH_YAML_EXPANSION_LIMIT,
    )
