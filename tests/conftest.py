import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import chromium, page  # noqa: F401 -- fixtures for all

# Under nohup, and behind a shell's "&", these are ignored, and whoever is started
# ignores them, too: tests send them all the same.
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TRANSCRIPTS = Path(__file__).parent / "transcripts"

# A playout is one example, and takes as long as a match takes.
settings.register_profile(
    "arena", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("arena")


def pytest_addoption(parser):
    parser.addoption(
        "--accept",
        action="store_true",
        help="rewrite the golden transcripts; review the difference",
    )


@pytest.fixture
def golden(request):
    """Compare a text with a golden file, or rewrite it under ``--accept``."""

    def compare(name, text):
        path = TRANSCRIPTS / name
        if request.config.getoption("--accept"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="ascii")
        assert path.read_text(encoding="ascii") == text

    return compare
