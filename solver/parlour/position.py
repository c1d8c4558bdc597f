"""Positions of the small games as they are stated on the command line."""

from collections.abc import Mapping, Sequence

from solver.errors import PositionError
from solver.schema import one_of_names, quoted
from solver.text import _

LONGEST = 200
"""Characters of an option."""


def refuse(option: str, found: object, allowed: str) -> PositionError:
    """An error that names the option, the value and what is allowed."""
    return PositionError(
        _("{option}: {found}; allowed: {allowed}").format(option=option, found=quoted(found), allowed=allowed)
    )


def read_number(option: str, text: str, low: int, high: int) -> int:
    """A whole number in a range."""
    text = text.strip()
    digits = text[1:] if text.startswith("-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9 and low <= int(text) <= high):
        raise refuse(option, text, _("a whole number from {low} to {high}").format(low=low, high=high))
    return int(text)


def read_faces(option: str, text: str, names: Mapping[str, int], counts: Sequence[int]) -> tuple[int, ...]:
    """Faces with commas between them, in ascending order; ``names`` are all that a die may show."""
    parts = [part.strip().upper() for part in text[: LONGEST + 1].split(",")]
    if len(parts) not in counts or any(part not in names for part in parts):
        allowed = _("one face of {names}")
        if max(counts) > 1:
            allowed = _("{count} faces with commas between them, each one of {names}")
        many = " or ".join(map(str, counts))
        raise refuse(option, text, allowed.format(count=many, names=", ".join(names)))
    return tuple(sorted(names[part] for part in parts))


def read_facts(option: str, text: str | None, known: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Facts such as ``total=9,throw=2``; ``known`` gives the range of each."""
    facts: dict[str, int] = {}
    for part in (text or "")[: LONGEST + 1].split(",") if text else []:
        name, equals, value = part.partition("=")
        name = name.strip()
        if name not in known:
            raise refuse(option, part.strip(), one_of_names(name, known))
        if not equals or name in facts:
            raise refuse(option, part.strip(), _("each fact once, as in {name}=1").format(name=name))
        facts[name] = read_number(f"{option} {name}", value, *known[name])
    return facts


def faces_of(count: int, lowest: int = 1) -> dict[str, int]:
    """The names of faces that are plain numbers."""
    return {str(face): face for face in range(lowest, lowest + count)}
