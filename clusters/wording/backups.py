"""What `backup` and `restore` print: what they did, or why not."""

from __future__ import annotations

from clusters.wording.messages import message, plural

BACKED_UP = plural(
    "%(file)s holds %(rows)s row and the secret key (%(size)s). Whoever has it can sign in to Berth: keep it private.",
    "%(file)s holds %(rows)s rows and the secret key (%(size)s). Whoever has it can sign in to Berth: keep it private.",
    by="rows",
)
RESTORED = plural(
    "Restored %(rows)s row, backed up on %(at)s by Berth %(version)s.",
    "Restored %(rows)s rows, backed up on %(at)s by Berth %(version)s.",
    by="rows",
)
FILE_EXISTS = message("There is %(file)s already. Name another file, or remove it.")
CANNOT_WRITE = message("Berth cannot write %(file)s: %(reason)s.")
CANNOT_READ = message("%(file)s cannot be read: %(reason)s.")
NOT_WHOLE = message("%(file)s is no backup of Berth, or is damaged or cut short (%(reason)s). Nothing was restored.")
OF_NEWER = message(
    "The backup is of Berth %(version)s, and this is %(own)s, which does not know all that it holds. "
    "Install that version."
)
IN_USE = message(
    "The database is in use (%(tables)s). Restore into an empty one: set BERTH_DATA_DIR to a new directory, or "
    "DATABASE_URL."
)
REFUSED = message("The database refused what %(file)s holds: %(reason)s. Nothing was restored.")
