"""Tables: a column is declared once; heading, cell, label on a phone, sorting, chooser and file follow from it."""

from __future__ import annotations
