"""Columns of JSON with a way of their own to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django.db import models

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


class ObjectField(models.JSONField):
    """A JSON column that is read with orjson: a snapshot reads every row of a cluster."""

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        if isinstance(value, str) and expression is not None and not hasattr(expression, "key_name"):
            return orjson.loads(value)
        return super().from_db_value(value, expression, connection)
