"""What workers do: the one package that knows every kind of work."""

from __future__ import annotations
