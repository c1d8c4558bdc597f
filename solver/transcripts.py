"""Records of played games as files: their lines, and what all families write in the same way.

A line is a turn; its throws stand between semicolons, slashes or bars. What follows ``#`` is a remark, and empty lines
mean nothing.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from solver.errors import PositionError, TranscriptError
from solver.text import _

LARGEST_FILE = 1 << 20
MOST_LINES = 10_000


def written_lines(file: Path) -> list[tuple[int, str]]:
    """The lines that say something, without remarks, each with its number. TranscriptError if it cannot be read."""
    try:
        if not file.is_file():
            raise TranscriptError(_("{file}: not a file").format(file=file))
        if (size := file.stat().st_size) > LARGEST_FILE:
            raise TranscriptError(
                _("{file}: {size} bytes; allowed: at most {most}").format(file=file, size=size, most=LARGEST_FILE)
            )
        lines = file.read_text(encoding="utf-8-sig").split("\n")  # as editors count lines
    except OSError as error:
        raise TranscriptError(_("{file}: cannot be read: {why}").format(file=file, why=error.strerror)) from None
    except UnicodeDecodeError:
        raise TranscriptError(_("{file}: not valid UTF-8 text").format(file=file)) from None
    if len(lines) > MOST_LINES:
        raise TranscriptError(
            _("{file}: {count} lines; allowed: at most {most}").format(file=file, count=len(lines), most=MOST_LINES)
        )
    texts = ((number, line.partition("#")[0].strip()) for number, line in enumerate(lines, 1))
    return [(number, text) for number, text in texts if text]


@contextmanager
def named_line(file: Path, number: int) -> Iterator[None]:
    """What is wrong with a line is told with the file and its number, as a TranscriptError."""
    try:
        yield
    except (PositionError, TranscriptError) as error:
        raise TranscriptError(_("{file}: line {line}: {why}").format(file=file, line=number, why=error)) from None


def check_beginning(found: str, *, early: bool) -> None:
    """TranscriptError for what is ``found`` where it would change what has been read: not ``early`` in a record."""
    if not early:
        raise TranscriptError(_("{found}; allowed: once, before all that it is about").format(found=found))


def check_turns(file: Path, turns: Sequence[object]) -> None:
    """TranscriptError if there are none."""
    if not turns:
        raise TranscriptError(_("{file}: no turns; allowed: a line for each turn").format(file=file))


def throws_of(text: str) -> list[str]:
    """The throws of a turn, as they are written; a separator may follow the last."""
    parts = [part.strip() for part in re.split(r"[;/|]", text)]
    if not parts[-1]:
        parts.pop()
    return parts
