"""Settings. Every variable read here is explained in docs/settings.md and listed in .env.example."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF, UNSAFE_INLINE

from dashboard import datadir, env

BASE_DIR = Path(__file__).resolve().parent.parent
# Templates, static files and catalogues: beside the packages in a checkout, within them where a wheel was installed.
_PACKED = BASE_DIR / "dashboard" / "site"
_IS_CHECKOUT = not _PACKED.is_dir()
SITE_DIR = BASE_DIR if _IS_CHECKOUT else _PACKED
# What is typed before the name of a command.
BERTH_COMMAND = ".venv/bin/python manage.py" if _IS_CHECKOUT else "berth"

# --- The installation -------------------------------------------------------------------------------------------------

DEBUG = env.flag("BERTH_DEBUG", default=False)
BERTH_DATA_DIR = env.folder("BERTH_DATA_DIR", BASE_DIR / "var" if _IS_CHECKOUT else datadir.of_user())
BERTH_BASE_URL = env.origin("BERTH_BASE_URL")
BERTH_HOST = env.text("BERTH_HOST", "127.0.0.1")
BERTH_PORT = env.whole("BERTH_PORT", 8000, least=1, most=65535)
BERTH_WORKERS = env.whole("BERTH_WORKERS", 2, least=1, most=64)
BERTH_SIMULATION_WORKERS = env.whole("BERTH_SIMULATION_WORKERS", 1, least=0, most=64)
BERTH_INGEST_WORKERS = env.whole("BERTH_INGEST_WORKERS", 2, least=0, most=64)
BERTH_INGEST_MEMORY_MIB = env.whole("BERTH_INGEST_MEMORY_MIB", 2048, least=64, most=1024 * 1024)
BERTH_INGEST_TIME = timedelta(minutes=env.whole("BERTH_INGEST_MINUTES", 30, least=1, most=24 * 60))
BERTH_UPLOAD_LIMIT_BYTES = env.whole("BERTH_UPLOAD_LIMIT_MIB", 2048, least=1, most=1024 * 1024) * 1024 * 1024
BERTH_DECOMPRESSED_LIMIT_BYTES = (
    env.whole("BERTH_DECOMPRESSED_LIMIT_MIB", 16384, least=1, most=1024 * 1024) * 1024 * 1024
)
BERTH_INFLATION_LIMIT = env.whole("BERTH_INFLATION_LIMIT", 200, least=2, most=2000)
BERTH_FILES_LIMIT = env.whole("BERTH_FILES_LIMIT", 200_000, least=1, most=10_000_000)
BERTH_OBJECTS_LIMIT = env.whole("BERTH_OBJECTS_LIMIT", 2_000_000, least=1, most=100_000_000)
BERTH_DOCUMENT_MEMORY_BYTES = env.whole("BERTH_DOCUMENT_MEMORY_MIB", 1024, least=16, most=1024 * 1024) * 1024 * 1024
BERTH_NESTING_LIMIT = env.whole("BERTH_NESTING_LIMIT", 100, least=20, most=500)
BERTH_YAML_EXPANSION_LIMIT = env.whole("BERTH_YAML_EXPANSION_LIMIT", 100_000, least=0, most=10_000_000)
BERTH_SNAPSHOTS_IN_MEMORY = env.whole("BERTH_SNAPSHOTS_IN_MEMORY", 4, least=1, most=1000)
BERTH_JOURNAL_KEPT = timedelta(days=env.whole("BERTH_JOURNAL_DAYS", 30, least=1, most=3650))
BERTH_RUNS_KEPT = timedelta(days=env.whole("BERTH_RUNS_DAYS", 90, least=1, most=3650))
BERTH_COMPUTING_SECONDS = env.whole("BERTH_COMPUTING_SECONDS", 60, least=1, most=3600)
BERTH_RUNS_SILENCE = timedelta(seconds=env.whole("BERTH_RUNS_SILENCE_SECONDS", 30, least=15, most=3600))
BERTH_SAMPLES_KEPT = timedelta(days=env.whole("BERTH_SAMPLES_DAYS", 400, least=7, most=3650))
BERTH_USAGE_KEPT = timedelta(days=env.whole("BERTH_USAGE_DAYS", 14, least=1, most=400))
BERTH_PROMETHEUS = env.addresses("BERTH_PROMETHEUS")
# Pods of all kept simulations together.
BERTH_RUN_PODS = env.whole("BERTH_RUN_PODS", 10_000_000, least=1_000, most=10**12)
BERTH_RUN_PODS_PER_USER = env.whole("BERTH_RUN_PODS_PER_USER", BERTH_RUN_PODS, least=1_000, most=10**12)
BERTH_AUDIT_KEPT = timedelta(days=env.whole("BERTH_AUDIT_DAYS", 400, least=1, most=3650))
BERTH_ROLES = env.flag("BERTH_ROLES", default=False)
BERTH_METRICS_TOKEN = env.text("BERTH_METRICS_TOKEN")
BERTH_SIGNIN_LINK_PRINTED = env.flag("BERTH_SIGNIN_LINK_PRINTED", default=False)
BERTH_SIGNIN_LINK_LIFETIME = timedelta(minutes=env.whole("BERTH_SIGNIN_LINK_MINUTES", 60, least=1, most=7 * 24 * 60))
BERTH_SIGNIN_LINKS = env.flag("BERTH_SIGNIN_LINKS", default=True)
BERTH_SIGNIN_PASSWORDS = env.flag("BERTH_SIGNIN_PASSWORDS", default=True)
BERTH_CLASSROOM_MOST_HOURS = env.whole("BERTH_CLASSROOM_MOST_HOURS", 14 * 24, least=1, most=90 * 24)
BERTH_CLASSROOM_HOURS = env.whole(
    "BERTH_CLASSROOM_HOURS", min(24, BERTH_CLASSROOM_MOST_HOURS), least=1, most=BERTH_CLASSROOM_MOST_HOURS
)
_key = env.text("BERTH_SECRET_KEY")
SECRET_KEY = datadir.checked_key(_key, "BERTH_SECRET_KEY") if _key else datadir.secret_key(BERTH_DATA_DIR)

_base = urlsplit(BERTH_BASE_URL)
ALLOWED_HOSTS = env.hosts("BERTH_ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
if _base.hostname and _base.hostname not in ALLOWED_HOSTS:
    ALLOWED_HOSTS.append(_base.hostname)
# What whoever runs Berth may do with kubectl is offered only where nobody else is served.
_serves_this_machine_alone = all(env.is_loopback(name) for name in (BERTH_HOST, *ALLOWED_HOSTS))
BERTH_KUBECONFIGS = env.places("BERTH_KUBECONFIGS", ("~/.kube/config",) if _serves_this_machine_alone else ())
# For what the fonts of reviews lack: the files of Debian's packages fonts-noto-cjk and fonts-noto-color-emoji.
BERTH_FONTS = env.places(
    "BERTH_FONTS",
    (
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf",
    ),
)
BERTH_EXTENDER_HOSTS = env.hosts("BERTH_EXTENDER_HOSTS", ())
BERTH_EXEC_ENVIRONMENT = env.words("BERTH_EXEC_ENVIRONMENT")
CSRF_TRUSTED_ORIGINS = [BERTH_BASE_URL] if BERTH_BASE_URL else []

# --- The application --------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "axes",
    "channels",
    "csp",
    "django_htmx",
    "clusters",
    "dashboard",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "dashboard.static_files.StaticFilesMiddleware",
    # Below the static files, which are compressed already. It varies the length of answers, so that nobody can guess at
    # the secrets in a page by how well it compresses.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "dashboard.access.middleware.PermissionsPolicyMiddleware",
    "dashboard.access.middleware.CacheControlMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "dashboard.reader_zone.ReaderZoneMiddleware",
    # Above all that refuses something.
    "dashboard.lessons.languages.LearnerLanguageMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "dashboard.access.middleware.TokenMiddleware",
    "dashboard.access.proxy.ProxyUserMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "dashboard.access.middleware.SignInRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Last, so that what it refuses was let in by all others.
    "dashboard.limits.computing.ComputingLimitsMiddleware",
    "dashboard.failures.NotComputedMiddleware",
    # Last: it answers instead of a view whose sign-in was refused.
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "dashboard.urls"
ASGI_APPLICATION = "dashboard.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Lessons speak all of them, by dashboard.lessons.languages; all other pages speak the first one. Another needs a
# catalogue under locale/, and an entry here with the name that its speakers give it.
LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("id", "Bahasa Indonesia"), ("uk", "Українська")]
LANGUAGE_COOKIE_NAME = "berth_language"
LANGUAGE_COOKIE_SECURE = _base.scheme == "https"
LOCALE_PATHS = [SITE_DIR / "locale"]
TIME_ZONE = env.time_zone("BERTH_TIME_ZONE", "UTC")
USE_TZ = True
USE_I18N = True

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [SITE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "dashboard.context_processors.site",
            ],
        },
    },
]

# --- State: database, Redis, static files -----------------------------------------------------------------------------

DATABASES: dict[str, Any] = {
    "default": env.database(
        "DATABASE_URL", f"sqlite:///{BERTH_DATA_DIR / 'berth.sqlite3'}", conn_max_age=60, conn_health_checks=True
    ),
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Readers go on while one writer writes; a second writer waits for the first instead of failing half-way.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
    }

REDIS_URL = env.redis("REDIS_URL", f"unix://{datadir.redis_socket(BERTH_DATA_DIR)}")
# The layer lets Redis block for five seconds, which is as long as the client waits for an answer unless told otherwise.
_layer = {"address": REDIS_URL, "socket_timeout": 20}
CHANNEL_LAYERS = {
    "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [_layer], "capacity": 1000}},
}

# Kombu has words of its own for a unix socket and its database.
CELERY_BROKER_URL = REDIS_URL
if REDIS_URL.startswith("unix://"):
    CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Seconds. A Redis that hangs must not hang who sends a task: whoever is told within these goes on without.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 1.2, "socket_connect_timeout": 1.2}
CELERY_BROKER_CONNECTION_TIMEOUT = 1.2
# Another try, on a new connection: the one that was kept may be of a Redis that was restarted since.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
CELERY_TASK_IGNORE_RESULT = True
# A task whose worker dies is delivered again. An ingest that it had begun is not run twice, because what killed the
# worker may have been the dump; such a run is given up after a while.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A worker that is not told otherwise serves all queues; a simulation takes minutes, and neither a dump nor a question
# should wait for it. Whose simulation is next is not decided by a queue: clusters.services.lanes.
_queues = ("celery", "questions", "simulations", "ingests")
CELERY_TASK_QUEUES = {name: {"exchange": name, "routing_key": name} for name in _queues}
CELERY_TASK_ROUTES = {
    "clusters.tasks.ingest_upload": {"queue": "ingests"},
}
CELERY_TIMEZONE = TIME_ZONE

STATIC_URL = "/static/"
STATIC_ROOT = BERTH_DATA_DIR / "static"
STATICFILES_DIRS = [SITE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "dashboard.static_files.StaticFilesStorage"
        ),
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# A file that comes in is written where it will lie, so that it can be moved there: beside the request's body, which the
# web server keeps until it is answered, that makes two copies, and one as soon as it is.
MEDIA_ROOT = FILE_UPLOAD_TEMP_DIR = datadir.private_folder(env.folder("BERTH_UPLOADS_DIR", BERTH_DATA_DIR / "uploads"))
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700

# --- Sign-in and security ---------------------------------------------------------------------------------------------

LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "sign-in"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "dashboard.access.backends.ProviderBackend",
    "dashboard.access.backends.ProxyBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Of one name, or from one address: each is counted by itself, over all web processes.
AXES_LOCKOUT_PARAMETERS = ["username", "ip_address"]
AXES_FAILURE_LIMIT = env.whole("BERTH_SIGNIN_FAILURES", 10, least=3, most=1000)
AXES_COOLOFF_TIME = timedelta(minutes=env.whole("BERTH_SIGNIN_WAIT_MINUTES", 15, least=1, most=24 * 60))
# Who goes on trying does not wait longer; who succeeds once does not clear the address for guesses at other names.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = False
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
AXES_CLIENT_IP_CALLABLE = "dashboard.access.throttle.address_of"
AXES_CLIENT_STR_CALLABLE = "dashboard.access.throttle.in_log"
AXES_WHITELIST_CALLABLE = "dashboard.access.throttle.is_no_guess"
AXES_LOCKOUT_CALLABLE = "dashboard.access.throttle.answer"

# By an identity provider (OpenID Connect).
env.together("BERTH_OIDC_ISSUER", "BERTH_OIDC_CLIENT_ID")
BERTH_OIDC_ISSUER = env.issuer("BERTH_OIDC_ISSUER")
BERTH_OIDC_CLIENT_ID = env.text("BERTH_OIDC_CLIENT_ID")
BERTH_OIDC_CLIENT_SECRET = env.text("BERTH_OIDC_CLIENT_SECRET")
BERTH_OIDC_NAME = env.text("BERTH_OIDC_NAME", urlsplit(BERTH_OIDC_ISSUER).hostname or "")
BERTH_OIDC_SCOPES = env.words("BERTH_OIDC_SCOPES", ("openid", "profile", "email"))
BERTH_OIDC_GROUPS_CLAIM = env.text("BERTH_OIDC_GROUPS_CLAIM", "groups")
BERTH_OIDC_ALLOWED_GROUPS = env.words("BERTH_OIDC_ALLOWED_GROUPS")
BERTH_OIDC_ALLOWED_DOMAINS = [domain.lower() for domain in env.words("BERTH_OIDC_ALLOWED_DOMAINS")]
BERTH_OIDC_RENEWAL = timedelta(minutes=env.whole("BERTH_OIDC_RENEWAL_MINUTES", 15, least=1, most=24 * 60))
BERTH_OIDC_SESSION = timedelta(hours=env.whole("BERTH_OIDC_SESSION_HOURS", 12, least=1, most=30 * 24))
BERTH_OIDC_TOKENS_KEPT = timedelta(days=env.whole("BERTH_OIDC_TOKEN_DAYS", 30, least=1, most=3650))
# By a proxy in front, which says in a header whom it has signed in.
env.together("BERTH_PROXY_USER_HEADER", "BERTH_TRUSTED_PROXIES")
BERTH_PROXY_USER_HEADER = env.header("BERTH_PROXY_USER_HEADER")
BERTH_PROXY_GROUPS_HEADER = env.header("BERTH_PROXY_GROUPS_HEADER")
BERTH_PROXY_SIGN_OUT = env.path("BERTH_PROXY_SIGN_OUT")
BERTH_TRUSTED_PROXIES = env.networks("BERTH_TRUSTED_PROXIES")
env.check_sign_in(
    issuer=BERTH_OIDC_ISSUER,
    scopes=BERTH_OIDC_SCOPES,
    is_limited=bool(BERTH_OIDC_ALLOWED_DOMAINS or BERTH_OIDC_ALLOWED_GROUPS),
    has_other_way=BERTH_SIGNIN_LINKS or BERTH_SIGNIN_PASSWORDS or bool(BERTH_PROXY_USER_HEADER),
)

_served_by_https = _base.scheme == "https"
SESSION_ENGINE = "dashboard.access.sessions"
SESSION_COOKIE_NAME = "berth_session"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _served_by_https
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "berth_csrf"
CSRF_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 30 * 24 * 3600 if _served_by_https else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
BERTH_BEHIND_PROXY = env.flag("BERTH_BEHIND_PROXY", default=False)
if BERTH_BEHIND_PROXY:
    # Only a proxy that sets this header itself may be trusted with it, which is why it has to be asked for.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Applies to form fields and JSON bodies; uploaded files have their own limit, BERTH_UPLOAD_LIMIT_MIB.
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
DATA_UPLOAD_MAX_NUMBER_FILES = 20

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        # Plotly positions the parts of a chart by style attributes; style elements stay forbidden.
        "style-src-attr": [UNSAFE_INLINE],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        # Text becomes HTML by these policies only: static/js/trusted.js lets htmx parse, static/js/morph.js live parts.
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["default", "berth-live"],
    },
}

# --- Logging ----------------------------------------------------------------------------------------------------------

BERTH_LOG_LEVEL = env.choice("BERTH_LOG_LEVEL", "INFO", among=("DEBUG", "INFO", "WARNING", "ERROR"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"refusals": {"()": "dashboard.operations.logs.Refusals"}},
    "handlers": {"terminal": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["terminal"], "level": BERTH_LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": BERTH_LOG_LEVEL, "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "django.request": {"filters": ["refusals"]},
        # Says at every start and attempt that it runs; what failed is a warning.
        "axes": {"level": "WARNING"},
        # Would say the secrets of a sign-in.
        "authlib": {"level": "INFO"},
        # Says a line for each request to a cluster, of which there are many.
        "httpx2": {"level": "WARNING"},
    },
}
