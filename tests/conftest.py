"""What all tests share: no test touches the user's cache, and properties are drawn alike in every run."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("kosti", deadline=None, derandomize=True)
settings.load_profile("kosti")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which this test's tables are cached, in this process and in those that it starts."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kosti"
