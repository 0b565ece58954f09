"""Columns of JSON with a way of their own to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django.db import models

from clusters.documents.simulations import read_answer, read_summary

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


class ObjectField(models.JSONField):
    """A JSON column that is read with orjson: a snapshot reads every row of a cluster."""

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        if isinstance(value, str) and expression is not None and not hasattr(expression, "key_name"):
            return orjson.loads(value)
        return super().from_db_value(value, expression, connection)


class DocumentField(models.JSONField):
    """A JSON column with a reader, which brings what an earlier release wrote into its present form.

    Queries cannot look into it: a part of the document would not be read by its reader.
    """

    def get_transform(self, lookup_name: str) -> Any:
        return None


class SummaryField(DocumentField):
    """The summary of a run, read in its present form whichever release wrote it."""

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        return read_summary(super().from_db_value(value, expression, connection))


class AnswerField(DocumentField):
    """The answer to a part of a study, read in its present form whichever release wrote it."""

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        return read_answer(super().from_db_value(value, expression, connection))
