"""`manage.py serve`: run Redis, worker, beat and web until Ctrl-C."""

from __future__ import annotations

import os
import signal
from typing import Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from clusters.wording import serving as words
from clusters.wording.access import sign_in as sign_in_words
from dashboard import datadir
from dashboard.access.links import DEFAULT_USER, make_link
from dashboard.operations import tether
from dashboard.serving import installation as preparation, processes
from dashboard.serving.children import ChildDiedError
from dashboard.serving.forks import apart, end_all
from dashboard.serving.installation import Installation, NotReadyError

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _StopAskedError(Exception):
    """Raised in the main thread by the first Ctrl-C, SIGTERM or SIGHUP."""


class Command(BaseCommand):
    """Supervises the processes of a small installation."""

    # Done apart: they load the whole site.
    requires_system_checks = ()

    help = "Run everything: Redis (unless REDIS_URL is set), the worker, beat and the web server."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="do not load the built-in demo cluster")
        parser.add_argument("--stop-with-parent", action="store_true", help="stop when the calling process ends")

    def handle(self, *args: Any, **options: Any) -> None:
        # Whatever it and its processes write is theirs alone.
        os.umask(0o077)
        for number in _SIGNALS:
            # Under nohup the end of the terminal is to be ignored.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, _ask_to_stop)
        try:
            if options["stop_with_parent"]:
                tether.die_with(os.getppid(), signal.SIGTERM)
            with preparation.lock(datadir.private_folder(settings.BERTH_DATA_DIR)):
                self._run(demo=not options["no_demo"])
        except _StopAskedError:
            self.stdout.write(str(words.STOPPED))
        except OSError as error:
            path = str(error.filename or settings.BERTH_DATA_DIR)
            raise CommandError(words.CANNOT_USE(path=path, reason=error.strerror or str(error))) from None
        except (ChildDiedError, NotReadyError, preparation.NotPreparedError, processes.NoRedisError) as error:
            raise CommandError(str(error)) from None

    def _run(self, *, demo: bool) -> None:
        strictly = "BERTH_PORT" in os.environ
        port = preparation.free_port(settings.BERTH_HOST, settings.BERTH_PORT, strictly=strictly)
        if port != settings.BERTH_PORT:
            self.stdout.write(words.OTHER_PORT(wanted=str(settings.BERTH_PORT), taken=str(port)))
        installation = Installation(host=settings.BERTH_HOST, port=port)
        try:
            self._start(installation, demo=demo)
            installation.watch()
        finally:
            # From here on a further Ctrl-C means: at once.
            for number in _SIGNALS:
                signal.signal(number, lambda *_: installation.kill())
            self.stdout.write(str(words.STOPPING))
            try:
                installation.stop()
            finally:
                end_all()

    def _start(self, installation: Installation, *, demo: bool) -> None:
        # Where the fork server finds what it loads.
        os.chdir(settings.BASE_DIR)
        apart(preparation.check)
        if apart(preparation.migrate):
            self.stdout.write(str(words.MIGRATED))
        if apart(preparation.collect_static):
            self.stdout.write(str(words.COLLECTED))
        # Much is loaded for this; whoever asks for help does not wait for it.
        from clusters.services.ingest.ingest import fail_lost_uploads

        if installation.has_own_redis and (lost := fail_lost_uploads()):
            self.stdout.write(words.UPLOADS_LOST(number=lost))
        self.stdout.write(installation.start_redis())
        installation.start_workers()
        installation.start_beat()
        installation.start_web()
        if demo:
            installation.run("demo", ["demo"])
        installation.wait_until_ready()
        url = settings.BERTH_BASE_URL or installation.local_url
        is_asked_for = settings.BERTH_SIGNIN_LINK_PRINTED or self.stdout.isatty()
        if not settings.BERTH_SIGNIN_LINKS:
            sign_in = str(sign_in_words.AT_ADDRESS)
        elif is_asked_for:
            sign_in = self._link(url)
        else:
            sign_in = sign_in_words.HOW_TO_GET_ANOTHER(command=settings.BERTH_COMMAND)
        # The supervisor lives long and asks the database nothing more.
        connections.close_all()
        self.stdout.write(words.RUNNING(address=url, sign_in=sign_in, data=str(settings.BERTH_DATA_DIR)))
        # What is no terminal, a log for instance, would have to wait for it until something else is said.
        self.stdout.flush()

    def _link(self, url: str) -> str:
        """Return a sign-in link with what is to be known of it; what is no terminal may be a log that others read."""
        link = make_link(username=DEFAULT_USER, base_url=url, create=True)
        minutes = int(settings.BERTH_SIGNIN_LINK_LIFETIME.total_seconds() // 60)
        return f"{link}\n           {sign_in_words.VALID_ONCE(minutes=minutes, command=settings.BERTH_COMMAND)}"


def _ask_to_stop(*_: object) -> NoReturn:
    raise _StopAskedError
