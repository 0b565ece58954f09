"""Check lessons in the terminal, store those of trainers, and print what their files may hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py lessons check [PATH…], add ARCHIVE, remove NAME, list, or schema NAME."""

    work = "clusters.management.terminal.checking_lessons.CheckingLessons"
    help = (
        "Check the files of lessons, list the lessons that come with Berth, or store an archive of another one for "
        "everybody who is signed in. Only add and remove need a database. Exit status: 0 every lesson can be played, "
        "warnings or not, 1 something is wrong with a lesson, 2 a path is no lesson, or no lesson has that name."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        asked = parser.add_subparsers(dest="asked", required=True, metavar="check|add|remove|list|schema")
        check = asked.add_parser("check", help="say what is wrong with lessons, with file, line and field")
        check.add_argument(
            "paths",
            nargs="*",
            type=Path,
            metavar="PATH",
            help="folder or archive of a lesson; without any, all that come with Berth",
        )
        add = asked.add_parser("add", help="check an archive of a lesson, and store it for everybody")
        add.add_argument("archive", type=Path, metavar="ARCHIVE", help="a zip or tar of the lesson's folder")
        remove = asked.add_parser("remove", help="delete a lesson that was stored")
        remove.add_argument("name", metavar="NAME")
        asked.add_parser("list", help="list the lessons that come with Berth, and the paths through them")
        schema = asked.add_parser("schema", help="print the JSON schema of lesson.yaml, or of a file of texts")
        schema.add_argument("name", choices=("lesson", "texts"))
