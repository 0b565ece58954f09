"""Settings for tests: the production settings over a data directory that lives as long as the test process."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

# Short, because a unix socket's path must fit in 108 bytes.
_data_dir = tempfile.mkdtemp(prefix="berth-test-")
atexit.register(shutil.rmtree, _data_dir, ignore_errors=True)

# A developer's own installation must neither be seen nor touched. DATABASE_URL stays: it says where to test.
_for_tests = {
    "BERTH_REQUIRE_BROWSER",
    "BERTH_CHROMIUM",
    "BERTH_REQUIRE_CONTROLPLANE",
    "BERTH_CONTROLPLANE_CACHE",
    "BERTH_REQUIRE_HELM",
    "BERTH_REQUIRE_DEX",
}
for _name in [name for name in os.environ if name.startswith("BERTH_") or name == "REDIS_URL"]:
    if _name not in _for_tests and not _name.startswith("BERTH_TEST_"):
        del os.environ[_name]
os.environ["BERTH_DATA_DIR"] = _data_dir

from dashboard.settings import *  # noqa: E402, F403
from dashboard.settings import DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

# PDFs are the same on every machine.
BERTH_FONTS = []

# On disk, so that the servers which browser tests start can read it too.
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": f"{_data_dir}/test.sqlite3"}
# Kept connections would hold the test database when it is to be dropped.
DATABASES["default"]["CONN_MAX_AGE"] = 0

# Hashed names as in production, so that a misspelt static file fails a test; compressing them would only take time.
STATIC_ROOT.mkdir()
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
