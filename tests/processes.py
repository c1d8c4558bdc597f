"""Commands and other processes for the tests, which find the package where this process found it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import solver

LONG = 60
"""Seconds after which a process is taken for stuck."""


class Answer(NamedTuple):
    """How a command ended, and what it wrote."""

    status: int | str | None
    out: str
    err: str

    @property
    def refusal(self) -> str:
        """The line by which the command refuses its words; it must do nothing else."""
        assert self.status == 2
        assert self.out == ""
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        assert self.err.strip()
        return self.err

    @property
    def result(self) -> str:
        """What the command wrote when all went well."""
        assert self.status == 0
        assert self.err == ""
        return self.out


Run = Callable[..., Answer]
"""A command that takes words."""


def environment() -> dict[str, str]:
    """What other processes need to import the package and the helpers of the tests."""
    places = [Path(solver.__file__).parent.parent, Path(__file__).parent]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))}


def python(*lines: str, cwd: Path, stuck: float = LONG) -> subprocess.CompletedProcess[str]:
    """Run a few lines of Python; an error if they do not end."""
    command = [sys.executable, "-c", "\n".join(("from pathlib import Path", *lines))]
    return subprocess.run(
        command, cwd=cwd, env=environment(), capture_output=True, text=True, timeout=stuck, check=False
    )


def start(name: str, *words: object, cwd: Path, before: str = "") -> subprocess.Popen[str]:
    """Start ``advise`` or ``kosti`` as a user would; its output can be read as it comes."""
    code = f"{before}\nfrom solver.entry import {name}; {name}()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        cwd=cwd,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
