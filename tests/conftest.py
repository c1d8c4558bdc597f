"""What all tests share: no test touches the user's cache, and properties are drawn alike in every run."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from processes import Answer, Run

from solver.cli import advise_command, kosti_command

settings.register_profile("kosti", deadline=None, derandomize=True)
settings.load_profile("kosti")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which this test's tables are cached, in this process and in those that it starts."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kosti"


def _runner(
    name: str, command: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    def run(*words: object) -> Answer:
        monkeypatch.setattr(sys, "argv", [name, *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            command()
        return Answer(ended.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def advise(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command ``advise``, run within this process with the given words."""
    return _runner("advise", advise_command, monkeypatch, capsys)


@pytest.fixture
def kosti(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command ``kosti``, likewise."""
    return _runner("kosti", kosti_command, monkeypatch, capsys)
